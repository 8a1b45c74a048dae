# tests/native/check_lies.py: a plug-in that violates its contract with the suite ends the run with one message, and no verdict.
"""Usage: check_lies.py DLPACK_CTS FOLDER_OF_PLUGINS"""
import os
import pathlib
import subprocess
import sys
import tempfile

TOML = 'name = "lying"\nkind = "native"\nplugin = "lying_plugin.so"\nclaims = ["read_only"]\nfork_safe = %s\nroles = [%s]\n'
BOTH, CONSUMER, PRODUCER = '"consumer", "producer"', '"consumer"', '"producer"'
CODES = "; expected one of the five codes"
# The lie, the roles of the plug-in, and a part of the message.
LIES = [
    ("import_nothing", BOTH, "the plug-in's import_tensor() returned DLPACK_CTS_OK but set no array"),
    ("import_code", BOTH, "the plug-in's import_tensor() returned 99" + CODES),
    ("make_nothing", BOTH, "the plug-in's make() returned DLPACK_CTS_OK but set no array"),
    ("make_nothing", PRODUCER, "the plug-in's make() returned DLPACK_CTS_OK but set no array"),
    ("make_code", BOTH, "the plug-in's make() returned -1" + CODES),
    ("export_nothing", BOTH, "the plug-in's export_tensor() returned DLPACK_CTS_OK but set no struct"),
    ("export_both", PRODUCER, "the plug-in's export_tensor() returned 1, which is not DLPACK_CTS_OK, but set a struct"),
    ("describe_code", CONSUMER, "the plug-in's describe() returned 77" + CODES),
    ("describe_fails", CONSUMER, "the plug-in's describe() failed (failed): out of order"),
    ("describe_fails", PRODUCER, "the plug-in's describe() failed (failed): out of order"),
    ("ndim_negative", CONSUMER, "the plug-in's describe() returned ndim -1; expected 0 to 64"),
    ("ndim_65", PRODUCER, "the plug-in's describe() returned ndim 65; expected 0 to 64"),
    ("ndim_huge", BOTH, "the plug-in's describe() returned ndim 2147483647; expected 0 to 64"),
    ("writable", BOTH, "the plug-in's describe() returned writable 7; expected 1, 0, or -1"),
    ("type", CONSUMER, "the plug-in's describe() returned the dtype (code 99, bits 7, lanes 3)"),
    ("no_type", PRODUCER, "the plug-in's describe() returned the dtype (code 0, bits 0, lanes 0)"),
    ("values", CONSUMER, "the plug-in's values() returned -9223372036854775808; expected a size in bytes"),
    ("exit", BOTH, "while it was imported"),
]


def run(program, adapter, lie, roles, fork_safe="true"):
    (adapter / "library.toml").write_text(TOML % (fork_safe, roles))
    command = [program, "run", "lying", "--adapter", str(adapter), "--select", "c-abi/flags/*", "--examples", "3"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "LIES": lie})


def wrong(done, sentence):
    lines = [line for line in done.stderr.splitlines() if not line.startswith("dlpack-cts: seed")]
    if done.returncode != 2 or done.stdout:
        return f"the status is {done.returncode}"
    if len(lines) != 2 or not lines[0].startswith("dlpack-cts: ") or not lines[1].startswith("  hint: "):
        return "there is not one sentence and one hint"
    if "docs/plugins.md" not in lines[1] or "python" in lines[1].lower():
        return "the hint is not one for plug-ins"
    return None if sentence in lines[0] else f"the sentence does not say: {sentence}"


def main():
    program, plugins = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        adapter = pathlib.Path(folder)
        (adapter / "lying_plugin.so").symlink_to(plugins / "lying_plugin.so")
        for roles in (BOTH, CONSUMER, PRODUCER):
            done = run(program, adapter, "", roles)
            if done.returncode != 0:
                failed.append(("honest", roles, f"the status is {done.returncode}", done))
        cases = [(*case, "true") for case in LIES] + [(*case, "false") for case in LIES if case[0].endswith("nothing")]
        for lie, roles, sentence, fork_safe in cases:
            done = run(program, adapter, lie, roles, fork_safe)
            what = wrong(done, sentence)
            if what:
                failed.append((lie, roles, what, done))
    for lie, roles, what, done in failed:
        print(f"{lie}, {roles}: {what}\n{done.stdout[-500:]}{done.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
