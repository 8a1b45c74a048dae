# tests/examples/run_library.py: runs the suite on one library that has to pass, and counts what it showed.
"""Usage: run_library.py DLPACK_CTS [--passes N] [--no-python] [--adapter DIR] [--copy DIR] [--cmake CMAKE HEADERS] LIBRARY

--copy takes the adapter from a copy of DIR outside the tree; --cmake builds that copy first, alone, against HEADERS.
--passes asks for at least that many PASS verdicts. --no-python asks that all Python cases are SKIP with that reason, and that no finding names a method of Python."""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

GOOD = {"PASS", "NOTE", "SKIP", "BLOCKED"}


def prepare(options, folder):
    """The folder of the adapter, or None."""
    if not options.copy:
        return options.adapter
    source = folder / "source"
    shutil.copytree(options.copy, source)
    if not options.cmake:
        return source
    cmake, headers = options.cmake
    build = folder / "build"
    subprocess.run([cmake, "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Debug", f"-DDLPACK_CTS_PLUGIN_H_DIR={headers}"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run([cmake, "--build", build], check=True, stdout=subprocess.DEVNULL)
    return build


def complaints(options, results):
    verdicts = collections.Counter(result["verdict"] for result in results)
    print(dict(verdicts))
    for result in results:
        if result["verdict"] not in GOOD:
            yield f"{result['verdict']} {result['case']}: {result['message']}\n  {result['replay']}"
        native = "has no Python protocol" in result["message"]
        if options.no_python and result["case"].split("/")[0] in ("python", "exchange-api") and not native:
            yield f"{result['case']} runs without Python: {result['verdict']} {result['message']}"
    if verdicts["PASS"] < options.passes:
        yield f"only {verdicts['PASS']} cases pass, and {options.passes} are expected"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--no-python", action="store_true")
    parser.add_argument("--adapter")
    parser.add_argument("--copy")
    parser.add_argument("--cmake", nargs=2)
    parser.add_argument("library")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        adapter = prepare(options, folder)
        command = [options.program, "run", options.library, "--seed", "1", "--out", folder / "out"]
        done = subprocess.run(command + (["--adapter", adapter] if adapter else []), capture_output=True, text=True)
        if done.returncode != 0:
            print(f"the status is {done.returncode}\n{done.stdout}{done.stderr}")
            return 1
        lines = (folder / "out/results.ndjson").read_text().splitlines()
    entries = list(map(json.loads, lines))
    results = [entry for entry in entries if entry["type"] == "result"]
    found = list(complaints(options, results))
    for entry in entries:
        if options.no_python and entry["type"] == "cause" and "dlpack__" in entry["message"].replace("from_dlpack", "dlpack__"):
            found.append(f"{entry['id']} names a method that a plug-in does not have: {entry['message']}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
