# tests/runner/bad_input_test.py: every user error gives one clear message, one hint and the correct exit status.
import json
import os
import pathlib
import shutil
import tempfile
import unittest

import program

TOY = ("run", "misbehaving", "--adapter", program.TOY)
QUICK = (*TOY, "--seed", 1, "--examples", 3, "--select", "c-abi/flags/unknown-*")
GOOD_LIBRARY = 'name = "mine"\nkind = "python"\nroles = ["consumer"]\n'
TOY_SOURCE = (program.TESTS / "python" / "toy_adapter" / "adapter.py").read_text()


class Complaints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def complains(self, arguments, about, hint="", status=2, **options):
        """One complaint, one hint, no trace of ours."""
        ran = program.run(*arguments, **options)
        with self.subTest(" ".join(map(str, arguments)), err=ran.err[-2000:]):
            self.assertEqual(ran.status, status)
            complaints = [line for line in ran.complaints() if "making an environment" not in line]
            self.assertEqual(len(complaints), 1)
            self.assertIn(about, complaints[0])
            self.assertEqual(len(ran.hints()), 1)
            self.assertIn(hint, ran.hints()[0])
            self.assertLess(len(complaints[0]), 700)
            for word in ("nlohmann", "json.exception", "std::", "terminate", ".cc:", "bug in dlpack-cts"):
                self.assertNotIn(word, ran.err)
        return ran

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text) if isinstance(text, bytes) else file.write_text(text)
        return file


