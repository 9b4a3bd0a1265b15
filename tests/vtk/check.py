#!/usr/bin/python3
"""Opens frames, and those of several ranks, with VTK's own readers and compares every array with the CSV
written beside them.

check.py PROGRAM: the program that writes the folder (write_world.cpp). Exit status 77 means skipped.
"""
import csv
import math
import os
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    from vtkmodules.vtkCommonCore import (VTK_DOUBLE, VTK_FLOAT, VTK_LONG, VTK_LONG_LONG, VTK_UNSIGNED_CHAR,
                                          VTK_UNSIGNED_LONG, VTK_UNSIGNED_LONG_LONG,
                                          VTK_UNSIGNED_SHORT)
    from vtkmodules.vtkCommonDataModel import VTK_LINE, VTK_VERTEX
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPPolyDataReader
except ImportError as error:
    print("skipped: VTK for Python (Debian package python3-vtk9) is missing:", error)
    sys.exit(77)

INT64 = (VTK_LONG, VTK_LONG_LONG)
UINT64 = (VTK_UNSIGNED_LONG, VTK_UNSIGNED_LONG_LONG)
SHAPES = ["sphere", "box", "capsule", "cylinder", "ellipsoid", "profile", "half_space",
          "cylinder_wall", "sphere_wall", "polyhedron",
          "clump", "mesh"]
WALLS = SHAPES[6:9]


def single(x):
    """The nearest number of 32 bits."""
    return struct.unpack("f", struct.pack("f", x))[0]


def read(path):
    problems = []
    reader = vtkXMLPPolyDataReader() if path.endswith(".pvtp") else vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: problems.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: problems.append("warning"))
    assert reader.CanReadFile(path), path
    reader.SetFileName(path)
    reader.Update()
    assert not problems and reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def check_arrays(data, expected, count):
    """expected: name → (types, components, row → tuple, component names)."""
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    assert sorted(names) == sorted(expected), names
    for name, (types, components, value, labels) in expected.items():
        array = data.GetArray(name)
        assert array.GetDataType() in types, (name, array.GetDataTypeAsString())
        assert array.GetNumberOfComponents() == components, name
        assert array.GetNumberOfTuples() == count, name
        for i, label in enumerate(labels):
            assert array.GetComponentName(i) == label, (name, i)
        for i in range(count):
            # Ids are read as integers: a double would not hold them all.
            found = ((array.GetValue(i),) if components == 1 else array.GetTuple(i))
            assert tuple(found) == tuple(value(i)), (name, i, found, value(i))


def check_fields(poly, step, time, time_step):
    fields = poly.GetFieldData()
    assert fields.GetArray("TimeValue").GetDataType() == VTK_DOUBLE
    assert fields.GetArray("TimeValue").GetTuple(0) == (time,)
    assert fields.GetArray("time_step").GetTuple(0) == (time_step,)
    assert fields.GetArray("step").GetDataType() in UINT64
    assert fields.GetArray("step").GetTuple(0) == (step,)


def polyhedra(poly):
    """Corners of each polyhedron of the frame."""
    fields = poly.GetFieldData()
    begin, corner = fields.GetArray("polyhedron_begin"), fields.GetArray("polyhedron_corner")
    if begin is None:
        return []
    assert corner.GetDataType() == VTK_DOUBLE and corner.GetNumberOfComponents() == 3
    ends = [int(begin.GetTuple(i)[0]) for i in range(begin.GetNumberOfTuples())]
    assert ends[0] == 0 and ends[-1] == corner.GetNumberOfTuples()
    return [[corner.GetTuple(k) for k in range(a, b)] for a, b in zip(ends, ends[1:])]


def extents(shape, s, corners):
    if shape == "polyhedron":
        return [s[0] * (max(c[k] for c in corners) - min(c[k] for c in corners)) for k in range(3)]
    return {"sphere": (2 * s[0],) * 3,
            "box": (2 * s[0], 2 * s[1], 2 * s[2]),
            "capsule": (2 * (s[0] + s[1]), 2 * s[0], 2 * s[0]),
            "cylinder": (2 * s[1], 2 * s[0], 2 * s[0]),
            "ellipsoid": (2 * s[0], 2 * s[1], 2 * s[2]),
            "profile": (s[0] + s[1], 2 * s[0], 2 * s[2])}.get(shape, (0, 0, 0))


