# tests/native/check_throws.py: a C++ exception that leaves a plug-in is the case's CRASH, wherever it comes from.
"""Usage: check_throws.py DLPACK_CTS FOLDER_OF_PLUGINS"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOML = 'name = "throwing"\nkind = "native"\nroles = ["consumer"]\nclaims = []\nplugin = "throwing_plugin.so"\n'
LEFT = "a C++ exception escaped from the library"
# Where it throws: what every case that came to it says, and what the exception said itself.
IN_A_CASE = {
    "import": (f"{LEFT} during import: std::runtime_error", "std::runtime_error: thrown by the test"),
    "int": (f"{LEFT} during import: int", "int"),
    "thread": (f"{LEFT} during import: std::runtime_error", "std::runtime_error: thrown by the test"),
    "static_destructor": (f"{LEFT} during import: std::runtime_error", "std::runtime_error: thrown by the test"),
    "describe": (f"{LEFT} during describe: std::runtime_error", "std::runtime_error: thrown by the test"),
    "drop": (f"{LEFT} during drop-array: std::runtime_error", "std::runtime_error: thrown by the test"),
}
AT_THE_START = {"plugin": "dlpack_cts_plugin()", "name": "name()", "version": "version()"}


def run(program, adapter, where):
    command = [program, "run", "throwing", "--adapter", str(adapter), "--select", "c-abi/flags/*", "--examples", "3",
               "--format", "json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "THROWS": where})


def in_a_case(program, adapter, where, expected):
    done = run(program, adapter, where)
    if done.returncode != 1:
        yield f"the status is {done.returncode}"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    cases = [line for line in lines if line["type"] == "result"]
    usual = [line for line in map(json.loads, run(program, adapter, "").stdout.splitlines()) if line["type"] == "result"]
    if [line["case"] for line in cases] != [line["case"] for line in usual]:
        yield "a case is lost"
    crashed = [line for line in cases if line["verdict"] == "CRASH"]
    if not crashed:
        yield "no case says CRASH"
    for line in crashed:
        if not line["message"].startswith(expected[0].split(" during ")[0]) or not line["message"].endswith(
                expected[0].rsplit(": ", 1)[1]) or line["got"] != expected[1]:
            yield f"{line['case']} says {line['message']!r}, {line['got']!r}"
    if not any(line["message"] == expected[0] for line in crashed):
        yield f"no case says {expected[0]!r}, but {sorted({line['message'] for line in crashed})}"


def at_the_start(program, adapter, where, function):
    done = run(program, adapter, where)
    complaints = [line for line in done.stderr.splitlines() if line.startswith("dlpack-cts: throwing")]
    if done.returncode != 2 or len(complaints) != 1:
        yield f"the status is {done.returncode}: {done.stderr}"
    elif "std::runtime_error: thrown by the test" not in complaints[0] or function not in complaints[0]:
        yield f"the sentence is {complaints[0]!r}"


def main():
    program, plugins = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        adapter = pathlib.Path(folder)
        (adapter / "library.toml").write_text(TOML)
        (adapter / "throwing_plugin.so").symlink_to(plugins / "throwing_plugin.so")
        for check, table in ((in_a_case, IN_A_CASE), (at_the_start, AT_THE_START)):
            for where, expected in table.items():
                for what in check(program, adapter, where, expected):
                    failed = True
                    print(f"{where}: {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
