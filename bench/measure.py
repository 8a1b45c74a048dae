# bench/measure.py: measures the figures of bench/README.md and compares each with its aim.
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "release"
PROGRAM = BUILD / "dlpack-cts"
TARGETS = ("dlpack-cts", "dlpack-cts-worker", "dlpack-cts-bridge", "import_rate", "exchange_rate")
EDITED = ROOT / "suites" / "c-abi" / "strides_import.cc"
EDITED_CASES = "c-abi/strides/*"
EXCHANGES = ROOT / "bench" / "exchanges.ndjson"
PEERS = (("plain random with ctypes", "peer_random.py", 20_000), ("Hypothesis with ctypes", "peer_hypothesis.py", 1000))
WHERE = ("import sys, sysconfig; get = sysconfig.get_config_var; "
         "print(get('LIBDIR') + '/' + get('INSTSONAME'))")
# Properties per second in plain random with ctypes, on the machine for which the aims were set. A slower machine gets more time.
AIMED_SPEED = 15_700
SWEPT = 30_000
CAMPAIGN = 200_000
CRASHES = "dereferences-null-strides"  # a mutant
SCRATCH = pathlib.Path(tempfile.gettempdir())


class Unusable(Exception):
    """An error message and a hint."""


class Figures:
    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, aim=None, at_least=False, note=""):
        met = None if aim is None else (value >= aim if at_least else value <= aim)
        self.rows.append({"figure": name, "value": value, "unit": unit, "aim": aim, "at_least": at_least, "met": met,
                          "note": note})
        goal = "" if aim is None else f"{'at least' if at_least else 'at most'} {aim:,g} {unit}: "
        print(f"{name:<46} {value:>11,.{0 if value >= 100 else 2}f} {unit:<5} "
              f"{goal}{'' if met is None else 'met' if met else 'MISSED'}{'; ' + note if note else ''}", flush=True)


def text(command, **options):
    run = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if run.returncode != 0:
        raise Unusable(f"{command[0]} exited with status {run.returncode}", (run.stderr or run.stdout).strip()[-400:])
    return run.stdout


def has(tree, program):
    """Whether the tree has this program. Only exchange_rate is younger than the commits that are compared."""
    return program != "exchange_rate" or (tree / "bench" / "exchange_rate.cc").exists()


def build_tree(tree, folder):
    """Builds the programs that are measured, in Release."""
    try:
        text(["cmake", "-S", str(tree), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
              "-DCMAKE_CXX_COMPILER=g++"])
    except Unusable as wrong:
        raise Unusable("cmake failed", "install the packages that docs/dependencies.md lists") from wrong
    try:
        text(["ninja", "-C", str(folder), *(name for name in TARGETS if has(tree, name))])
    except Unusable as wrong:
        raise Unusable("the build failed", f"run ninja -C {folder} import_rate to see the error; it needs libbenchmark-dev") from wrong


def interpreter(given, library):
    """The python of the given environment, or of the one that dlpack-cts made for the library."""
    if given is None:
        return pathlib.Path(text([str(PROGRAM), "env", "create", library]).split()[-1])
    python = pathlib.Path(given)
    python = python / "bin" / "python" if python.is_dir() else python
    if not python.exists():
        raise Unusable(f"there is no environment {given}", "give the folder of an environment, or its bin/python")
    return python


def cache():
    base = os.environ.get("DLPACK_CTS_CACHE")
    base = base or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "dlpack-cts")
    return pathlib.Path(base)


def peer_python(python):
    """An environment with Hypothesis and the same NumPy."""
    version = text([str(python), "-c", "import numpy; print(numpy.__version__)"]).strip()
    folder = cache() / "bench" / f"peer-numpy-{version}"
    peer = folder / "bin" / "python"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f"making an environment with Hypothesis in {folder}", file=sys.stderr)
        text([str(python), "-m", "venv", str(folder)])
        text([str(peer), "-m", "pip", "install", "-q", "hypothesis", f"numpy=={version}"])
        (folder / "ready").touch()
    return peer


def environment():
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def spread(rates):
    return f"median of {len(rates)}, {min(rates):,.0f} to {max(rates):,.0f}"


def rates_of(tree, build, program, python, library, *arguments):
    """Items per second of each benchmark of a program that opens the library."""
    adapter = "" if library == "reference" else tree / "adapters" / library
    libpython = text([str(python), "-c", WHERE]).strip()
    entries = json.loads(text([str(build / program), str(python), libpython, library, str(adapter), *arguments,
                               "--benchmark_format=json"], env=environment()))["benchmarks"]
    wrong = [entry["error_message"] for entry in entries if entry.get("error_occurred")]
    if wrong:
        raise Unusable(f"{program} in {build} gave a wrong result", wrong[0])
    return [entry["items_per_second"] for entry in entries]