class TheCommandLine(Complaints):
    def test_names_the_commands(self):
        self.complains([], "a command is missing", "run, interop, list")
        self.complains(["rnu"], "there is no command rnu", "did you mean")
        self.complains(["frobnicate"], "there is no command frobnicate", "run, interop, list")
        self.complains(["--bogus"], "there is no option --bogus", "--help")

    def test_names_the_command_whose_argument_is_wrong(self):
        self.complains(["run", "--bogus"], "run: The following argument was not expected: --bogus", "run --help")
        self.complains(["run", "--seed", "abc"], "--seed")
        self.complains(["run", "--seed", "-1"], "--seed")
        self.complains(["run", "--seed"], "--seed")
        for option in ("--examples", "--timeout", "--memory", "-j"):
            for value in ("0", "-3", "x", "1e400", "nan", ""):
                self.complains(["run", option, value], option.lstrip("-"))
        for value in ("1.5", "1e2", "99999999999"):
            self.complains(["run", "-j", value], f"-j: {value} is not a whole number from 1 to 999999999", "run --help")
        self.complains(["run", "--timeout", "1e9"], "--timeout: 1e9 is not a number above 0 and below 1000000000")
        for arguments in (["run", ""], ["run", "--out", ""], ["run", "--python", ""], ["run", "--expectations", ""],
                          ["run", "--adapter", ""], ["report", ""], ["replay", ""], ["explain", ""], ["list", ""]):
            self.complains(arguments, "the value must not be empty", f"{arguments[0]} --help")
        self.complains(["run", "--format", "xml"], "xml", "run --help")
        for command in ("run", "interop", "replay", "report"):
            self.complains([command, "x", "--color", "red"], "red not in {auto,always,never}", f"{command} --help")
        self.complains(["run", "--role", "owner"], "owner")
        self.complains(["run", "--level", "high"], "high")
        self.complains(["list"], "list: WHAT is required", "list --help")
        self.complains(["explain"], "ID is required")
        self.complains(["report"], "RESULTS is required")
        self.complains(["replay"], "FILE is required")
        self.complains(["env", "create"], "LIBRARY is required")
        self.complains(["fuzz"], "is required", "fuzz --help")
        self.complains(["mutants", "--colour"], "--colour", "mutants --help")

    def test_knows_its_lists_verbs_and_targets(self):
        self.complains(["list", "rule"], "there is no list of rule", "rules, cases, libraries, mutants, choices, freedoms, homes, coordinates and targets")
        self.complains(["env", "delete", "numpy"], "env has no verb delete", "create, path, list and remove")
        self.complains(["env", "list", "numpy"], "env list takes no library", "all environments")
        self.complains(["env", "remove", "nothing"], "there is no environment of nothing")
        self.complains(["env", "path", "reference-native"], "native")
        self.complains(["fuzz", "outport", "numpy"], "there is no fuzz target outport", "import")

    def test_suggests_the_nearest_name(self):
        self.complains(["mutants", "no-such-mutant"], "no mutant matches no-such-mutant")
        self.complains(["run", "nmupy"], "no adapter for the library nmupy", "did you mean cupy, numpy?")
        self.complains(["run", "zzzzzzzz"], "no adapter for the library zzzzzzzz", "cuda-core, cupy, cute-dsl")
        self.complains(["interop", "reference", "refrence"], "no adapter for the library refrence", "reference")
        self.complains(["explain", "C-STRIDE-01"], "called C-STRIDE-01", "C-STRIDES-01")
        self.complains(["explain", "zzzzzzzz"], "called zzzzzzzz", "list rules")
        self.complains([*TOY, "--select", "c-abi/flags/unknown-flag-is-noticed"], "no case matches",
                       "c-abi/flags/unknown-flags-are-noticed")
        self.complains([*TOY, "--select", "zzzzzzzz"], 'no case matches "zzzzzzzz"', "list cases")
        self.complains(["run", "--select", "c-abi/*", "reference"], 'no case matches "reference"', "before --select")
        self.complains([*TOY, "--select", "c-abi/flags/*", "--select", ""], "--select: the value must not be empty")

    def test_an_adapter_without_a_name_judges_its_own_library(self):
        ran = program.run("run", "--adapter", program.TOY, *QUICK[4:], "--select", "c-abi/strides/null-means-row-major", "--format", "json")
        self.assertEqual(ran.status, 0, ran.err)
        self.assertIn('"library":"misbehaving"', ran.out.replace(" ", ""))

    def test_takes_one_folder_for_an_adapter(self):
        for arguments in (("run", "--adapter", program.TOY, *QUICK[1:2], *QUICK[4:]),
                          ("run", *QUICK[4:], "--adapter", program.TOY, "misbehaving"),
                          ("run", "--pythonpath", self.folder, *QUICK[1:])):
            ran = program.run(*arguments, "--format", "json")
            self.assertEqual((ran.status, ran.complaints()), (0, []), ran.err)
            self.assertEqual(program.Results(ran.out).header["library"], "misbehaving")
        self.complains(["run", "--adapter"], "--adapter", "run --help")
        self.complains(["run", "--adapter", program.TOY, "--adapter", "/nowhere"], "/nowhere holds no library.toml")

    def test_says_when_nothing_is_left_to_run(self):
        self.complains([*TOY, "--select", "c-abi/flags/unknown-flags-are-noticed", "--role", "producer"],
                       "leave no case to run", "--role")
        self.complains(["interop", "reference"], "at least two libraries", "interop numpy torch")

    def test_takes_a_version_only_where_one_can_be_chosen(self):
        self.complains(["run", "numpy=="], "numpy== does not name a version", "numpy==")
        self.complains(["run", "misbehaving==9", "--adapter", program.TOY], "does not pin a package", "--python")


class AnEnvironment(Complaints):
    def test_is_a_folder_or_an_interpreter(self):
        for path in ("/nowhere", self.folder):
            self.complains([*QUICK, "--python", path], "there is no interpreter at", "bin/python")
        file = self.write("text", "no program")
        file.chmod(0o755)
        for path in (file, "/bin/sh", "/bin/true", "no-such-program"):
            self.complains([*QUICK, "--python", path], "is not a working Python interpreter", "bin/python")

    def test_is_extended_by_folders_that_exist(self):
        self.complains([*QUICK, "--pythonpath", "/nowhere"], "there is no folder /nowhere", "--pythonpath")

    def test_has_the_library(self):
        self.write("library.toml", GOOD_LIBRARY)
        self.write("adapter.py", "import dlpack_cts_no_such_library\n")
        self.complains(["run", "mine", "--adapter", self.folder],
                       "mine: the module dlpack_cts_no_such_library, which its adapter imports, is not installed in /",
                       "install the library there")

    def test_has_the_version_that_was_asked_for(self):
        self.write("library.toml", GOOD_LIBRARY + 'requirements = ["mine==1.0"]\n')
        self.write("adapter.py", TOY_SOURCE)
        ran = self.complains(["run", "mine==3.1", "--adapter", self.folder, "--python", "python3"],
                             "the environment holds mine 1.0, not 3.1", "==3.1")
        self.assertEqual(ran.out, "")

    def test_is_kept_where_somebody_may_write(self):
        self.write("library.toml", GOOD_LIBRARY + 'requirements = ["mine==1.0"]\n')
        self.write("adapter.py", TOY_SOURCE)
        self.complains(["run", "mine", "--adapter", self.folder], "/proc/nowhere", "DLPACK_CTS_CACHE",
                       environment={"DLPACK_CTS_CACHE": "/proc/nowhere"})

    def test_needs_a_folder_for_temporary_files(self):
        self.complains(QUICK, "/nowhere", "TMPDIR", environment={"TMPDIR": "/nowhere"})
        self.complains(QUICK, "/proc", "TMPDIR", environment={"TMPDIR": "/proc"})


