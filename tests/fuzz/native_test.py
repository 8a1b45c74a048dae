# tests/fuzz/native_test.py: native plug-ins as subjects of dlpack-cts-fuzz; the coverage of an instrumented one guides it.
"""Usage: DLPACK_CTS=path native_test.py. Skipped where the program is not built (it needs clang)."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import tomllib
import unittest

import built

TREE = pathlib.Path(__file__).resolve().parents[2]
BEFORE = "  tensor.first = static_cast<uint8_t*>(source.data) + source.byte_offset;\n"
DEFECT = BEFORE + """  if (source.ndim == 4) {
    if (source.dtype.bits == 16) {
      if (source.byte_offset >= 6) tensor.first -= 2;
    }
  }
"""


class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def build(self, defect="", flags="-fsanitize=fuzzer-no-link", name="tiny", part=BEFORE):
        """Builds a copy of the example, with `defect` in the place of `part`. Returns the plug-in."""
        copy = self.out / name
        shutil.copytree(TREE / "examples/cpp-plugin", copy)
        text = (copy / "exchange.cc").read_text()
        self.assertIn(part, text)
        (copy / "exchange.cc").write_text(text.replace(part, defect or part))
        for command in (["-S", copy, "-B", copy / "build", "-DCMAKE_CXX_COMPILER=clang++-19",
                         f"-DCMAKE_CXX_FLAGS={flags}", f"-DDLPACK_CTS_PLUGIN_H_DIR={TREE / 'subject'}"],
                        ["--build", copy / "build"]):
            run = subprocess.run(["cmake", *command], text=True, capture_output=True, check=False, timeout=120)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return copy / "build/libtiny-plugin.so"

    def fuzz(self, target, seconds, program=None, **variables):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DLPACK_CTS_FUZZ_")}
        environment.update({f"DLPACK_CTS_FUZZ_{key}": str(value) for key, value in variables.items()})
        corpus = self.out / "corpus"
        corpus.mkdir(exist_ok=True)
        return subprocess.run([program or built.fuzz_program(), corpus, TREE / "corpus" / target,
                               f"-max_total_time={seconds}", "-seed=1", f"-artifact_prefix={self.out}/"], text=True,
                              errors="replace", capture_output=True, check=False, timeout=120, env=environment)

    def tiny(self, plugin):
        return {"LIBRARY": "tiny", "KIND": "native", "ADAPTER": plugin}

    def test_a_defect_behind_three_conditions_is_found_and_replays(self):
        finding = self.out / "finding.json"
        plugin = self.build(DEFECT)
        run = self.fuzz("import", 60, TARGET="import", FINDING=finding, **self.tiny(plugin))
        self.assertNotEqual(run.returncode, 0, run.stderr[-2000:])
        self.assertRegex(run.stderr, r"\nFAIL C-(DATA-01|STRIDES|LAYOUT).*: ")
        recipe = json.loads(finding.read_text())["recipe"]
        self.assertEqual(len(recipe["offers"][0]["shape"]), 4)
        # An instrumented plug-in can only be loaded by a fuzzing engine, so an ordinary build replays the finding.
        ordinary = self.build(DEFECT, "", "ordinary").parent
        again = subprocess.run([built.PROGRAM, "replay", finding, "--adapter", ordinary], text=True, capture_output=True, check=False, timeout=60)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_headers_of_any_bytes_find_what_a_reader_trusts(self):
        finding = self.out / "finding.json"
        for reader in tomllib.loads((TREE / "tests/fuzz/readers.toml").read_text())["reader"]:
            with self.subTest(reader=reader["name"]):
                plugin = self.build(reader["wrong"], name=reader["name"], part=reader["part"])
                run = self.fuzz("header", 30, TARGET="header", FINDING=finding, **self.tiny(plugin))
                self.assertNotEqual(run.returncode, 0, run.stderr[-2000:])
                self.assertRegex(run.stderr, reader["shows"])

    def test_a_correct_reader_survives_headers_of_any_bytes(self):
        run = self.fuzz("header", 5, TARGET="header", **self.tiny(self.build()))
        self.assertEqual(run.returncode, 0, run.stderr[-2000:])
        self.assertRegex(run.stderr, r"Done \d+ runs")

    def test_a_finding_of_a_header_replays(self):
        finding = self.out / "finding.json"
        readers = tomllib.loads((TREE / "tests/fuzz/readers.toml").read_text())["reader"]
        for reader in (readers[0], readers[-1]):
            with self.subTest(reader=reader["name"]):
                plugin = self.build(reader["wrong"], name=reader["name"], part=reader["part"])
                self.fuzz("header", 30, TARGET="header", FINDING=finding, **self.tiny(plugin))
                ordinary = self.build(reader["wrong"], "", f"ordinary-{reader['name']}", reader["part"]).parent
                again = subprocess.run([built.PROGRAM, "replay", finding, "--adapter", ordinary], text=True, capture_output=True,
                                       check=False, timeout=60)
                self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_the_bench_finds_a_planted_defect_in_each_way(self):
        table = self.out / "figures.json"
        run = subprocess.run([TREE / "bench/fuzz.sh", "--defects", "reversed-rows", "--seeds", "1", "--runs", "30000", "--sample", "0",
                              "--json", table], text=True, capture_output=True, check=False, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        (defect,) = json.loads(table.read_text())
        self.assertEqual(len(defect["exchanges"]), 4)
        for way, counts in defect["exchanges"].items():
            self.assertLess(0, counts[0] or 0, way)

    def test_an_executable_finds_its_settings_beside_itself(self):
        plugin = self.build()
        (self.out / "tiny.settings").write_text(f"KIND=native\nADAPTER={plugin.relative_to(self.out)}\n")
        for target in ("import", "export", "header"):
            with self.subTest(target=target):
                program = pathlib.Path(shutil.copy(built.fuzz_program(), self.out / f"{target}_tiny"))
                run = self.fuzz(target, 3, program)
                self.assertEqual(run.returncode, 0, run.stderr[-2000:])
                self.assertRegex(run.stderr, r"Done \d+ runs")

    def test_the_reference_without_python(self):
        for target in ("import", "export", "header"):
            run = self.fuzz(target, 2, TARGET=target, KIND="reference-native")
            self.assertEqual(run.returncode, 0, run.stderr[-2000:])
        run = self.fuzz("import", 30, TARGET="import", KIND="reference-native", MUTANT="ignores-strides")
        # Elements that share memory, read as if they did not: the wrong value or the read behind it comes first.
        self.assertRegex(run.stderr, r"\n(FAIL C-STRIDES|UNSAFE C-DATA-11)")

    def test_a_file_that_is_not_a_plug_in_gets_a_hint(self):
        run = self.fuzz("import", 1, TARGET="import", **self.tiny(self.out / "none.so"))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertRegex(run.stderr, r"dlpack-cts: .*none\.so")


if __name__ == "__main__":
    built.main()
