# tests/bench/import_rate_test.py: import_rate measures the reference, and stops with an error on a wrong library.
"""Usage: import_rate_test.py IMPORT_RATE. Skipped where this interpreter has no libpython."""
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
LIBPYTHON = os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or "")
SKIP = 77
# It takes every tensor and shows another array.
TOY = """class Array:
    pass


def from_dlpack(obj):
    obj.__dlpack__(max_version=(1, 3))
    return Array()


def describe(array):
    return 0, (), (), "float32", (1, 0), True


def values(array):
    return b""


def version():
    return "1"
"""


def bench(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=100)


def rate(library, adapter):
    return bench(sys.executable, LIBPYTHON, library, adapter, "--benchmark_min_time=0.02", "--benchmark_format=json",
                 "--benchmark_filter=import_property")


class ImportRate(unittest.TestCase):
    def test_counts_properties_of_the_reference(self):
        run = rate("reference", "")
        self.assertEqual(run.returncode, 0, run.stderr)
        entry, = json.loads(run.stdout)["benchmarks"]
        self.assertNotIn("error_occurred", entry)
        self.assertGreater(entry["items_per_second"], 100)

    def test_counts_nothing_where_an_import_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "adapter.py").write_text(TOY, encoding="utf-8")
            run = rate("toy", folder)
        entry, = json.loads(run.stdout)["benchmarks"]
        self.assertTrue(entry["error_occurred"], run.stdout)
        self.assertIn('{"format":2', entry["error_message"])

    def test_wrong_arguments_get_a_hint(self):
        for arguments, what in (((), "arguments"), ((sys.executable, "/nowhere.so", "reference", ""), "nowhere"),
                                ((sys.executable, LIBPYTHON, "toy", "/nowhere"), "nowhere")):
            run = bench(*arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, rf"dlpack-cts: .*{what}.*\n  hint: .+")


if __name__ == "__main__":
    if not os.path.exists(LIBPYTHON):
        print(f"there is no {LIBPYTHON}")
        sys.exit(SKIP)
    unittest.main()