def property_rates(tree, build, python):
    """Import properties per second of one CPU on NumPy."""
    return rates_of(tree, build, "import_rate", python, "numpy", "--benchmark_filter=import_property")


def import_rates(figures, python, repetitions):
    peer = peer_python(python)
    ours, theirs = [], {name: [] for name, _, _ in PEERS}
    for _ in range(repetitions):  # in turns, so that a busy machine affects all of them
        ours += property_rates(ROOT, BUILD, python)
        for name, script, examples in PEERS:
            rate = text([str(peer), "-B", str(ROOT / "bench" / script), str(examples), "1"], env=environment())
            theirs[name].append(float(rate))
    rate = statistics.median(ours)
    slowness = AIMED_SPEED / statistics.median(theirs[PEERS[0][0]])
    figures.add("import properties on NumPy, one CPU", rate, "1/s", 100_000 / slowness, at_least=True, note=spread(ours))
    for name, rates in theirs.items():
        figures.add(f"  the same in {name}", statistics.median(rates), "1/s", note=spread(rates))
        figures.add("  ratio", rate / statistics.median(rates), "")
    print(f"this machine is {slowness:.2f} times as slow as the one for which the aims were set; time limits are longer by this factor")
    return slowness


def peak_kib(pid):
    """The peak resident memory of this process; 0 for a zombie."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def timed(command, *, expected=(0, 1), env=None):
    """Wall seconds, CPU seconds with all children, and the peak of the process without its children in MiB."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(command, stdout=words, stderr=words, cwd=SCRATCH, env=env)
        peak = 0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            peak = max(peak, peak_kib(process.pid))
            time.sleep(0.01)  # reading it more often takes time from what is measured
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        if process.returncode not in expected:
            words.seek(0)
            raise Unusable(f"{' '.join(map(str, command))} exited with status {process.returncode}",
                           words.read().decode(errors="replace")[-400:].strip())
    return seconds, usage.ru_utime + usage.ru_stime, peak / 1024


def wall(figures, name, arguments, aim, repetitions):
    with tempfile.TemporaryDirectory() as out:
        arguments = [out if part == "OUT" else part for part in arguments]
        runs = [timed([str(PROGRAM), *arguments]) for _ in range(repetitions)]
    figures.add(name, statistics.median(run[0] for run in runs), "s", aim,
                note=f"median of {repetitions}; CPU {statistics.median(run[1] for run in runs):.1f} s")
    return max(run[2] for run in runs)


def stored_rates(tree, build, python, library):
    """Stored exchanges per second of one CPU: on the library alone, and compared with the reference."""
    return rates_of(tree, build, "exchange_rate", python, library, str(EXCHANGES))


def exchange_rates(figures, python, slowness, repetitions):
    """The same exchanges at each commit, so that these rates show what an exchange costs, whatever a sweep draws."""
    for library, aims in (("reference", (45_000, 28_000)), ("numpy", (35_000, 18_000))):
        rates = zip(*(stored_rates(ROOT, BUILD, python, library) for _ in range(repetitions)))
        for what, values, aim in zip((f"stored exchanges, {library}", "  the same, compared"), rates, aims):
            figures.add(what, statistics.median(values), "1/s", aim / slowness, at_least=True, note=spread(values))


def sweep_rate(figures, name, arguments, repetitions):
    """Exchanges that the sweep compares per second of CPU time of all processes, without the fixed cost of a run. There is
    no aim: new cases change what a sweep draws, and so what its exchanges cost."""
    def cpu(exchanges):
        with tempfile.TemporaryDirectory() as out:
            return timed([str(PROGRAM), "run", *arguments, "--select", "whole/*", "--sweep", str(exchanges), "--out", out],
                         expected=(0,))[1]
    rates = [2 * (SWEPT - 1) / (cpu(SWEPT) - cpu(1)) for _ in range(repetitions)]  # in each of two directions
    figures.add(name, statistics.median(rates), "1/s", note=spread(rates))


def campaign_cpu(arguments, exchanges, mutant=""):
    """CPU seconds of all processes, and exchanges that ran."""
    with tempfile.TemporaryDirectory() as out:
        cpu = timed([str(PROGRAM), "fuzz", *arguments, "--runs", str(exchanges), "--out", f"{out}/campaign"],
                    env={**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant})[1]
        return cpu, json.loads(pathlib.Path(out, "campaign", "campaign.json").read_text(encoding="utf-8"))["exchanges"]


