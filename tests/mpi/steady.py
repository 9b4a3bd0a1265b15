"""steady.py MPIRUN SCREE: the same steady flow on one process and on 2, 3, 4 and 8 ranks.

Runs of one process with different seeds say how much means over the steady part fluctuate. Those of
ranks have to be within that, and those of another friction must not be: else nothing was shown.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MPIRUN, SCREE = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
QUANTITIES = ["particles.steady", "contacts.steady", "kinetic_energy.steady", "push.x"]
SIGMAS = 4


def run(folder, command, *options):
    """Results as (value, error) by name. Status 3: a few grains were squeezed more than is good."""
    command = command + ["run", os.path.join(HERE, "channel.toml"), "--out", folder, "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if done.returncode not in (0, 3):
        sys.exit(f"FAILED with {done.returncode}: {' '.join(command)}\n{done.stderr}")
    with open(os.path.join(folder, "summary.json")) as file:
        results = json.load(file)["results"]
    return {q: (results[q]["value"], results[q]["error"]) for q in QUANTITIES}


def main():
    failures = []
    with tempfile.TemporaryDirectory() as work:
        with ThreadPoolExecutor(2) as two_at_a_time:
            changes = [f"seed={s}" for s in range(1, 6)] + ["material.glass.friction=0.2"]
            *seeds, other = two_at_a_time.map(lambda change: run(f"{work}/{change}", [SCREE], "--set", change), changes)
        ranks = {n: run(f"{work}/ranks{n}", [f"{HERE}/start", MPIRUN, str(n), SCREE]) for n in (2, 3, 4, 8)}
    noticed = 0
    for q in QUANTITIES:
        values = [s[q][0] for s in seeds]
        mean = statistics.mean(values)
        sigma = max(statistics.stdev(values), statistics.mean(s[q][1] for s in seeds))
        print(f"{q}: one process {mean:.5g} ± {sigma:.2g}")
        for n, results in ranks.items():
            off = (results[q][0] - mean) / sigma
            print(f"  {n} ranks {results[q][0]:.5g}, off by {off:.1f} sigma")
            if abs(off) > SIGMAS:
                failures.append(f"{q} on {n} ranks")
        off = (other[q][0] - mean) / sigma
        print(f"  half the friction {other[q][0]:.5g}, off by {off:.1f} sigma")
        noticed += abs(off) > SIGMAS
    if noticed < 2:
        failures.append("half the friction is hardly noticed")
    sys.exit("FAILED: " + ", ".join(failures) if failures else 0)


main()
