# tests/regression/findings_test.py: the kept findings of one library show, or are gone, as its expectations say.
"""Usage: findings_test.py DLPACK_CTS FOLDER ENVIRONMENT. The name of the folder is that of the library. Exit status 77 where the
environment is missing; the reference needs none."""
import pathlib
import subprocess
import sys

# A hang is shorter than in a run, so that all findings take seconds.
SECONDS_OF_A_HANG = "5"


def main(program, folder, environment):
    library = pathlib.Path(folder).name
    if not environment and library != "reference":
        name = library.upper().replace("-", "_")
        print(f"no environment with {library} is given: cmake -D DLPACK_CTS_TEST_{name}_ENV=FOLDER")
        return 77
    if not pathlib.Path(folder).is_dir():
        print(f"no finding of {library} is kept")
        return 77
    options = ["--python", environment] if environment else []
    return subprocess.run([program, "replay", folder, "--timeout", SECONDS_OF_A_HANG, *options], check=False).returncode


sys.exit(main(*sys.argv[1:]))
