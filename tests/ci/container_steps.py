# tests/ci/container_steps.py: runs the steps of the Dockerfile in a Debian root made by mmdebstrap, and judges there.
"""Usage: container_steps.py WHEEL. It needs root, mmdebstrap and the network. Exit status 0 if the reference and NumPy are judged as
docs/install.md says, 1 otherwise. Debian's python3 has no shared libpython there, so the interpreter itself loads the worker.
The root is of the machine of the wheel: for another machine than this one it needs qemu-user-static, and patience."""
import contextlib
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
SUITES = {"debian:12-slim": "bookworm"}
LEAST_PASSED = 150
# The architecture of Debian, and how much longer everything may take.
MACHINES = {"x86_64": ("amd64", 1), "aarch64": ("arm64", 10)}


class Container:
    """A root made of the steps of the Dockerfile. The context of the build is the folder of the wheel."""

    def __init__(self, root, context, machine):
        self.root, self.context, self.mounted = root, context, False
        self.architecture, self.slowness = MACHINES[machine]
        self.folder, self.entry, self.env = "/", [], {"HOME": "/root", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}

    def build(self):
        steps = re.sub(r"\\\n", "", (TREE / "Dockerfile").read_text(encoding="utf-8"))
        for line in steps.splitlines():
            if line and not line.startswith("#"):
                step, text = line.split(" ", 1)
                getattr(self, f"do_{step.lower()}")(text)

    def do_from(self, image):
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--architectures={self.architecture}", SUITES[image], self.root], check=True)
        shutil.copy("/etc/resolv.conf", f"{self.root}/etc/resolv.conf")
        subprocess.run(["mount", "-t", "proc", "proc", f"{self.root}/proc"], check=True)
        self.mounted = True

    def close(self):
        if self.mounted:
            subprocess.run(["umount", f"{self.root}/proc"], check=True)

    def do_run(self, command):
        ran = self.run(["/bin/sh", "-c", command])
        if ran.returncode != 0:
            raise SystemExit(f"Dockerfile: {command}: status {ran.returncode}: {(ran.stdout + ran.stderr)[-2000:]}")

    def do_copy(self, paths):
        pattern, target = paths.split()
        os.makedirs(f"{self.root}{target}", exist_ok=True)
        for path in glob.glob(f"{self.context}/{pattern}"):
            shutil.copy(path, f"{self.root}{target}")

    def do_env(self, setting):
        name, value = setting.split("=", 1)
        self.env[name] = value

    def do_workdir(self, folder):
        self.folder = folder
        os.makedirs(f"{self.root}{folder}", exist_ok=True)

    def do_entrypoint(self, words):
        self.entry = json.loads(words)

    def run(self, command):
        command = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', self.folder, *command]
        return subprocess.run([shutil.which("chroot"), self.root, *command], capture_output=True, text=True, check=False,
                              timeout=600 * self.slowness, env=self.env)


def first_mistake(container, numpy):
    """What is wrong in the container, or an empty string."""
    doctor = container.run([*container.entry, "doctor"])
    if doctor.returncode != 0 or "libpython" not in doctor.stdout:
        return f"doctor: status {doctor.returncode}: {doctor.stdout}{doctor.stderr}"
    shutil.copy(numpy, f"{container.root}/opt/wheel/")
    container.do_run(f"/opt/dlpack-cts/bin/pip install --no-index /opt/wheel/{os.path.basename(numpy)}")
    for library, statuses in (("reference", (0,)), ("numpy", (0, 1))):
        ran = container.run([*container.entry, "run", library, "--sweep", "500", "--format", "json", "--out", "report"])
        lines = [json.loads(line) for line in ran.stdout.splitlines()] or [{}]
        passed = sum(line.get("verdict") == "PASS" for line in lines)
        worse = [f"{line['verdict']} {line['case']}" for line in lines if line.get("verdict") in ("FAIL", "UNSAFE", "CRASH", "LEAK")
                 and line.get("type") == "result"]
        print(f"run {library}: status {ran.returncode}, {passed} PASS, {len(worse)} FAIL or worse: {', '.join(worse) or 'none'}")
        if ran.returncode not in statuses or passed < LEAST_PASSED or not lines[-1].get("complete"):
            return f"run {library}: status {ran.returncode}, {passed} PASS: {ran.stderr[-2000:]}"
    page = pathlib.Path(f"{container.root}{container.folder}/report/index.html")
    return "" if page.exists() else "run numpy: there is no page in the folder of the report"


def main(wheel):
    machine = next(name for name in MACHINES if wheel.endswith(f"_{name}.whl"))
    with tempfile.TemporaryDirectory() as folder:
        # The wheel of NumPy comes from here: the container needs no package index.
        subprocess.run([sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary=:all:",
                        "--python-version=3.11", f"--platform=manylinux_2_28_{machine}", f"--platform=manylinux_2_27_{machine}",
                        "-d", folder, "numpy==2.4.6"], check=True)
        container = Container(f"{folder}/root", os.path.dirname(os.path.abspath(wheel)), machine)
        with contextlib.closing(container):  # before the folder is removed
            container.build()
            mistake = first_mistake(container, glob.glob(f"{folder}/numpy-*.whl")[0])
    print(f"Dockerfile: {mistake or 'as expected'}")
    return 1 if mistake else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
