# tests/examples/cuda_plugin_test.py: examples/cuda-plugin builds alone, passes on the fake driver, and its defects are reported.
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
import program  # noqa: E402

DRIVER = os.environ["FAKE_CUDA_DRIVER"]
EXAMPLE = program.TESTS.parent / "examples" / "cuda-plugin"
# The case that must report each defect, its rule and its verdict.
DEFECTS = {
    "does-not-wait": ("explicit-stream-comes-behind-pending-work", "CUDA-STREAM-01", "FAIL"),
    "orders-the-default-stream": ("explicit-stream-comes-behind-pending-work", "CUDA-STREAM-06", "FAIL"),
    "copies-on-its-own-stream": ("copies-run-on-the-consumers-stream", "CUDA-STREAM-15", "NOTE"),
}


class TheExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.build = str(pathlib.Path(cls.folder.name) / "tiny-cuda")
        for command in (["-S", str(EXAMPLE), "-B", cls.build], ["--build", cls.build]):
            subprocess.run([os.environ.get("CMAKE", "cmake"), *command], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def cases(self, defect, select):
        ran, results = program.judge(adapter=self.build, select=[select], timeout=10, environment={
            "LD_LIBRARY_PATH": DRIVER, "TINY_CUDA_DEFECT": defect})
        self.assertIsNotNone(results, ran.err)
        return results.cases

    def test_is_accused_of_nothing(self):
        cases = self.cases("", "cuda/*")
        accused = {case: line["message"] for case, line in cases.items()
                   if line["verdict"] not in ("PASS", "NOTE", "SKIP", "BLOCKED")}
        self.assertEqual(accused, {})
        for case in {"cuda/order/" + case for case, *_ in DEFECTS.values()}:
            self.assertEqual(cases[case]["verdict"], "PASS", case)

    def test_is_reported_with_each_defect(self):
        for defect, (name, rule, verdict) in DEFECTS.items():
            with self.subTest(defect):
                line = self.cases(defect, "cuda/order/" + name)["cuda/order/" + name]
                self.assertEqual((line["rule"], line["verdict"]), (rule, verdict), line["message"])

    def test_is_a_part_of_the_run_on_a_device(self):
        script = program.TESTS.parent / "scripts" / "on_device.sh"
        with tempfile.TemporaryDirectory() as out:
            ran = subprocess.run([script, "--parts", "example", "--program", program.PROGRAM, "--out", out], text=True,
                                 capture_output=True, timeout=170, env={**os.environ, "LD_LIBRARY_PATH": DRIVER})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        parts = ran.stdout.split("-- defect: ")[1:]
        self.assertEqual([part.split()[0] for part in parts], ["none", *DEFECTS])
        self.assertNotIn("FAIL", parts[0])
        for part, (case, rule, verdict) in zip(parts[1:], DEFECTS.values()):
            self.assertRegex(part, rf"{verdict} .*{case}")


if __name__ == "__main__":
    unittest.main()
