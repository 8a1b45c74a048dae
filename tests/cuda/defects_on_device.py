# tests/cuda/defects_on_device.py: runs device_library/ with each of its defects on the CUDA driver of this machine.
"""Usage: defects_on_device.py PROGRAM PYTHON OUT. Prints which defects are reported, compared with defects.py."""
import concurrent.futures
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
import program as cts  # noqa: E402
from defects import DEFECTS  # noqa: E402

LIBRARY = pathlib.Path(__file__).resolve().parent / "device_library"
TWO_DEVICES = ("memory-of-another-device", "deleter-changes-the-device", "device-stays-changed",
               "stream-of-the-first-device")
AT_ONCE = 5


def results_of(program, python, out, defect):
    """The results of the suite with that defect, and what the program printed."""
    case = ["--select", DEFECTS[defect][1]] if defect else ["--select", "cuda/*"]
    ran = cts.run("run", "device_library", "--adapter", LIBRARY, "--python", python, "--seed", 1, "--examples", 10,
                  "--sweep", 0, "--format", "json", "-j", 2, *case, environment={"CUDA_DEFECT": defect},
                  seconds=600, program_path=program)
    (out / f"{defect or 'no-defect'}.ndjson").write_text(ran.out, encoding="utf-8")
    return cts.lines_of(ran.out), ran.err


def sentence(defect, lines, printed):
    """What became of a defect, and whether it was reported under its own rule."""
    rule, case, *of_cause = DEFECTS[defect]
    found = next((line for line in lines if line["type"] == "result" and line["case"] == case), None)
    if found is None:
        return False, "no result: " + " ".join(printed.split())[-200:]
    causes = sorted({line["rule"] for line in lines if line["type"] == "cause" and not line.get("limitation")})
    seen = f"{found['verdict']} {found.get('rule', '')}, causes {' '.join(causes) or 'none'}: {found['message']}"
    named = found["verdict"] not in ("PASS", "SKIP", "BLOCKED") and found.get("rule") == rule
    return named and causes == (of_cause or [rule]), seen


def main():
    program, python, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        ran = dict(zip(["", *DEFECTS], pool.map(lambda defect: results_of(program, python, out, defect), ["", *DEFECTS])))
    accused = [line for line in ran[""][0] if line["type"] == "result"
               and line["verdict"] not in ("PASS", "NOTE", "SKIP", "BLOCKED")]
    for line in accused:
        print(f"the library without a defect: {line['verdict']} {line['case']}: {line['message']}")
    if not ran[""][0]:
        print(f"the library without a defect: no result: {' '.join(ran[''][1].split())[-300:]}")
    right = 0
    for defect, (rule, *_) in DEFECTS.items():
        named, seen = sentence(defect, *ran[defect])
        right += named
        if not named:
            needs = " (needs two devices)" if defect in TWO_DEVICES else ""
            print(f"{defect}{needs}: expected {rule}, got {seen}")
    print(f"{right} of {len(DEFECTS)} defects are reported under their own rule; {len(accused)} reports about the library "
          "without a defect")
    return 0


sys.exit(main())
