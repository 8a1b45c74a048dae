# tests/worker/misbehaving/adapter.py: the toy library, which does one misdeed when it imports a tensor with unknown flags.
"""The variable MISDEED names the deed, or "import:DEED" for the import of the library itself, "deleter:DEED" for the
moment at which an import is dropped, "collect:DEED" for the next garbage collection."""
import ctypes
import gc
import importlib.util
import os
import signal
import time

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "toy_adapter", "adapter.py")
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})

KNOWN_FLAGS = 7
LIBC = ctypes.CDLL(None)


def segfault():
    ctypes.string_at(8)


def throw():
    # What the C++ runtime does with an exception that leaves a noexcept function.
    ctypes.CDLL("libstdc++.so.6")._ZSt9terminatev()


def exit_from_c():
    LIBC.exit(3)


def exit_well():
    os._exit(0)


def raise_exit():
    raise SystemExit(0)


def hang():
    time.sleep(3600)


def hang_deaf():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass


def eat_memory():
    eaten = []
    while True:
        eaten.append(bytearray(os.urandom(1)) * (16 << 20))
        time.sleep(0.001)


def kill_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


def kill_its_group():
    os.killpg(0, signal.SIGTERM)


def kill_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(3600)  # until the kernel has told this process of its parent's death


def close_descriptors():
    os.closerange(0, 256)


def leave_a_child():
    # The child of the library holds every descriptor that it inherits, and outlives the library.
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(4)


def print_much():
    for _ in range(1000):
        os.write(1, b"\xff\n{\"type\":\"bye\"}\n" * 100)
        os.write(2, b"a line without an end" * 100)


def handle_signals():
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
        signal.signal(number, signal.SIG_IGN)
    segfault()


DEEDS = {deed.__name__: deed for deed in (
    segfault, os.abort, throw, exit_from_c, exit_well, raise_exit, hang, hang_deaf, eat_memory, kill_itself, stop_itself,
    kill_its_group, kill_its_parent, close_descriptors, leave_a_child, print_much, handle_signals)}
_when, _, _name = os.environ.get("MISDEED", "").rpartition(":")


class AtCollection:
    """Part of a cycle: only the collector finalizes it."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        DEEDS[_name]()


GoodImport = toy.Imported


class BadImport(GoodImport):
    def __del__(self):
        if _when == "deleter" and getattr(self.managed, "flags", 0) & ~KNOWN_FLAGS:
            DEEDS[_name]()
        GoodImport.__del__(self)


toy.Imported = BadImport
if _when == "import":
    DEEDS[_name]()


def from_dlpack(obj, **kw):
    array = toy.from_dlpack(obj, **kw)
    managed = array.owner.managed
    # A probe offers version 1.0, the cases about flags offer newer ones.
    if _name == "in_a_probe" and not array.shape and getattr(managed, "minor", 1) == 0:
        segfault()
    if isinstance(managed, toy.ManagedVersioned) and managed.flags & ~KNOWN_FLAGS:
        if _when == "collect":
            AtCollection()
            gc.collect()
        elif _name in DEEDS and not _when:
            DEEDS[_name]()
    return array
