# tests/runner/environment_matrix_test.py: variables, limits, descriptors and signals of the caller do not change a verdict.
import os
import pathlib
import resource
import signal
import tempfile
import unittest

import program

NUMPY = os.environ.get("DLPACK_CTS_TEST_NUMPY_ENV", "")
LIBRARIES = {"reference": (), **({"numpy": ("--python", NUMPY)} if NUMPY else {})}
LEFT = pathlib.Path(tempfile.gettempdir()) / "dlpack-cts-matrix"  # what a variable may make a program write


def limit(which, soft, hard=None):
    return lambda: resource.setrlimit(which, (soft, soft if hard is None else hard))


def ignore(*signals):
    return lambda: [signal.signal(one, signal.SIG_IGN) for one in signals]


def close(*descriptors):
    return lambda: [os.close(one) for one in descriptors]


def open_many():
    for _ in range(700):
        os.set_inheritable(os.open("/dev/null", os.O_RDONLY), True)


def stand_in_a_secret_folder():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.chmod(folder, 0)
    os.rmdir(folder)


# Each row is one run. If it differs, its settings are tried one by one. A setting is a variable, or what a child does.
MATRIX = [
    # Python
    ["PYTHONHASHSEED=7", "PYTHONMALLOC=debug", "PYTHONDEVMODE=1", "PYTHONPATH=/nowhere", "PYTHONHOME=/nowhere", "PYTHONSTARTUP=/nowhere",
     "PYTHONWARNINGS=error", "PYTHONTRACEMALLOC=5", "PYTHONFAULTHANDLER=1", "PYTHONOPTIMIZE=2", "PYTHONVERBOSE=1", "PYTHONUTF8=0",
     "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=ascii", "PYTHONINTMAXSTRDIGITS=0", "PYTHONGIL=0", "PYTHONINSPECT=1",
     "PYTHONPROFILEIMPORTTIME=1", "PYTHONMALLOCSTATS=1", "VIRTUAL_ENV=/nowhere", "CONDA_PREFIX=/nowhere", "PIP_REQUIRE_VIRTUALENV=1"],
    # the C library's heap
    ["MALLOC_PERTURB_=165", "MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=4096", "MALLOC_TRIM_THRESHOLD_=0", "MALLOC_TOP_PAD_=0"],
    ["GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0:glibc.malloc.perturb=85", "MALLOC_CHECK_=3"],
    ["GLIBC_TUNABLES=garbage", "MALLOC_TOP_PAD_=67108864", "LD_BIND_NOW=1", "LD_WARN=1", "LD_LIBRARY_PATH=/nowhere"],
    # what the loader prints
    ["LD_PRELOAD=/nowhere.so", "LD_DEBUG=statistics"],
    ["LD_AUDIT=/nowhere.so", f"LD_DEBUG_OUTPUT={LEFT}", "LD_DEBUG=libs"],
    # language, time, terminal, folders
    ["LC_ALL=C", "LANGUAGE=zz", "TZ=Pacific/Kiritimati", "COLUMNS=1", "LINES=1", "TERM=dumb", "NO_COLOR=1"],
    ["LC_ALL=tr_TR.UTF-8", "LC_NUMERIC=de_DE", "TZ=:garbage", "TERM=", "FORCE_COLOR=1", "HOME=/nowhere", "PATH=/nowhere"],
    # threads, NumPy, test libraries, build systems
    ["OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OMP_WAIT_POLICY=active", "OMP_DISPLAY_ENV=TRUE",
     "NPY_DISABLE_CPU_FEATURES=AVX2", "NUMPY_MADVISE_HUGEPAGE=0", "RC_PARAMS=garbage", "GTEST_REPEAT=-1", "GTEST_FILTER=none",
     "GTEST_SHUFFLE=1", "GTEST_FAIL_FAST=1", f"GTEST_OUTPUT=xml:{LEFT}", "GTEST_STREAM_RESULT_TO=localhost:9",
     "GTEST_BREAK_ON_FAILURE=1", "RUST_BACKTRACE=full"],
    ["OMP_NUM_THREADS=32", "OPENBLAS_NUM_THREADS=32", "OMP_STACKSIZE=4K", "GTEST_TOTAL_SHARDS=3", "GTEST_SHARD_INDEX=1",
     f"GTEST_SHARD_STATUS_FILE={LEFT}", "TEST_TOTAL_SHARDS=3", "TEST_SHARD_INDEX=1", "TESTBRIDGE_TEST_ONLY=none",
     f"XML_OUTPUT_FILE={LEFT}", "CUDA_VISIBLE_DEVICES=", "ASAN_OPTIONS=halt_on_error=1", "RC_PARAMS=seed=7 max_success=0"],
    # the process
    [close(0), close(2), ignore(signal.SIGCHLD, signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1, signal.SIGXFSZ), lambda: os.umask(0o777)],
    [open_many, ignore(signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT), lambda: os.umask(0), lambda: os.nice(19)],
    [lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}), stand_in_a_secret_folder, limit(resource.RLIMIT_CORE, 0),
     lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM, signal.SIGALRM}), f"LONG={'x' * 100000}"],
    # limits that can be raised, or that leave enough
    [limit(resource.RLIMIT_NOFILE, 20, 2000), limit(resource.RLIMIT_AS, 30 << 30, resource.RLIM_INFINITY),
     limit(resource.RLIMIT_DATA, 100 << 20, resource.RLIM_INFINITY), limit(resource.RLIMIT_STACK, 256 << 10, 256 << 10)],
    [limit(resource.RLIMIT_AS, 80_000_000 << 10), limit(resource.RLIMIT_NOFILE, 64), limit(resource.RLIMIT_STACK, resource.RLIM_INFINITY)],
]


