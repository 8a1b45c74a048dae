# tests/runner/adapter_test.py: adapter new writes an adapter that works at once; adapter check says what one can do.
import pathlib
import tempfile
import unittest

import program


class Adapter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name) / "mine"
        cls.made = program.run("adapter", "new", cls.folder)

    def test_new_names_the_library_after_the_folder_and_says_what_to_do_next(self):
        self.assertEqual((self.made.status, self.made.err), (0, ""))
        self.assertIn('\nname = "mine"\n', (self.folder / "library.toml").read_text())
        self.assertIn(f"dlpack-cts run mine --adapter {self.folder}\n", self.made.out)

    def test_new_refuses_a_folder_with_files(self):
        ran = program.run("adapter", "new", self.folder)
        self.assertEqual(ran.status, 2)
        self.assertEqual(ran.complaints(), [f"dlpack-cts: the folder {self.folder} is not empty"])

    def test_the_new_adapter_can_be_run_at_once(self):
        ran = program.run("run", "--adapter", self.folder, "--select", "c-abi/*", "--examples", 5)
        self.assertEqual(ran.status, 0, ran.err + ran.out)
        self.assertIn("mine 1.0 conforms to DLPack", ran.out)

    def test_check_prints_the_profile_and_tries_the_other_claims(self):
        ran = program.run("adapter", "check", self.folder, seconds=280)
        self.assertEqual((ran.status, ran.err), (0, ""))
        for text in ("mine 1.0, Python ", "  checks: describe, values, make and the functions of the claims agree\n",
                     "  imports: ", "  claims: capsule_input, ", "\nOther claims, tried with 10 examples of each case:\n",
                     "/adapter.py has no function close, which the claim needs"):
            self.assertIn(text, ran.out)
        self.assertNotIn("\n  write: ", ran.out)

    def test_check_reports_a_mistake_of_the_adapter(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "broken"
            self.assertEqual(program.run("adapter", "new", folder).status, 0)
            adapter = folder / "adapter.py"
            adapter.write_text(adapter.read_text().replace("block.shape, block.strides, NAMES", "list(block.shape), block.strides, NAMES"))
            ran = program.run("adapter", "check", folder)
            self.assertEqual(ran.status, 2)
            self.assertEqual(len(ran.complaints()), 1, ran.err)

    def test_names_its_verbs(self):
        ran = program.run("adapter", "make", self.folder)
        self.assertEqual(ran.status, 2)
        self.assertEqual(ran.hints(), ["  hint: the verbs are new and check"])


if __name__ == "__main__":
    unittest.main()
