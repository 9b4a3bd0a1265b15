# For Doxygen: the paragraph with which a header opens becomes the description of the file, with its examples as code.
1i /// \\file
1,/^#pragma once/ {
    s|^//   |///       |
    s|^//|///|
}