class AnAdapter(Complaints):
    def adapter(self, source=TOY_SOURCE, library=GOOD_LIBRARY):
        self.write("library.toml", library)
        # Python takes a file of the same size and second for the one that it has compiled.
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        if source is not None:
            self.write("adapter.py", source)
        return ("run", "mine", "--adapter", self.folder, "--select", "c-abi/flags/*")

    def test_has_a_path_that_json_can_hold(self):
        folder = os.path.join(os.fsencode(self.folder), b"caf\xe9")
        shutil.copytree(os.fsencode(program.TOY), folder)
        odd = os.fsdecode(folder)
        for arguments in (("run", "misbehaving", "--adapter", odd), ("list", "libraries", "--adapter", odd),
                          (*QUICK, "--pythonpath", odd), (*QUICK, "--python", odd + "/bin/python")):
            with self.subTest(arguments[-2]):
                ran = program.run(*arguments)
                self.assertEqual(ran.status, 2, ran.err)
                self.assertEqual(len(ran.complaints()), 1, ran.err)
                self.assertIn("has a path that is not UTF-8: ", ran.complaints()[0])
                self.assertIn("caf\\xe9", ran.complaints()[0])
                self.assertEqual(len(ran.hints()), 1, ran.err)

    def test_has_a_library_toml(self):
        self.complains(["run", "mine", "--adapter", self.folder], "holds no library.toml", "docs/adapters.md")
        self.complains(["run", "mine", "--adapter", "/nowhere"], "/nowhere holds no library.toml")
        self.complains(["list", "libraries", "--adapter", "/nowhere"], "/nowhere holds no library.toml")

    def test_has_a_library_toml_that_can_be_read(self):
        wrong = {
            "name = ": ":1: ",
            "name = 3": ':1: the field "name" is not a string',
            'name = "a b"\n': ':1: the field "name" is "a b", which is not a valid name',
            'name = ""\n': ':1: the field "name" is "", which is not a valid name',
            'name = "../up"\n': ':1: the field "name" is "../up", which is not a valid name',
            'name = "mine"\nkind = "snake"\n': ':2: the field "kind" is "snake", which is neither',
            'name = "mine"\nkind = "python"\n': 'the field "roles" must name "consumer"',
            'name = "mine"\nkind = "python"\nroles = ["owner"]\n': ":3: the field \"roles\" names the unknown role owner",
            'name = "mine"\nkind = "python"\nroles = "consumer"\n': ':3: the field "roles" is not a list',
            GOOD_LIBRARY + "requirements = [1]\n": ':4: the field "requirements" is not a list of strings',
            GOOD_LIBRARY + 'fork_safe = "yes"\n': ':4: the field "fork_safe" is neither true nor false',
            GOOD_LIBRARY + 'size_mb = "big"\n': ':4: the field "size_mb" is not an integer',
            GOOD_LIBRARY + "environment = 3\n": ':4: the field "environment" is not a table',
            GOOD_LIBRARY + "[environment]\nA = 3\n": "gives A a value that is not a string",
            GOOD_LIBRARY + '[environment]\n"A=B" = "c"\n': ':4: the field "environment" gives a variable the name "A=B"',
            GOOD_LIBRARY + '[environment]\n"" = "c"\n': ':4: the field "environment" gives a variable the name ""',
            GOOD_LIBRARY + '[environment]\n"A\\u0000B" = "c"\n': 'gives a variable the name "A\\x00B"',
            GOOD_LIBRARY + f'[environment]\n{"A" * 101} = "c"\n': "gives a variable the name",
            GOOD_LIBRARY + '[environment]\nA = "b\\u0000c"\n': ':5: the field "A" holds a NUL character',
            GOOD_LIBRARY + f'[environment]\nA = "{"b" * 200_000}"\n': ':5: the field "A" has 200000 bytes',
            GOOD_LIBRARY + f'requirements = ["{"b" * 200_000}"]\n': ':4: the field "requirements" has 200000 bytes',
            GOOD_LIBRARY + 'python = ["3.11\\u0000"]\n': ':4: the field "python" holds a NUL character',
            f'name = "{"a" * 300}"\n': "which is not a valid name",
            'name = "mine"\nkind = "native"\nroles = ["consumer"]\n': 'the field "plugin" is missing',
            b"\xff\xfe\x00": ":1: ",
        }
        for text, about in wrong.items():
            self.write("library.toml", text)
            self.complains(["run", "mine", "--adapter", self.folder], about)
        self.write("library.toml", GOOD_LIBRARY + 'colour = "red"\n')
        self.complains(["run", "mine", "--adapter", self.folder], ':4: the field "colour" is unknown', "roles, claims")

    def test_claims_what_exists(self):
        self.complains(self.adapter(library=GOOD_LIBRARY + 'claims = ["flying"]\n'),
                       'library.toml: there is no claim "flying"', "capsule_input")

    def test_names_a_plug_in_that_is_there(self):
        library = 'name = "mine"\nkind = "native"\nroles = ["consumer"]\nplugin = "libmine.so"\n'
        self.complains(self.adapter(library=library), "libmine.so", "build it")
        self.write("libmine.so", "no library")
        self.complains(self.adapter(library=library), "libmine.so")

    def test_supports_an_interpreter_that_is_there(self):
        self.complains(self.adapter(library=GOOD_LIBRARY + 'python = ["2.7"]\n'), "no interpreter that mine supports",
                       "--python")

    def test_is_there_and_can_be_imported(self):
        self.complains(self.adapter(source=None), "has no readable adapter.py", "docs/adapters.md")
        ran = self.complains(self.adapter("def from_dlpack(:\n"), "has a syntax error: SyntaxError", "fix the line")
        self.assertIn("adapter.py\", line 1", ran.err)
        self.complains(self.adapter(b"name = '\xff'\n"), "has a syntax error: SyntaxError")
        self.complains(self.adapter("raise RuntimeError('out of order')\n"),
                       "could not be imported: RuntimeError: out of order", "traceback")
        self.complains(self.adapter("raise SystemExit(0)\n"), "could not be imported: SystemExit")
        for source, complaint in (("import ctypes\nctypes.CDLL('libnone.so')", "adapter.py could not be imported: "),
                                  ("import importlib\nimportlib.import_module('nowhere')", "the module nowhere, which its adapter imports"),
                                  ("exec('1 +')", "adapter.py has")):
            self.complains(self.adapter(source + "\n"), complaint)

    def test_is_not_to_blame_for_errors_in_its_library(self):
        errors = {
            "def broken(:\n": "SyntaxError: ",
            b"name = '\xff'\n": "SyntaxError: ",
            "import nowhere\n": "ModuleNotFoundError: No module named 'nowhere'",
            "from json import nothing\n": "ImportError: cannot import name 'nothing'",
            "import ctypes\nctypes.CDLL('libnone.so')\n": "OSError: libnone.so",
            "import json\njson.nothing\n": "AttributeError: module 'json'",
            "import json\njson.loads('{')\n": "JSONDecodeError: ",
            "import sys\nsys.exit(1)\n": "SystemExit: 1",
            "exec('1 +')\n": "SyntaxError: ",
        }
        for source, about in errors.items():
            shutil.rmtree(self.folder / "path", ignore_errors=True)
            library = self.write("path/mylib/__init__.py", source)
            for fork in ("", "fork_safe = false\n") if "ImportError" in about else ("",):
                arguments = self.adapter("import mylib\n" + TOY_SOURCE, GOOD_LIBRARY + fork)
                self.complains([*arguments, "--pythonpath", self.folder / "path"],
                               f"the library could not be imported: {library}, which belongs to the library and not to the adapter, raised {about}",
                               "import the library alone" if "Import" not in about and "Module" not in about else "install what the library needs")

    def test_has_its_functions(self):
        for name in ("version", "from_dlpack", "describe", "values"):
            self.complains(self.adapter(TOY_SOURCE + f"\ndel {name}\n"), f"has no function {name}", "docs/adapters.md")
        self.complains(self.adapter(TOY_SOURCE + "\nvalues = 3\n"), "has no function values")
        library = 'name = "mine"\nkind = "python"\nroles = ["producer"]\n'
        self.complains(self.adapter(TOY_SOURCE + "\ndel make\n", library), "has no function make")
        self.complains(self.adapter(TOY_SOURCE + "\ndel view\n", GOOD_LIBRARY + 'claims = ["view"]\n'),
                       "has no function view, which the claim needs")

    def test_is_to_blame_for_its_own_mistakes(self):
        mistakes = {
            "def version(): raise KeyError('own')": "version()",
            "def version(): return 3": "version()",
            "def describe(array): raise KeyError('own')": "the adapter's describe() failed: KeyError: 'own'",
            "def describe(array): return 3": "the adapter's describe() returned the int 3; expected a tuple of six",
            "def describe(array): return (0, 'x', None, 'float32', None, None)":
                "the adapter's describe() returned the str 'x' as shape",
            "def values(array): raise KeyError('own')": "the adapter's values() failed: KeyError: 'own'",
            "def values(array): return 'text'": "the adapter's values() returned the str 'text'; expected bytes",
        }
        for source, about in mistakes.items():
            for library in (GOOD_LIBRARY, GOOD_LIBRARY + "fork_safe = false\n"):
                ran = self.complains(self.adapter(f"{TOY_SOURCE}\n{source}\n", library), about, "docs/adapters.md")
                self.assertEqual(ran.out, "")

    def test_whose_library_refuses_everything_is_judged_for_it(self):
        source = TOY_SOURCE + "\ndef from_dlpack(obj, **kw): raise KeyError('own')\n"
        ran = program.run(*self.adapter(source), "--format", "json")
        self.assertIn(ran.status, (0, 1))
        self.assertEqual(ran.complaints(), [])
        verdicts = {line["verdict"] for line in program.Results(ran.out).lines}
        self.assertNotIn("PASS", verdicts)


