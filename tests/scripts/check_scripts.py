# tests/scripts/check_scripts.py: everything that may be missing on a machine gives one sentence, one hint and exit status 2.
#
# Usage: check_scripts.py SOURCE_ROOT
# The scripts run in a copy of the tree, with a PATH that holds only fakes and the few real tools that they need: nothing is
# installed and no network is touched.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
REAL = ["awk", "basename", "bash", "cat", "cut", "cp", "dirname", "env", "find", "git", "grep", "head", "mkdir", "mktemp", "nproc", "paste", "readlink",
        "rm", "sed", "sort", "tail", "tr"]
ALL_INSTALLED = "shift 3; for p; do echo \"installed $p\"; done"
NOTHING_INSTALLED = "exit 1"
SIZES = "echo 'Need to get 100 MB of archives.'; echo 'After this operation, 397 MB of additional disk space will be used.'"


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.tree = self.root / "tree"
        self.tree.mkdir()
        shutil.copytree(ROOT / "scripts", self.tree / "scripts")
        for library in (ROOT / "adapters").glob("*/library.toml"):
            (self.tree / "adapters" / library.parent.name).mkdir(parents=True)
            shutil.copy(library, self.tree / "adapters" / library.parent.name)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for tool in REAL:
            (self.bin / tool).symlink_to(shutil.which(tool))
        # A machine on which all is there; each test takes something away.
        self.fake("id", "echo 0")
        self.fake("dpkg-query", ALL_INSTALLED)
        self.fake("apt-get", 'echo "apt-get $*" >> "$CALLS"; exit 1')
        self.fake("python3", 'echo "python3 $*" >> "$CALLS"; exit 0')
        self.fake("g++", "exit 0")
        self.fake("cmake", 'echo "cmake $*" >> "$CALLS"; mkdir -p build/release; : > build/release/build.ninja; exit 0')
        self.fake("ninja", 'echo "ninja $*" >> "$CALLS"; echo "ninja: no work to do."')
        self.program('echo "program $*" >> "$CALLS"; exit 0')
        self.calls = self.root / "calls"
        self.calls.touch()

    def fake(self, name, body, folder=None):
        path = (folder or self.bin) / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def program(self, body):
        (self.tree / "build/release").mkdir(parents=True, exist_ok=True)
        self.fake("dlpack-cts", body, self.tree / "build/release")

    def run_script(self, *command):
        environment = {"PATH": str(self.bin), "HOME": str(self.root), "CALLS": str(self.calls), "TMPDIR": str(self.root)}
        return subprocess.run([str(self.tree / "scripts" / command[0]), *command[1:]], env=environment, cwd=self.root,
                              capture_output=True, text=True, timeout=60)

    def assert_fails(self, done, sentence, hint):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertTrue(lines[0].startswith("dlpack-cts: "), lines[0])
        self.assertIn(sentence, lines[0])
        self.assertTrue(lines[1].startswith("  hint: "), lines[1])
        self.assertIn(hint, lines[1])

    def test_nothing_is_installed_where_all_is_there(self):
        done = self.run_script("conformance.sh")
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = self.calls.read_text()
        self.assertNotIn("apt-get", calls)
        self.assertIn(f"program run numpy --out {self.root}/dlpack-cts-out", calls)

    def test_the_second_run_does_not_configure_again(self):
        self.run_script("conformance.sh")
        self.calls.write_text("")
        self.assertEqual(self.run_script("conformance.sh").returncode, 0)
        self.assertNotIn("cmake", self.calls.read_text())

    def test_libraries_and_options_reach_the_program(self):
        self.run_script("conformance.sh", "torch", "numpy==2.4.6", "--out", "here", "--seed", "1")
        self.assertIn("program run torch numpy==2.4.6 --out here --seed 1\n", self.calls.read_text())

    def test_the_exit_status_is_that_of_the_program(self):
        self.program("exit 1")
        self.assertEqual(self.run_script("conformance.sh").returncode, 1)

    def native(self, *arguments):
        """scripts/native.sh of a plug-in whose wheel is in an environment, with a compiler that notes what it is asked."""
        source = self.tree / "adapters/tvm-ffi-native/plugin.cc"
        source.touch()
        (self.tree / "subject").mkdir()
        (self.tree / "adapters/helpers").mkdir()
        for file in ("subject/plugin.h", "adapters/helpers/native.h", "adapters/tvm-ffi-native/more.h"):
            (self.tree / file).touch()
        wheel = self.root / "wheel"
        (wheel / "lib").mkdir(parents=True)
        (wheel / "lib/libtvm_ffi.so").touch()
        self.made = self.root / "environment"
        (self.made / "bin").mkdir(parents=True)
        self.fake("python", f"echo {wheel}", self.made / "bin")
        for tool in ("mv", "cksum"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.fake("c++", 'echo "c++ $*" >> "$CALLS"; for out; do :; done; : > "$out"')
        self.program(f'echo {self.made}')
        return self.run_script("native.sh", *arguments)

    def test_a_plugin_is_built_against_the_wheel_and_once(self):
        done = self.native("tvm-ffi-native")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.tree / "build/native/tvm-ffi-native.so").exists())
        wheel = self.root / "wheel"
        self.assertIn(f"-isystem {wheel}/include adapters/tvm-ffi-native/plugin.cc {wheel}/lib/libtvm_ffi.so -Wl,-rpath,{wheel}/lib",
                      self.calls.read_text())
        self.calls.write_text("")
        self.assertEqual(self.run_script("native.sh", "tvm-ffi-native").returncode, 0)
        self.assertEqual(self.calls.read_text(), "", "nothing has changed")
        (self.tree / "adapters/tvm-ffi-native/more.h").write_text("changed")
        self.assertEqual(self.run_script("native.sh", "tvm-ffi-native").returncode, 0)
        self.assertIn("c++", self.calls.read_text())

    def test_a_plugin_that_cannot_be_built(self):
        self.assert_fails(self.native(), "no plug-in is named", "name a folder of adapters/")
        self.assert_fails(self.run_script("native.sh", "numpy"), "there is no adapters/numpy/plugin.cc", "give a folder")
        self.assert_fails(self.run_script("native.sh", "--python", "/nowhere", "tvm-ffi-native"), "/nowhere is not a Python environment",
                          "that has tvm_ffi")
        self.fake("c++", "exit 1")
        self.assert_fails(self.run_script("native.sh", "tvm-ffi-native"), "the compiler rejected adapters/tvm-ffi-native/plugin.cc", "C++20")
        (self.root / "wheel/lib/libtvm_ffi.so").unlink()
        self.assert_fails(self.run_script("native.sh", "tvm-ffi-native"), "wheel has no lib/libtvm_ffi.so", "docs/libraries.md")
        self.fake("python", "echo", self.made / "bin")
        self.assert_fails(self.run_script("native.sh", "tvm-ffi-native"), "has no module tvm_ffi", "leave out --python")

    def histories(self, *arguments):
        """What scripts/history.sh asks of a program that judges every release but 1.0, and made an environment for each."""
        made = self.root / "env" / "numpy-1"
        made.mkdir(parents=True)
        self.program(f"""echo "program $*" >> "$CALLS"
            case "$1 $2" in
              "run numpy=="*) echo "dlpack-cts: making an environment for numpy with python3.11 in {made}: numpy (about 98 MB)" >&2 ;;&
              "run numpy==1.0") echo "dlpack-cts: installing it failed; pip: there is no wheel (full output in {made}.log)" >&2; exit 2 ;;
              "run numpy=="*) for out; do :; done; mkdir "$out"; echo judged >"$out/results.ndjson"; exit 1 ;;
            esac""")
        done = self.run_script("history.sh", *arguments)
        return done, [line.removeprefix("program ") for line in self.calls.read_text().splitlines()]

    def test_a_history_has_each_release_or_the_reason_of_pip(self):
        done, calls = self.histories("numpy", "1.0", "2.0", "--limit", "60")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        runs = [call.split(" --out ")[0] for call in calls if call.startswith("run")]
        self.assertEqual(runs, ["run numpy==1.0 --time-limit 60", "run numpy==2.0 --time-limit 60"])
        stored = [call for call in calls if call.startswith("history")]
        self.assertEqual(stored[0], "history reports/history --not-judged numpy==1.0 --reason "
                                    "installing it failed; pip: there is no wheel")
        self.assertRegex(stored[1], "^history reports/history .*/out$")
        self.assertEqual([call for call in calls if call.startswith("env")], ["env remove numpy-1"] * 2)

    def test_a_history_of_all_minor_releases_asks_the_index(self):
        index = "Available versions: 2.1.0, 2.0.2, 2.0.10, 1.9.1, 1.22.4"
        self.fake("python3", f'case "$*" in *"index versions"*) echo "numpy (2.1.0)"; echo "{index}" ;; *) echo numpy ;; esac')
        done, calls = self.histories("numpy", "--since", "1.10")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        runs = [call.split()[1] for call in calls if call.startswith("run")]
        self.assertEqual(runs, ["numpy==1.22.4", "numpy==2.0.10", "numpy==2.1.0"])

    def test_a_history_of_an_unknown_library_is_refused(self):
        self.assert_fails(self.run_script("history.sh", "nunpy"), "there is no library nunpy", "list libraries")
        self.assert_fails(self.run_script("history.sh", "numpy", "--sinse"), "there is no option --sinse", "--help")

    def test_an_unknown_library_is_told_before_anything_is_installed(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.assert_fails(self.run_script("conformance.sh", "nunpy"), "there is no library nunpy", "numpy")
        self.assertEqual(self.calls.read_text(), "")

    def test_what_is_installed_is_said_before_with_its_size(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.fake("apt-get", f'echo "apt-get $*" >> "$CALLS"; case "$*" in *assume-no*) {SIZES}; exit 1 ;; esac; exit 0')
        done = self.run_script("conformance.sh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("installing Debian packages (100 MB to fetch, 397 MB on disk): g++ make cmake", done.stdout)
        self.assertIn("install -y", self.calls.read_text())

    def test_who_is_not_root_and_has_no_sudo_is_told_the_command(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.fake("id", "echo 1000")
        for script in ("conformance.sh", "test.sh", "check.sh"):
            with self.subTest(script):
                self.assert_fails(self.run_script(script), "you are not root", "apt-get install")

    def test_chromium_is_installed_only_for_the_test_of_pages(self):
        self.fake("dpkg-query", "shift 3; for p; do case $p in chromium*) ;; *) echo \"installed $p\" ;; esac; done")
        self.fake("id", "echo 1000")
        self.assert_fails(self.run_script("test.sh", "--browser"), "Debian packages are missing and you are not root: chromium", "chromium")
        self.assertNotIn("not root", self.run_script("test.sh").stderr)

    def test_sudo_is_used_where_it_is(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.fake("id", "echo 1000")
        self.fake("sudo", 'echo "sudo $*" >> "$CALLS"; "$@"')
        self.fake("apt-get", f'case "$*" in *assume-no*) {SIZES}; exit 1 ;; esac; exit 0')
        done = self.run_script("conformance.sh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sudo env", self.calls.read_text())

    def test_no_network_for_the_package_lists(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.assert_fails(self.run_script("conformance.sh"), "package lists do not offer: g++", "network")

    def test_no_network_for_the_packages(self):
        self.fake("dpkg-query", NOTHING_INSTALLED)
        self.fake("apt-get", f'case "$*" in *assume-no*) {SIZES} ;; *) echo "E: Failed to fetch x" ;; esac; exit 100')
        self.assert_fails(self.run_script("conformance.sh"), "E: Failed to fetch x", "network")

    def test_a_machine_that_is_not_debian(self):
        (self.bin / "apt-get").unlink()
        self.assert_fails(self.run_script("conformance.sh"), "no apt-get", "build by hand")

    def test_no_compiler(self):
        (self.bin / "g++").unlink()
        self.assert_fails(self.run_script("conformance.sh"), "there is no compiler: g++", "install the Debian package g++")

    def test_a_compiler_that_does_not_compile(self):
        self.fake("g++", "echo 'a page of words' >&2; exit 1")
        self.assert_fails(self.run_script("conformance.sh"), "g++ cannot compile a C++20", "again")

    def test_a_configuration_that_fails(self):
        self.fake("cmake", "echo 'CMake Error at CMakeLists.txt:1 (find_package):'; exit 1")
        self.assert_fails(self.run_script("conformance.sh"), "CMake Error at CMakeLists.txt:1", "delete it")

    def test_no_folder_for_environments(self):
        environment = {"PATH": str(self.bin), "CALLS": str(self.calls)}
        done = subprocess.run([str(self.tree / "scripts/test.sh")], env=environment, capture_output=True, text=True, timeout=60)
        self.assert_fails(done, "HOME is not set", "DLPACK_CTS_CACHE")

    def test_python_without_venv(self):
        self.fake("python3", "echo 'No module named ensurepip'; exit 1")
        self.assert_fails(self.run_script("test.sh"), "No module named ensurepip", "python3-venv")

    def test_pip_without_network(self):
        pip = 'd=${!#}/bin; mkdir -p "$d"; printf "#!/bin/sh\\necho no route to host; exit 1" > "$d/pip"; chmod +x "$d/pip"'
        self.fake("chmod", f'exec {shutil.which("chmod")} "$@"')
        self.fake("python3", pip)
        self.assert_fails(self.run_script("test.sh"), "no route to host", "network")

    def test_no_libpython_is_what_the_program_says(self):
        self.program("printf 'dlpack-cts: no shared libpython\\n  hint: install libpython3.11\\n' >&2; exit 2")
        self.assert_fails(self.run_script("conformance.sh"), "libpython", "install")

    def test_a_failed_build_is_no_stack_of_scripts(self):
        self.fake("ninja", "case \"$*\" in *-n*) echo work ;; *) echo 'x.cc:1: error: oops'; exit 1 ;; esac")
        done = self.run_script("conformance.sh")
        self.assertEqual(done.returncode, 2)
        self.assertIn("x.cc:1: error: oops", done.stderr)
        self.assertIn("dlpack-cts: the build failed", done.stderr)


if __name__ == "__main__":
    unittest.main()
