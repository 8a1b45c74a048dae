# tests/adapters/judged_test.py: the adapter of a library is right about it: deviations, and no fault.
"""Usage: judged_test.py DLPACK_CTS LIBRARY ENVIRONMENT; exits 77 where the environment is missing."""
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    program, library, environment = sys.argv[1:]
    if not environment:
        print(f"no environment with {library}")
        return 77
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([program, "run", library, "--python", environment, "--seed", "1", "--format", "quiet",
                               "--out", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode not in (0, 1):
            print(done.stdout.decode("utf-8", "replace"))
            return 1
        lines = [json.loads(line) for line in (pathlib.Path(out) / "results.ndjson").open(encoding="ascii")]
    results = [line for line in lines if line["type"] == "result"]
    unexpected = [f"{line['verdict']} {line['case']}: {line['message']}" for line in results if not line["as_expected"]]
    print(*unexpected, sep="\n")
    passed = sum(line["verdict"] == "PASS" for line in results)
    print(f"{passed} of {len(results)} cases pass")
    return 1 if unexpected or passed < 60 else 0


sys.exit(main())