class AFile(Complaints):
    def finding(self, **changes):
        good = {"finding": 1, "library": "misbehaving", "adapters": [program.TOY],
                "case": "c-abi/flags/unknown-flags-are-noticed", "recipe": {"format": 2, "kind": "import"}}
        good.update(changes)
        return self.write("finding.json", json.dumps({key: value for key, value in good.items() if value is not None}))

    def test_that_is_a_finding_is_replayed(self):
        ran = program.run("replay", self.finding())
        self.assertEqual((ran.status, ran.complaints()), (0, []), ran.err)

    def test_that_is_no_finding_is_named(self):
        self.complains(["replay", "/nowhere"], "/nowhere: cannot be read: ", "findings")
        for text in ("", "{", "[]", "3", b"\xff\x00"):
            self.complains(["replay", self.write("finding.json", text)], "finding.json is not a finding", "--out DIR")
        for key in ("case", "library", "recipe"):
            for value in (None, 3, []):
                self.complains(["replay", self.finding(**{key: value})], f'its "{key}" is not a')
        for value in (3, {"a": 1}, [3]):
            self.complains(["replay", self.finding(adapters=value)], 'its "adapters" is not a list')
            self.complains(["replay", self.finding(pythonpath=value)], 'its "pythonpath" is not a list')
        for key in ("python", "mutant"):
            self.complains(["replay", self.finding(**{key: 3})], f'its "{key}" is not a string')
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        for where in ({"adapters": [str(loop)]}, {"python": str(loop)}):
            self.complains(["replay", self.finding(**where)], "Too many levels of symbolic links")
        self.complains(["replay", self.finding(library="zzzzzz")], "no adapter for the library zzzzzz")
        self.complains(["replay", self.finding(case="zzzzzz")], "there is no case zzzzzz")
        self.complains(["replay", self.finding(case="c-abi/flags/*")], "there is no case c-abi/flags/*")

    def test_that_cannot_be_read_is_told_by_its_reason(self):
        hints = {"replay": "findings", "report": "dlpack-cts run --out DIR"}
        for command, hint in hints.items():
            for file, reason in {"/nowhere": "No such file or directory", self.folder: "Is a directory",
                                 "/proc/self/mem": "Input/output error", "/dev/zero": "it is larger than ",
                                 self.folder / ("x" * 300): "File name too long"}.items():
                about = f"{file}: cannot be read: {reason}"
                if file == self.folder:
                    about = f"the folder {file} " + ("has no results" if command == "report" else "holds no .json file")
                self.complains([command, file], about, hint)

    def test_may_come_through_a_pipe(self):
        whole = program.run(*QUICK, "--format", "json").out
        for command, text in (("replay", self.finding().read_text()), ("report", whole)):
            ran = program.run(command, "/dev/stdin", input=text)
            self.assertEqual((ran.status, ran.complaints()), (0, []), ran.err)

    def test_whose_recipe_is_corrupt_is_named(self):
        for recipe in ({}, {"format": 99, "kind": "import"}, {"format": 1, "kind": "import"}, {"format": 2, "kind": "x"},
                       {"format": 2, "kind": "import", "colour": 1}, {"format": 2, "kind": "import", "offers": 3},
                       {"format": 2, "kind": "import", "life": [{"op": "dance"}]},
                       {"format": 2, "kind": "import", "offers": [{"ndim": 1e300}]}):
            self.complains(["replay", self.finding(recipe=recipe)], "the recipe in the finding is invalid", "as it was written")

    def test_that_libfuzzer_kept_needs_a_library(self):
        self.complains(["replay", self.write("crash-1", b"DLPR" + bytes(100))], "which library", "--library")
        self.complains(["replay", self.folder / "crash-1", "--library", "zzzzzz"], "no adapter for the library zzzzzz")

    def test_of_results_is_whole(self):
        whole = program.run(*QUICK, "--format", "json").out
        self.assertEqual(program.run("report", self.write("whole.ndjson", whole)).status, 0)
        lines = whole.splitlines(True)
        wrong = {"": "is empty", "\n": "line 1", "".join(lines[:-1]): "truncated", whole[:-20]: "not valid JSON",
                 whole + lines[-1]: "no line may follow the footer", "".join(lines[1:]): "line 1",
                 lines[0] + '{"type": "result"}\n' + lines[-1]: "line 2", b"\xff\xfe": "line 1"}
        for text, about in wrong.items():
            self.complains(["report", self.write("results.ndjson", text)], about, "dlpack-cts run --out DIR")
        self.complains(["report", "/nowhere"], "cannot be read", "dlpack-cts run --out DIR")
        self.complains(["report", self.folder], "results.ndjson: line 1", "dlpack-cts run --out DIR")

    def test_that_is_wrong_does_not_cost_the_report_of_the_others(self):
        whole = self.write("whole.ndjson", program.run(*QUICK, "--format", "json").out)
        ran = self.complains(["report", "/nowhere", whole], "cannot be read")
        self.assertIn("misbehaving 1.0", ran.out)


