# tests/native/check_failures.py: plug-ins that cannot be used end with one sentence, one hint, and status 2.
"""Usage: check_failures.py DLPACK_CTS FOLDER_OF_PLUGINS"""
import pathlib
import subprocess
import sys
import tempfile

TOML = 'name = "broken"\nkind = "native"\nroles = ["consumer"]\nclaims = []\n'
EXPECTED = {
    "nowhere": "cannot be read",
    "plugin_other_abi": "of the plug-in ABI",
    "plugin_no_symbol": "does not export the symbol dlpack_cts_plugin",
    "plugin_null_table": "returned NULL",
    "plugin_null_function": "has no function values",
    "plugin_small": "gives its size as 4 bytes",
    "plugin_unresolved": "could not be loaded",
    "text": "could not be loaded",
    None: "plugin",
}


def run(program, adapter):
    command = [program, "run", "broken", "--adapter", str(adapter), "--out", str(adapter / "out")]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def wrong(done, sentence):
    lines = [line for line in done.stderr.splitlines() if not line.startswith("dlpack-cts: seed")]
    if done.returncode != 2:
        return f"the status is {done.returncode}"
    if len(lines) != 2 or not lines[0].startswith("dlpack-cts: ") or not lines[1].startswith("  hint: "):
        return "there is not one sentence and one hint"
    return None if sentence in lines[0] else f"the sentence does not say: {sentence}"


def main():
    program, plugins = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for name, sentence in EXPECTED.items():
        with tempfile.TemporaryDirectory() as folder:
            adapter = pathlib.Path(folder)
            (adapter / "text.so").write_text("no library\n")
            path = adapter / "text.so" if name == "text" else plugins / f"{name}.so"
            line = f'plugin = "{path.name}"\n' if name else ""
            if name and path.exists() and name != "text":
                (adapter / path.name).symlink_to(path)
            (adapter / "library.toml").write_text(TOML + line)
            done = run(program, adapter)
            what = wrong(done, sentence)
            if what:
                failed = True
                print(f"{name}: {what}\n{done.stdout}{done.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