def check_particles(path, rows, stamp):
    poly = read(path)
    n = len(rows)
    assert poly.GetNumberOfPoints() == n and poly.GetNumberOfCells() == n
    assert poly.GetNumberOfVerts() == n
    check_fields(poly, *stamp)
    ids = poly.GetPointData().GetArray("id")
    by_id = {int(row["id"]): row for row in rows}
    assert len(by_id) == n
    row = [by_id[ids.GetValue(i)] for i in range(n)]

    def numbers(*names):
        return lambda i: tuple(float(row[i][name]) for name in names)

    size = numbers("size_1 [m]", "size_2 [m]", "size_3 [m]")
    # What belongs to a whole file is in each of the pieces that an index names, meshes in the first,
    # and VTK hands it on.
    pieces = [poly]
    if path.endswith(".pvtp"):
        folder = path[:-len(".pvtp")]
        pieces = [read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
        assert len(pieces) == 3
    solids = polyhedra(poly)
    assert len(solids) == 1 and len(solids[0]) == 5, solids
    assert all(polyhedra(piece) == solids for piece in pieces)
    fields = [{piece.GetFieldData().GetArrayName(i) for i in range(piece.GetFieldData().GetNumberOfArrays())}
              for piece in [poly] + pieces]
    meshes = {name for name in fields[0] if name.startswith("mesh_")}
    assert len(meshes) == 4 and fields[0] == fields[1]
    assert all(names == fields[0] - meshes for names in fields[2:])
    # Rounded to 32 bits after other operations: equal to a few units in the last place.
    scale = poly.GetPointData().GetArray("scale")
    for i in range(n):
        if row[i]["shape"] == "clump":
            continue
        wanted = extents(row[i]["shape"], size(i), solids[0])
        assert all(abs(x - y) <= 3e-7 * y for x, y in zip(scale.GetTuple(i), wanted)), i
    check_arrays(poly.GetPointData(), {
        "id": (UINT64, 1, lambda i: (int(row[i]["id"]),), ""),
        "velocity": ((VTK_DOUBLE,), 3, numbers("vx [m/s]", "vy [m/s]", "vz [m/s]"), "xyz"),
        "angular_velocity": ((VTK_DOUBLE,), 3,
                             numbers("wx [rad/s]", "wy [rad/s]", "wz [rad/s]"), "xyz"),
        "orientation": ((VTK_DOUBLE,), 4, numbers("qw", "qx", "qy", "qz"), "wxyz"),
        "shape": ((VTK_UNSIGNED_CHAR,), 1, lambda i: (SHAPES.index(row[i]["shape"]),), ""),
        "size": ((VTK_DOUBLE,), 3, size, ""),
        "scale": ((VTK_FLOAT,), 3, scale.GetTuple, ""),
        "polyhedron": (INT64, 1,
                       lambda i: (0 if row[i]["shape"] == "polyhedron" else -1,), ""),
        "clump": (INT64, 1, lambda i: (0 if row[i]["shape"] == "clump" else -1,), ""),
        "mesh": (INT64, 1, lambda i: (0 if row[i]["shape"] == "mesh" else -1,), ""),
        "radius": ((VTK_FLOAT,), 1, lambda i: (single(float(row[i]["radius [m]"])),), ""),
        "mass": ((VTK_DOUBLE,), 1, numbers("mass [kg]"), ""),
        "material": ((VTK_UNSIGNED_SHORT,), 1, lambda i: (int(row[i]["material"]),), ""),
        "dynamic": ((VTK_UNSIGNED_CHAR,), 1, lambda i: (int(row[i]["dynamic"]),), ""),
    }, n)
    assert poly.GetPoints().GetDataType() == VTK_DOUBLE
    for i in range(n):
        assert poly.GetPoint(i) == numbers("x [m]", "y [m]", "z [m]")(i)
        cell = poly.GetCell(i)
        assert cell.GetCellType() == VTK_VERTEX and cell.GetPointId(0) == i
    return {shape for shape in (r["shape"] for r in rows)}


def check_contacts(path, rows, bodies, stamp, period):
    poly = read(path)
    rows = [r for r in rows
            if r["touching"] == "1" or any(float(r[k]) != 0 for k in ("jx", "jy", "jz"))]
    n = len(rows)
    if path.endswith(".pvtp"):  # rank after rank
        data = poly.GetCellData()
        by_key = {(int(r["first"]), int(r["second"]), float(r["px"]), float(r["py"]), float(r["pz"])): r
                  for r in rows}
        assert len(by_key) == n
        rows = [by_key[(data.GetArray("first").GetValue(i), data.GetArray("second").GetValue(i))
                       + data.GetArray("point").GetTuple(i)] for i in range(poly.GetNumberOfLines())]
        assert len({id(r) for r in rows}) == n
    assert poly.GetNumberOfLines() == n and poly.GetNumberOfCells() == n
    check_fields(poly, *stamp)
    time_step = stamp[2]

    def numbers(*names):
        return lambda i: tuple(float(rows[i][name]) for name in names)

    impulse = numbers("jx", "jy", "jz")

    def force(i):
        return tuple(x / time_step for x in impulse(i))

    check_arrays(poly.GetCellData(), {
        "first": (UINT64, 1, lambda i: (int(rows[i]["first"]),), ""),
        "second": (UINT64, 1, lambda i: (int(rows[i]["second"]),), ""),
        "point": ((VTK_DOUBLE,), 3, numbers("px", "py", "pz"), ""),
        "normal": ((VTK_DOUBLE,), 3, numbers("nx", "ny", "nz"), ""),
        "gap": ((VTK_DOUBLE,), 1, numbers("gap"), ""),
        "impulse": ((VTK_DOUBLE,), 3, impulse, ""),
        "force": ((VTK_FLOAT,), 3, lambda i: tuple(single(x) for x in force(i)), ""),
        "force_magnitude": ((VTK_FLOAT,), 1, lambda i: (single(
            math.sqrt(sum(x * x for x in force(i)))),), ""),
        "touching": ((VTK_UNSIGNED_CHAR,), 1, lambda i: (int(rows[i]["touching"]),), ""),
    }, n)
    position = {int(b["id"]): tuple(float(b[k]) for k in ("x [m]", "y [m]", "z [m]"))
                for b in bodies}
    walls = {int(b["id"]) for b in bodies if b["shape"] in WALLS}
    across = 0
    within = 0
    for i in range(n):
        cell = poly.GetCell(i)
        assert cell.GetCellType() == VTK_LINE and cell.GetNumberOfPoints() == 2
        line = tuple(poly.GetPoint(cell.GetPointId(k)) for k in (0, 1))
        first, second = int(rows[i]["first"]), int(rows[i]["second"])
        a, b, point = position[first], position[second], numbers("px", "py", "pz")(i)
        # A body farther than half the box from the point is meant by its image.
        ends = [point if body in walls or abs(x[0] - point[0]) > period / 2 else x
                for body, x in ((first, a), (second, b))]
        assert line == tuple(ends), (first, second, line, ends)
        is_pair = first not in walls and second not in walls
        across += is_pair and point in ends
        within += is_pair and point not in ends
    return n, across, within


def check_collection(path, steps, times, name):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "VTKFile" and root.get("type") == "Collection"
    entries = root.findall("Collection/DataSet")
    assert [float(e.get("timestep")) for e in entries] == times
    for step, entry in zip(steps, entries):
        assert entry.get("file") == "frames/%s_%012d.vtp" % (name, step)
        assert os.path.exists(os.path.join(os.path.dirname(path), entry.get("file")))


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        steps = [0, 10, 150]
        times = []
        shapes = set()
        contacts = []
        for step in steps:
            def table(name):
                with open(os.path.join(folder, "%s_%d.csv" % (name, step)), newline="") as file:
                    return list(csv.DictReader(file))
            with open(os.path.join(folder, "frame_%d.csv" % step)) as file:
                time, time_step, period = map(float, file.read().split(","))
            times.append(time)
            stamp = (step, time, time_step)
            bodies = table("bodies")
            frame = os.path.join(folder, "frames", "%s_" + "%012d.vtp" % step)
            shapes |= check_particles(frame % "particles", bodies, stamp)
            contacts.append(check_contacts(frame % "contacts", table("contacts"), bodies, stamp,
                                           period))
            index = frame.replace(".vtp", ".pvtp")
            check_particles(index % "particles", bodies, stamp)
            assert contacts[-1] == check_contacts(index % "contacts", table("contacts"), bodies, stamp,
                                                  period)
        assert shapes == set(SHAPES), shapes
        assert contacts[0] == (0, 0, 0), contacts
        assert contacts[2][0] >= 10 and contacts[2][1] == 1 and contacts[2][2] >= 1, contacts
        for name in ("particles", "contacts"):
            check_collection(os.path.join(folder, name + ".pvd"), steps, times, name)
        assert read(os.path.join(folder, "empty.vtp")).GetNumberOfPoints() == 0
        assert read(os.path.join(folder, "empty_contacts.vtp")).GetNumberOfCells() == 0
    print("good: frames", steps, "contacts (all, across the boundary, within):", contacts)


main()
