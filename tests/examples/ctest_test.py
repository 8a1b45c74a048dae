# tests/examples/ctest_test.py: a project tests its plug-in with ctest and an installed dlpack-cts, while the tree is hidden.
"""Usage: ctest_test.py CMAKE BUILD_FOLDER SOURCE_FOLDER."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CMAKE, BUILD, SOURCE = sys.argv[1:4]
CTEST = str(pathlib.Path(CMAKE).with_name("ctest"))

PROJECT = """cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES NONE)
find_package(dlpack-cts 0.1 REQUIRED)
enable_testing()
%s
"""


def done(*command, **options):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **options)


def hidden(*command):
    """Runs the command where the source tree, and the build folder in it, are empty."""
    unshared = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', SOURCE, *command]
    probe = done("unshare", "--mount", "true")
    return done(*(unshared if probe.returncode == 0 else command), cwd="/")


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        first = cls.folder / "first"
        ran = done(CMAKE, "--install", BUILD, "--component", "program", "--prefix", first)
        assert ran.returncode == 0, ran.stdout
        cls.prefix = cls.folder / "moved"  # the folder may be moved
        first.rename(cls.prefix)

    def configured(self, name, source):
        build = self.folder / (name + "-build")
        ran = hidden(CMAKE, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Debug")
        return build, ran

    def project(self, name, text):
        source = self.folder / name
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT % text)
        return self.configured(name, source)

    def results_of(self, build, *more):
        report = build / "junit.xml"
        ran = hidden(CTEST, "--test-dir", build, "--output-junit", report, *more)
        cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
        return ran, {case.get("name"): case.get("status") for case in cases}

    def test_judges_a_plug_in_suite_by_suite(self):
        source = self.folder / "tiny"
        shutil.copytree(pathlib.Path(SOURCE) / "examples" / "cpp-plugin", source)
        build, ran = self.configured("tiny", source)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(hidden(CMAKE, "--build", build).returncode, 0)
        ran, tests = self.results_of(build)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual((tests["tiny.c-abi"], tests["tiny.robustness"], tests["tiny.python"]), ("run", "run", "notrun"), tests)
        self.assertTrue((build / "dlpack-cts" / "tiny.c-abi" / "index.html").is_file())

    def test_fails_with_a_defect_of_the_library(self):
        source = self.folder / "broken"
        shutil.copytree(pathlib.Path(SOURCE) / "examples" / "cpp-plugin", source)
        code = (source / "exchange.cc").read_text()
        self.assertIn("byte_offset", code)
        (source / "exchange.cc").write_text(code.replace(" + source.byte_offset", ""))
        self.assertNotEqual((source / "exchange.cc").read_text(), code)
        build, ran = self.configured("broken", source)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(hidden(CMAKE, "--build", build).returncode, 0)
        ran, tests = self.results_of(build, "-R", "c-abi", "--output-on-failure")
        self.assertEqual(tests, {"tiny.c-abi": "fail"}, ran.stdout)
        self.assertIn("byte_offset", ran.stdout)

    def test_has_a_test_for_each_case_with_labels(self):
        build, ran = self.project("cases", "dlpack_cts_discover_tests(NAME ref LIBRARY reference PYTHON %s\n"
                                  "  SELECT c-abi/flags/copy-is-flagged cuda/order/* LABELS mine OPTIONS --examples 10)"
                                  % sys.executable)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        ran, tests = self.results_of(build, "-L", "mine", "-R", "c-abi")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(tests, {"ref.c-abi/flags/copy-is-flagged": "run"})
        listed = done(CTEST, "--test-dir", build, "-N", "-L", "cuda").stdout
        self.assertIn("ref.cuda/order/", listed)
        self.assertNotIn("ref.c-abi/", listed)

    def test_complains_in_one_sentence(self):
        for number, (call, words) in enumerate({
                "dlpack_cts_add_test(LIBRARY reference)": "NAME is missing",
                "dlpack_cts_add_test(NAME x)": "name a LIBRARY",
                "dlpack_cts_add_test(NAME x LIBRARY reference SELECT nothing/*)": "no case of dlpack-cts matches",
                "dlpack_cts_add_test(NAME x LIBRARY reference COLOUR red)": "unknown arguments",
        }.items()):
            _, ran = self.project("wrong%d" % number, call)
            self.assertNotEqual(ran.returncode, 0, call)
            self.assertIn(words, " ".join(ran.stdout.split()))


if __name__ == "__main__":
    os.umask(0o22)
    unittest.main(argv=sys.argv[:1])