def run(library, settings=(), more=("--sweep", 0)):
    variables = dict(setting.split("=", 1) for setting in settings if isinstance(setting, str))
    deeds = [setting for setting in settings if not isinstance(setting, str)]

    def prepare():
        for deed in deeds:
            deed()

    return program.run("run", library, *LIBRARIES.get(library, ()), *more, "--format", "json", environment=variables,
                       preexec_fn=prepare if deeds else None)


def verdicts(ran):
    """A result that could not be read has the status and the complaints in its place."""
    if not ran.out.strip():
        return {"": (ran.status, ran.err[-500:])}
    return {case: line["verdict"] for case, line in program.Results(ran.out).cases.items()}


class Verdicts(unittest.TestCase):
    def test_do_not_depend_on_the_environment(self):
        for library in LIBRARIES:
            usual = run(library)
            self.assertIn(usual.status, (0, 1), usual.err)
            for settings in MATRIX:
                got = run(library, settings)
                if (verdicts(got), got.status) == (verdicts(usual), usual.status):
                    continue
                for setting in settings:
                    with self.subTest(library=library, setting=setting):
                        alone = run(library, [setting])
                        self.assertEqual(verdicts(alone), verdicts(usual), alone.err[-500:])
                self.fail(f"{library} has other verdicts with all of {settings}: {got.err[-500:]}")


