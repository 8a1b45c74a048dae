# tests/reproducer/replay.py: runs the program on a library, then every reproducer that the run wrote.
import concurrent.futures
import json
import pathlib
import subprocess

SECONDS = 180


def output(command):
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    return run.returncode, run.stdout, run.stderr


def findings(program, python, library, out, *options):
    """Runs the library and returns its findings: (path of the JSON, finding, path of the reproducer or None)."""
    status, _, errors = output([program, "run", library, "--python", python, "--out", str(out), *options])
    if status not in (0, 1):
        raise RuntimeError(f"dlpack-cts run {library} left with {status}:\n{errors}")
    lines = (out / "results.ndjson").read_text(encoding="utf-8").splitlines()
    by_case = {line["case"]: line for line in map(json.loads, lines) if line.get("type") == "result"}
    for path in sorted(pathlib.Path(out, "findings").glob("*.json")):
        finding = json.loads(path.read_text(encoding="utf-8"))
        named = by_case[finding["case"]]["reproducer"]
        yield path, finding, out / named if named else None


def shows(python, finding, script):
    """What is wrong with a reproducer: "" when it shows its finding."""
    try:
        status, text, errors = output([python, str(script)])
    except subprocess.TimeoutExpired:
        return f"{finding['case']}: the reproducer did not end"
    wanted = f"REPRODUCED {finding['verdict']} {finding['case']}"
    if status == 1 and text.splitlines()[-1:] == [wanted]:
        return ""
    return f"{wanted}: exit {status}, {finding['fact']}\n{text}{errors}"


def names_missing(text):
    """Whether a script of version 1.0 of the toy says that the toy is missing, and claims nothing."""
    return ("The library could not be imported." in text and "(toy 1.0), or add its folder to PYTHONPATH." in text
            and "REPRODUCED" not in text)


def sample(found):
    """One finding of each fact and verdict: findings alike in both take the same way through a script."""
    chosen = {}
    for entry in found:
        chosen.setdefault((entry[1]["fact"], entry[1]["verdict"]), entry)
    return list(chosen.values())


def complaints(python, found, jobs=2):
    """Complaints about the reproducers of a run, and the cases that have none."""
    scripts = [(finding, script) for _, finding, script in found if script]
    missing = [finding["case"] for _, finding, script in found if not script]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        wrong = [text for text in pool.map(lambda pair: shows(python, *pair), scripts) if text]
    return wrong, missing
