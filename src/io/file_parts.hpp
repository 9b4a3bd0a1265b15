// A file in parts, for channels that take no large ones. Each part begins with a line that says
// which part of which whole it is, and has digests of both: parts that are missing, truncated,
// damaged or of different files are refused, whatever they are called.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace scree::io {

/// The line that a part begins with takes this much of it [bytes].
inline constexpr std::uintmax_t part_head = 192;
inline constexpr std::uintmax_t least_part = 1024;
inline constexpr std::uintmax_t most_parts = 9999;

/// Writes NAME.part-1-of-3, … into a folder, none larger than `size` bytes, and says what they are
/// called. Throws Error if the file cannot be read, or the size is too small.
std::vector<std::filesystem::path> split_file(const std::filesystem::path& path,
                                              std::uintmax_t size,
                                              const std::filesystem::path& folder);

/// The parts of a file of that name in a folder, in no order.
std::vector<std::filesystem::path> parts_in(const std::filesystem::path& folder,
                                            const std::string& name);
/// What the file was called whose part this is, by its name alone; empty if it is no part's name.
std::string whole_name(const std::filesystem::path& part);

/// Makes the whole file of all its parts, in any order. Throws Error that says which of them is
/// missing, truncated, damaged, or of another file; then nothing is written.
void join_parts(std::span<const std::filesystem::path> parts, const std::filesystem::path& path);

}  // namespace scree::io
