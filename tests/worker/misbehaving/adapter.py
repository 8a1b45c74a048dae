# tests/worker/misbehaving/adapter.py: the toy library, which does one misdeed when it imports a tensor with unknown flags.
"""The variable MISDEED names the deed, or "import:DEED" for the import of the library itself, "deleter:DEED" for the
moment at which an import is dropped, "collect:DEED" for the next garbage collection, "fork:DEED" for every child that is
forked, "release:DEED" for release(), "values:DEED" for the elements of any matrix of int32, "always:DEED" for every
tensor."""
import ctypes
import gc
import importlib.util
import os
import resource
import shutil
import signal
import struct
import tempfile
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


def misname():
    as_library("nothing")


def fail_internally():
    raise RuntimeError("INTERNAL: invalid resource handle")


def misname_in_the_adapter():
    nothing  # noqa: F821


given = None  # what from_dlpack was called with


def as_library(code):
    """What it raises comes from the library, and not from the adapter."""
    exec(code, {"__name__": "library", "given": given})


def mistype():
    as_library("None.tensor")


def mistype_of_what_was_given():
    as_library("given.__dlpack__().tensor")


def complain_of_none():
    as_library("raise AttributeError(\"'NoneType' object has no attribute 'tensor'\")")


def complain_without_reason():
    as_library("raise AttributeError('the object has no __dlpack__')")


def complain_of_nothing():
    as_library("raise AttributeError")


def ask_for_what_it_lacks():
    as_library("given.__array_interface__")


def ask_its_type_for_what_it_lacks():
    as_library("type(given).__array_interface__")


def complain_of_what_it_lacks():
    as_library("raise AttributeError('the object has no __array_interface__')")


def break_the_contract():
    ctypes.pythonapi.PyErr_BadInternalCall()  # as CPython does for a C function that returns NULL and sets nothing


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
    time.sleep(3600)  # until the kernel ends this process after its parent's end


def remove_the_folder_of_its_worker():
    with open("/proc/self/maps") as maps:
        board = next(line for line in maps if line.rstrip().endswith("/board")).split()[-1]
    shutil.rmtree(os.path.dirname(board))
    return os.path.dirname(board)


def need_another_folder():
    remove_the_folder_of_its_worker()
    kill_its_parent()


def leave_no_folder():
    with open(remove_the_folder_of_its_worker(), "w"):
        kill_its_parent()


def close_descriptors():
    os.closerange(0, 1 << 20)


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


def board():
    """Where the memory lies that the test program shares between its processes."""
    with open("/proc/self/maps", encoding="ascii") as maps:
        lines = [line.split() for line in maps if line.rstrip().endswith("/board")]
    begin, end = (int(number, 16) for number in lines[0][0].split("-"))
    return begin, end - begin


def scribble():
    begin, size = board()
    ctypes.memmove(begin, os.urandom(size), size)


def scribble_head():
    begin, _ = board()
    ctypes.memmove(begin, os.urandom(264), 264)


def scribble_index():
    begin, _ = board()
    ctypes.memmove(begin + 8, struct.pack("i", -7), 4)


def scribble_huge_index():
    begin, _ = board()
    ctypes.memmove(begin + 8, struct.pack("i", 2**31 - 1), 4)


def scribble_and_die():
    scribble()
    segfault()


def write_everywhere():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b'{"type":"bye"}\n{"type":"observation","case":"')
        except OSError:
            pass


def fork_and_return():
    if os.fork() != 0:
        os.wait()


def execute():
    os.execv("/bin/true", ["true"])


def lower_limits():
    with open("/proc/self/statm", encoding="ascii") as sizes:
        used = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))


def take_the_address_space():
    LIBC.mmap.restype = ctypes.c_void_p
    for size in (1 << 30, 1 << 26):
        while LIBC.mmap(None, ctypes.c_size_t(size), 0, 0x4022, -1, 0) != ctypes.c_size_t(-1).value:
            pass  # reserved, and never used


def arm_timer():
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(ValueError("no")))
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.01)


def leave_folder():
    os.chdir(tempfile.mkdtemp())
    shutil.rmtree(os.getcwd())


def round_up():
    ctypes.CDLL("libm.so.6").fesetround(0x800)