def campaign_rate(arguments, mutant=""):
    """Exchanges that a campaign compares per second of CPU time of all processes, without the fixed cost of its start."""
    small, few = campaign_cpu(arguments, 1, mutant)
    large, many = campaign_cpu(arguments, CAMPAIGN, mutant)
    return (many - few) / (large - small)


def campaign_rates(figures, python, slowness, repetitions):
    """A campaign must not be slower than a sweep, and a defect that crashes must not stop it for long."""
    on_numpy = ["import", "numpy", "--python", str(python)]
    rates = [campaign_rate(on_numpy) for _ in range(repetitions)]
    figures.add("campaign on NumPy's imports, one CPU", statistics.median(rates), "1/s", 15_000 / slowness, at_least=True,
                note=spread(rates))
    plain = [campaign_rate(["import", "reference"]) for _ in range(repetitions)]
    figures.add("campaign on the reference, one CPU", statistics.median(plain), "1/s", note=spread(plain))
    crashing = [campaign_rate(["import", "reference"], CRASHES) for _ in range(repetitions)]
    figures.add("  the same with a defect that crashes", statistics.median(crashing), "1/s", note=spread(crashing))
    figures.add("  ratio", statistics.median(crashing) / statistics.median(plain), "", 2 / 3, at_least=True)


def mutants(figures, slowness):
    count = len(json.loads(text([str(PROGRAM), "list", "mutants", "--json"])))
    seconds, cpu, peak = timed([str(PROGRAM), "mutants"])
    figures.add("mutants, CPU time of each", cpu / count, "s", 0.3 * slowness, note=f"{count} in {seconds:.0f} s")
    return peak


def edit_time(figures, python, repetitions):
    """The time from saving a file of cases to their results on NumPy. Without a compiler cache: an edit is never in it."""
    uncached = {**os.environ, "CCACHE_DISABLE": "1"}
    command = (f'touch "{EDITED}" && ninja -C "{BUILD}" dlpack-cts dlpack-cts-worker && '
               f'"{PROGRAM}" run numpy --python "{python}" --select "{EDITED_CASES}"; test $? -le 1')
    runs = [timed(["bash", "-c", command], env=uncached) for _ in range(repetitions)]
    figures.add("from the edit of a case to its result on NumPy", statistics.median(run[0] for run in runs), "s", 20,
                note=f"median of {repetitions}; CPU {statistics.median(run[1] for run in runs):.1f} s")


def clean_build_of(tree):
    """Wall seconds and CPU seconds."""
    uncached = {**os.environ, "CCACHE_DISABLE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        command = (f'cmake -S "{tree}" -B "{folder}" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ && '
                   f'ninja -C "{folder}"')
        return timed(["bash", "-c", command], env=uncached, expected=(0,))[:2]


def clean_build(figures):
    seconds, cpu = clean_build_of(ROOT)
    figures.add("clean build, without a compiler cache", seconds, "s", 360, note=f"CPU {cpu:.0f} s")


def measure(options):
    figures = Figures()
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, load {load:.1f} at the start, Linux {platform.release()}")
    if load > (os.cpu_count() or 1):
        print("this machine is busy with other programs: wall times are upper bounds, CPU times are comparable")
    python = interpreter(options.numpy_env, "numpy")
    n = options.repetitions
    slowness = import_rates(figures, python, n)
    # One aim is for the cases without a sweep. With the default sweep a run may take three times as long.
    on_numpy = ["run", "numpy", "--python", str(python), "--out", "OUT"]
    peaks = [wall(figures, "run numpy --sweep 0", [*on_numpy, "--sweep", "0"], 1 * slowness, n),
             wall(figures, "run numpy", on_numpy, 3 * slowness, n)]
    exchange_rates(figures, python, slowness, n)
    sweep_rate(figures, "sweep of the reference, one CPU", ["reference"], n)
    sweep_rate(figures, "sweep of NumPy, one CPU", ["numpy", "--python", str(python)], n)
    campaign_rates(figures, python, slowness, n)
    if options.torch_env is not None:
        torch = interpreter(options.torch_env, "torch")
        on_torch = ["run", "torch", "--python", str(torch), "--out", "OUT"]
        peaks.append(wall(figures, "run torch", on_torch, 10 * slowness, n))
    else:
        print("run torch: not measured; give its environment with --torch-env")
    peaks.append(mutants(figures, slowness))
    figures.add("peak memory of the driver in these runs", max(peaks), "MiB", 64)
    edit_time(figures, python, n)
    if options.clean:
        clean_build(figures)
    if options.json:
        options.json.write_text(json.dumps(figures.rows, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row["met"] is False for row in figures.rows) else 0
