#!/usr/bin/python3
"""Frames of ranks with different shapes, opened with VTK's own readers: each body's number leads to its
own corners and parts, in the pieces and in what VTK makes of them.

shapes.py MPIRUN SCREE. Exit status 77 means skipped.
"""
import filecmp
import glob
import os
import subprocess
import sys
import tempfile

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPPolyDataReader
except ImportError as error:
    print("skipped: VTK for Python (Debian package python3-vtk9) is missing:", error)
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
POLYHEDRON, CLUMP, MESH = 9, 10, 11


def read(path):
    reader = vtkXMLPPolyDataReader() if path.endswith(".pvtp") else vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def rows(data, name):
    array = data.GetArray(name)
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())] if array else []


def lists(fields, begin, values):
    ends = [int(x) for x, in rows(fields, begin)]
    return [rows(fields, values)[a:b] for a, b in zip(ends, ends[1:])]


def check(path):
    """What a file's bodies are, by their ids: corners, parts or points."""
    data, fields = read(path).GetPointData(), read(path).GetFieldData()
    tables = {POLYHEDRON: ("polyhedron", lists(fields, "polyhedron_begin", "polyhedron_corner")),
              CLUMP: ("clump", lists(fields, "clump_begin", "part_shape")),
              MESH: ("mesh", lists(fields, "mesh_point_begin", "mesh_point"))}
    ids = [data.GetArray("id").GetValue(i) for i in range(data.GetNumberOfTuples())]
    found = {}
    for i, (shape,) in enumerate(rows(data, "shape")):
        if shape not in tables:
            continue
        name, table = tables[shape]
        found[ids[i]] = own = table[int(rows(data, name)[i][0])]
        if shape == POLYHEDRON:
            factor = rows(data, "size")[i][0]
            wide = [factor * (max(c[k] for c in own) - min(c[k] for c in own)) for k in range(3)]
            assert all(abs(x - y) <= 3e-7 * y for x, y in zip(rows(data, "scale")[i], wide)), (path, i)
    return found


def main():
    with tempfile.TemporaryDirectory() as work:
        def run(ranks, *arguments):
            subprocess.run([os.path.join(HERE, "start"), sys.argv[1], str(ranks), sys.argv[2], "run", "--quiet",
                            *arguments], check=True)
        scene = os.path.join(HERE, "shapes.toml")
        for ranks in 2, 3:
            out = os.path.join(work, str(ranks))
            run(ranks, scene, "--out", out)
            frames = sorted(glob.glob(os.path.join(out, "frames", "particles_*.pvtp")))
            assert len(frames) == 5, frames
            for path in frames:
                whole = check(path)
                sizes = sorted(len(of) for of in whole.values())
                # Parts of clumps, then corners and points.
                late = 0 if path == frames[0] else sizes.count(5) - 1
                assert sizes == sorted([2, 3, 4, 4, 8] + [5] * (1 + late)), sizes
                assert path != frames[-1] or late == 4, late
                pieces = glob.glob(os.path.join(path[:-len(".pvtp")], "*.vtp"))
                assert len(pieces) == ranks
                of_pieces = {}
                for piece in pieces:
                    of_pieces.update(check(piece))
                assert of_pieces == whole
        # A run that was interrupted numbers them as one that was not.
        out = os.path.join(work, "parts")
        run(2, scene, "--out", out, "--steps", "20")
        run(2, "--resume", out)
        for piece in glob.glob(os.path.join(work, "2", "frames", "*", "*.vtp")):
            same = os.path.join(out, os.path.relpath(piece, os.path.join(work, "2")))
            assert filecmp.cmp(piece, same, shallow=False), same
    print("good")


main()