def trap_numbers():
    ctypes.CDLL("libm.so.6").feenableexcept(0x3d)


def block_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def dawdle():
    time.sleep(0.3)


def lower_hard_limits():
    resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))


def stop_under_trace():
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)  # PTRACE_TRACEME
    os.kill(os.getpid(), 5)  # SIGTRAP


def forbid_foreign_memory():
    """A seccomp filter, as containers have it: process_vm_readv and process_vm_writev fail with EPERM."""
    load, equal, give, allow = 0x20, 0x15, 0x06, 0x7fff0000
    program = struct.pack("HBBI" * 5, load, 0, 0, 0, equal, 1, 0, 310, equal, 0, 1, 311,
                          give, 0, 0, 0x00050001, give, 0, 0, allow)
    kept = ctypes.create_string_buffer(program)
    filled = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 5, ctypes.addressof(kept)))
    assert LIBC.prctl(38, 1, 0, 0, 0) == 0 and LIBC.prctl(22, 2, filled, 0, 0) == 0
    assert LIBC.syscall(310, os.getpid(), None, 0, None, 0, 0) == -1


def note_that_it_left():
    with open(os.environ["LEFT"], "ab") as file:
        file.write(b".")


def leave_processes():
    """Each in a session or in a process group of its own."""
    for leave in (os.setsid, lambda: os.setpgid(0, 0)):
        first = os.fork()
        if first == 0:
            leave()
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(0)
        os.waitpid(first, 0)
    note_that_it_left()


def leave_processes_and_hang():
    leave_processes()
    hang()


def keep_forking():
    if os.fork() == 0:
        os.setsid()
        while os.fork() == 0:
            time.sleep(0.002)
        os._exit(0)
    note_that_it_left()


needed = None


def need_a_process():
    global needed
    needed = os.fork()
    if needed == 0:
        time.sleep(3600)


kept = []


def leak_then_die():
    """The array lives for ever; who looks for a smaller one, after three runs of the one that was found, dies of it."""
    if len(kept) > 2:
        segfault()


DEEDS = {deed.__name__: deed for deed in (
    segfault, os.abort, throw, exit_from_c, exit_well, raise_exit, misname, fail_internally,
    misname_in_the_adapter, mistype, mistype_of_what_was_given, complain_of_none, complain_without_reason,
    complain_of_nothing, ask_for_what_it_lacks, ask_its_type_for_what_it_lacks, complain_of_what_it_lacks,
    break_the_contract, hang, hang_deaf, eat_memory, kill_itself, stop_itself,
    kill_its_group, kill_its_parent, need_another_folder, leave_no_folder, close_descriptors, leave_a_child, print_much,
    handle_signals, scribble, scribble_head,
    scribble_index, scribble_huge_index, scribble_and_die, write_everywhere, fork_and_return, execute, lower_limits,
    arm_timer, leave_folder, round_up, trap_numbers, block_signals, dawdle, leak_then_die, stop_under_trace,
    lower_hard_limits, forbid_foreign_memory, leave_processes, leave_processes_and_hang, keep_forking,
    need_a_process, take_the_address_space)}
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
elif _when == "fork":
    os.register_at_fork(after_in_child=DEEDS[_name])


def values(array):
    if _when == "values" and array.dtype == "int32" and len(array.shape) == 2:
        DEEDS[_name]()
    return toy.values(array)


def release():
    if _when == "release":
        DEEDS[_name]()


def from_dlpack(obj, **kw):
    global given
    given = obj
    if needed:
        os.kill(needed, 0)
    if _when == "always":
        DEEDS[_name]()
    array = toy.from_dlpack(obj, **kw)
    managed = array.owner.managed
    # A probe offers version 1.0, the cases about flags offer newer ones.
    if _name == "in_a_probe" and not array.shape and getattr(managed, "minor", 1) == 0:
        segfault()
    if _when == "with_offset" and managed.tensor.byte_offset not in (0, 256):  # 256: a probe's
        DEEDS[_name]()
    if isinstance(managed, toy.ManagedVersioned) and managed.flags & ~KNOWN_FLAGS:
        if _when == "collect":
            AtCollection()
            gc.collect()
        elif _name in DEEDS and not _when:
            DEEDS[_name]()
            if _name == "leak_then_die":
                kept.append(array)
    return array
