# tests/native/check_debugger.py: replay --debugger stops gdb where a plug-in crashes.
"""Usage: check_debugger.py DLPACK_CTS FOLDER_OF_PLUGINS. Exit status 77 without gdb."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from check_throws import TOML


def run(*command, where):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=100, env={**os.environ, "THROWS": where})


def wrong(program, adapter):
    out = adapter / "out"
    run(program, "run", "throwing", "--adapter", adapter, "--select", "c-abi/flags/*", "--examples", "3", "--out", out,
        where="import")
    causes = sorted((out / "causes").glob("*.json"))
    if not causes:
        yield "the run has no cause"
        return
    replay = program, "replay", causes[0], "--debugger"
    commands = adapter / "commands"
    commands.write_text("catch throw\nrun\nbt\ncontinue\n", encoding="utf-8")
    stopped = run(*replay, f"gdb -nx -batch -x {commands} --args", where="import")
    for text in ("SIGABRT", "throwing_plugin.so", "dlpack_cts::Engine::Run"):
        if text not in stopped.stdout:
            yield f"gdb does not print {text}: {stopped.stdout}{stopped.stderr}"
    held = run(*replay, "gdb -nx -batch -ex run --args", where="")
    if "the exchange has ended" not in held.stdout:
        yield f"without the exception the exchange does not end: {held.stdout}{held.stderr}"
    draft = run(program, "issue", out, causes[0].stem.replace(".", "/"), where="")
    if "--debugger 'gdb --args'" not in draft.stdout:
        yield f"the draft of the issue does not name gdb: {draft.stdout}{draft.stderr}"


def main(program, plugins):
    if shutil.which("gdb") is None:
        print("gdb is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        adapter = pathlib.Path(folder)
        (adapter / "library.toml").write_text(TOML, encoding="utf-8")
        shutil.copy(pathlib.Path(plugins, "throwing_plugin.so"), adapter)
        found = list(wrong(program, adapter))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
