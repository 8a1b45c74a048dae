# tests/cuda/adapters_test.py: the adapters that claim cuda have the hooks for it, and run on a device.
import ast
import pathlib
import re
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = {file.parent.name: tomllib.loads(file.read_text(encoding="utf-8"))
             for file in sorted(ROOT.glob("adapters/*/library.toml"))}
ON_CUDA = {name: library for name, library in LIBRARIES.items() if "cuda" in library.get("claims", [])}
SCRIPT = (ROOT / "scripts" / "on_device.sh").read_text(encoding="utf-8")
HOOKS = {"consumer": {"fetch"}, "producer": {"make"}}  # others may be those of another adapter


def functions_of(name):
    tree = ast.parse((ROOT / "adapters" / name / "adapter.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


class EachAdapterForADevice(unittest.TestCase):
    def test_exists(self):
        self.assertGreaterEqual(set(ON_CUDA), {"torch-cuda", "cupy", "jax-cuda", "cuda-core", "numba-cuda"})

    def test_has_the_hooks_of_its_roles(self):
        for name, library in ON_CUDA.items():
            wanted = set().union(*(HOOKS[role] for role in library["roles"]))
            self.assertLessEqual(wanted, functions_of(name), name)

    def test_is_not_forked_after_cuda_was_used(self):
        self.assertEqual([name for name, library in ON_CUDA.items() if library["fork_safe"]], [])

    def test_is_run_by_the_script_for_a_device(self):
        run = re.search(r'^libraries="(.*)"$', SCRIPT, re.MULTILINE).group(1).split()
        self.assertEqual(set(run), set(ON_CUDA))
        for table in ("module", "more", "jobs_of"):
            rows = re.search(rf"^declare -A {table}=\((.*?)\)$", SCRIPT, re.MULTILINE | re.DOTALL).group(1)
            self.assertEqual(set(re.findall(r"\[([a-z-]+)\]=", rows)), set(run), table)

    def test_is_listed(self):
        page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
        for name in ON_CUDA:
            self.assertIn(f"| `{name}` |", page)


if __name__ == "__main__":
    unittest.main()