class Expectations(Complaints):
    def test_are_read_before_anything_runs(self):
        good = '[[expect]]\ncase = "c-abi/flags/*"\nverdict = "FAIL"\nmessage = "m"\nwhy = "w"\n'
        wrong = {
            "expect = 3": "is not a list of tables",
            "expect = [3]": "is not a table",
            "[expect]\na = 1": "is not a list of tables",
            "[[expected]]": '"expected" is unknown',
            good.replace("FAIL", "BAD"): '"verdict" is "BAD", which is not a verdict',
            good.replace('"w"', '""'): '"why" is empty',
            good.replace('message = "m"\n', ""): '"message" is missing',
            good.replace('message = "m"', "message = 3"): '"message" is not a string',
            good + 'rule = "C-FLAGS-01"\n': 'or "cause" must be given, and only one of them',
            good + 'colour = "red"\n': '"colour" is unknown',
            good + "seldom = true\n": '"seldom" can only be used with "cause"',
            good + "[[expect": ":6: ",
        }
        for condition in ("2.0", "=2.0", "~=2.0", ">=", ">=2.0,", ">=2.0;<3", ">=x", "latest", ">=99999999999999999999"):
            wrong[good + f'versions = "{condition}"\n'] = '"versions" holds'
        for text, about in wrong.items():
            ran = self.complains([*QUICK, "--expectations", self.write("e.toml", text)], about)
            self.assertEqual(ran.out, "")
        self.complains([*QUICK, "--expectations", "/nowhere"], "there is no file /nowhere", "TOML")
        self.complains([*QUICK, "--expectations", self.folder], "is a folder", "TOML")

    def test_that_name_nothing_are_unexpected(self):
        for what in ('case = "c-abi/flags/no-such-case"', 'rule = "C-FLAGS-99"'):
            file = self.write("e.toml", f'[[expect]]\n{what}\nverdict = "FAIL"\nmessage = "m"\nwhy = "w"\n')
            ran = self.complains([*QUICK, "--expectations", file], "e.toml:1: ", "correct or remove", status=1)
            self.assertIn("Summary", ran.out)

    def test_about_cases_that_did_not_run_stay_silent(self):
        for what in ('case = "c-abi/strides/*"', 'rule = "C-STRIDES-07"'):
            file = self.write("e.toml", f'[[expect]]\n{what}\nverdict = "FAIL"\nmessage = "m"\nwhy = "w"\n')
            ran = program.run(*QUICK, "--expectations", file)
            self.assertEqual((ran.status, ran.complaints()), (0, []), ran.err)