class AShortage(unittest.TestCase):
    """The library is not blamed, and one sentence says what is missing."""

    def assert_refused(self, ran, *words):
        self.assertEqual((ran.status, len(ran.complaints())), (2, 1), ran.err)
        for word in words:
            self.assertIn(word, ran.err)
        if ran.out.strip():
            blamed = {"FAIL", "CRASH", "TIMEOUT", "LEAK", "UNSAFE", "WARN"} & set(verdicts(ran).values())
            self.assertEqual(blamed, set())

    def test_of_address_space(self):
        for bytes_ in (20_000_000 << 10, 40_000_000 << 10):
            for library in LIBRARIES:
                with self.subTest(library, bytes_=bytes_):
                    self.assert_refused(run(library, [limit(resource.RLIMIT_AS, bytes_)]), "address space", "ulimit -v")

    def test_of_writable_memory(self):
        self.assert_refused(run("reference", [limit(resource.RLIMIT_DATA, 100_000 << 10)]), "writable memory", "ulimit -d")

    def test_of_descriptors(self):
        for files in range(6, 33, 2):
            ran = run("reference", [limit(resource.RLIMIT_NOFILE, files)])
            self.assert_refused(ran, "ulimit -n")

    def test_of_processes(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become a user that has no other processes")
        user = 60000 + os.getpid() % 5000
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            installed, _ = program.install(folder)
            folder.chmod(0o777)

            def run_with(processes, *arguments):
                arguments = arguments or ("run", "reference-native", "-j", 1, "--format", "json")
                return program.run(*arguments, "--select", "c-abi/flags/*", environment={"TMPDIR": name},
                                   program_path=str(installed), user=user, group=user, extra_groups=[],
                                   preexec_fn=limit(resource.RLIMIT_NPROC, processes))

            usual = run_with(200)
            self.assertEqual((usual.status, "PASS" in verdicts(usual).values()), (0, True), usual.err)
            for processes in (1, 2, 4, 8, 13, 15, 16, 17):
                with self.subTest(processes=processes):
                    ran = run_with(processes)
                    if processes > 13 and ran.status == 0:
                        self.assertEqual(verdicts(ran), verdicts(usual))
                    else:
                        self.assert_refused(ran, "ulimit -u")
            for processes in (2, 3, 4, 6):
                with self.subTest(mutants=processes):
                    self.assert_refused(run_with(processes, "mutants", "truncates-major"), "ulimit -u")

    def test_in_a_case_costs_that_case(self):
        case = "c-abi/strides/any-layout-is-honoured"
        ran, results = program.judge("always:take_the_address_space", select=(case, "c-abi/flags/*"),
                                     preexec_fn=limit(resource.RLIMIT_AS, 80_000_000 << 10))
        self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (2, 1, 1), ran.err)
        message = "could not run: the memory for a large tensor cannot be reserved: Cannot allocate memory"
        self.assertEqual((results.cases[case]["verdict"], results.cases[case]["message"]), ("SKIP", message))
        self.assertNotIn("CRASH", results.footer["counts"])


class AVariableOfRust(unittest.TestCase):
    ADAPTER = "import os, sys\nprint(os.environ.get('RUST_BACKTRACE'), os.environ.get('OWN'), file=open(os.environ['SEEN'], 'a'))\n"

    def test_is_0_unless_the_user_keeps_it(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "library.toml").write_text(
                'name = "mine"\nkind = "python"\nroles = ["consumer"]\n[environment]\nOWN = "1"\n')
            (folder / "adapter.py").write_text(
                self.ADAPTER + (program.TESTS / "python" / "toy_adapter" / "adapter.py").read_text())
            seen = folder / "seen"
            for more, variables, expected, added in (
                    ((), {"RUST_BACKTRACE": "full"}, "0 1", {"OWN": "1", "RUST_BACKTRACE": "0"}),
                    ((), {"OWN": "2"}, "0 2", {"RUST_BACKTRACE": "0"}),
                    (("--keep-environment",), {"RUST_BACKTRACE": "full"}, "full 1", {"OWN": "1"})):
                seen.write_text("")
                ran = program.run("run", "mine", "--adapter", folder, "--select", "c-abi/flags/copy-*", "--examples", 2,
                                  "--format", "json", *more, environment={**variables, "SEEN": str(seen)})
                self.assertEqual(set(seen.read_text().splitlines()), {expected})
                results = program.Results(ran.out)
                self.assertEqual(results.header["variables"], added)
                self.assertEqual("--keep-environment" in results.lines[0]["replay"], bool(more))


class ACase(unittest.TestCase):
    """The library ends its fork server. Another worker has to run what is left."""

    def judge(self, misdeed):
        return program.judge(misdeed, select=("c-abi/flags/*", "c-abi/version/*"), more=("-j", 1))

    def test_without_a_worker_is_not_blamed_on_the_library(self):
        ran, results = self.judge("leave_no_folder")
        self.assertEqual((ran.status, len(ran.complaints())), (2, 1), ran.err)
        found = [line["verdict"] for line in results.lines]
        self.assertEqual(found.count("CRASH"), 1)
        left = results.lines[found.index("CRASH") + 1:]
        self.assertGreater(len(left), 3)
        for line in left:
            self.assertEqual((line["verdict"], line["message"][:27]), ("SKIP", "could not run: the job file"))

    def test_runs_although_the_library_removed_the_worker_s_folder(self):
        ran, results = self.judge("need_another_folder")
        usual, expected = self.judge("kill_its_parent")
        self.assertEqual((ran.status, ran.complaints()), (usual.status, []))
        self.assertEqual([line["verdict"] for line in results.lines], [line["verdict"] for line in expected.lines])


if __name__ == "__main__":
    unittest.main()