class TheRules(Complaints):
    def test_that_are_wrong_are_named_with_file_and_line(self):
        copied, share = program.install(self.folder)
        usual, program.PROGRAM = program.PROGRAM, str(copied)
        self.addCleanup(setattr, program, "PROGRAM", usual)
        file = share / "rules" / "c-flags.toml"
        good = file.read_text()
        self.assertEqual(program.run("list", "rules").status, 0)
        for bad, about in {"[[rule": ":1: ", "": "holds no [[rule]]", "rule = [3]": "a rule is not a table",
                           "[[rule]]\nid = 3\n": ':2: the field "id" is not a string',
                           good.replace("breach = ", "breech = ", 1): '"breech" is unknown',
                           good.replace('status = "tested"', 'status = "done"', 1): "is not tested, untestable or planned",
                           good.replace('breach = "FAIL"', 'breach = "PASS"', 1): "is not FAIL, WARN or NOTE",
                           good + good: "is used twice"}.items():
            file.write_text(bad)
            self.complains(["list", "rules"], about)
        file.unlink()
        ran = program.run(*QUICK)
        self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (3, 1, 1), ran.err)
        self.assertIn("names the rule C-FLAGS-09, which does not exist", ran.err)
        shutil.rmtree(share / "rules")
        (share / "rules").mkdir()
        self.complains(["list", "rules"], "there are no rules in", status=3)
        (copied.parent / "dlpack-cts-worker").unlink()
        self.complains(["list", "cases"], "", status=3)


class APathThatCannotBeUsed(Complaints):
    def test_is_named_with_its_reason(self):
        loop, long = self.folder / "loop", self.folder / ("x" * 300)
        loop.symlink_to(loop)
        toml, made = (self.write(name, "") for name in ("there/library.toml", "made/bin/python"))
        for file in (toml, made):
            file.unlink()
            file.symlink_to(file)
        self.complains(["run", "mine", "--adapter", toml.parent], "Too many levels of symbolic links", "path")
        self.complains([*QUICK, "--python", made.parent.parent], "Too many levels of symbolic links", "path")
        for path, reason in ((loop, "Too many levels of symbolic links"), (long, "File name too long")):
            for arguments in (["run", "mine", "--adapter", path], [*QUICK, "--python", path], [*QUICK, "--python", path / "python"],
                              [*QUICK, "--pythonpath", path], [*QUICK, "--expectations", path], [*QUICK, "--out", path],
                              [*QUICK, "--out", path / "out"], [*QUICK, "--update", "--expectations", path], ["report", path],
                              ["replay", path]):
                self.complains(arguments, reason)
            self.complains(QUICK, reason, environment={"TMPDIR": str(path)})

    def test_may_be_empty_in_no_option(self):
        for option in ("--adapter", "--pythonpath"):
            self.complains([*QUICK, option, ""], "")

    def test_is_not_a_variable_that_is_too_long_in_total(self):
        values = "".join(f'A{i} = "{"b" * 90_000}"\n' for i in range(60))
        self.write("library.toml", GOOD_LIBRARY + "[environment]\n" + values)
        self.write("adapter.py", TOY_SOURCE)
        self.complains(["run", "mine", "--adapter", self.folder], "its environment variables are too long", "library.toml")


if __name__ == "__main__":
    unittest.main()
