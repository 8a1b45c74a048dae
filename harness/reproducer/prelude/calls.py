# harness/reproducer/prelude/calls.py: the C functions that a reproducer needs, through ctypes.
import ctypes
import gc
import json
import os
import select
import signal
import struct
import sys
import threading
import time
import types
import weakref

MASK = (1 << 64) - 1
SLOTS, PAGE = 4, 4096
CAPACITY = 64 * 1024  # bytes of elements that a slot backs
CANARY = b"\xC5"
NAMES = (b"dltensor", b"dltensor_versioned", b"used_dltensor", b"used_dltensor_versioned")
HOST = (1, 3, 11, 13)  # types of devices whose memory the host reads and writes itself
TYPES = {"bool": (6, 8, 1), "bfloat16": (4, 16, 1)}
TYPES.update(("int%d" % n, (0, n, 1)) for n in (8, 16, 32, 64))
TYPES.update(("uint%d" % n, (1, n, 1)) for n in (8, 16, 32, 64))
TYPES.update(("float%d" % n, (2, n, 1)) for n in (16, 32, 64))
TYPES.update(("complex%d" % n, (5, n, 1)) for n in (32, 64, 128))
TYPES.update(("float8_" + n, (7 + i, 8, 1)) for i, n in enumerate(
    "e3m4 e4m3 e4m3b11fnuz e4m3fn e4m3fnuz e5m2 e5m2fnuz e8m0fnu".split()))



def printable(text, limit=2000):
    """The text for a terminal, on one line: a library may say anything."""
    shown = "".join(char if " " <= char <= "~" else ascii(char)[1:-1] for char in text[:limit])
    return shown if len(text) <= limit else "%s... (%d characters)" % (shown, len(text))


def text_of(error):
    try:
        return str(error)
    except Exception as second:
        return "an exception whose text cannot be had: " + type(second).__name__


# ---- The C functions that are needed.


class IoVector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
LIBC.pthread_create.argtypes = [ctypes.c_void_p] * 4
LIBC.pthread_join.argtypes = [ctypes.c_ulong, ctypes.c_void_p]
for function in (LIBC.process_vm_readv, LIBC.process_vm_writev):
    function.restype = ctypes.c_ssize_t
    function.argtypes = [ctypes.c_int, ctypes.POINTER(IoVector), ctypes.c_ulong, ctypes.POINTER(IoVector),
                         ctypes.c_ulong, ctypes.c_ulong]


def python(name, result, *arguments):
    """A function of CPython. Capsules go in as addresses: a dying one must not be touched as an object."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


POINTER = ctypes.c_void_p
capsule_new = python("PyCapsule_New", ctypes.py_object, POINTER, POINTER, POINTER)
capsule_name_address = python("PyCapsule_GetName", POINTER, POINTER)
capsule_set_name = python("PyCapsule_SetName", ctypes.c_int, POINTER, POINTER)
capsule_pointer = python("PyCapsule_GetPointer", POINTER, POINTER, POINTER)
capsule_context = python("PyCapsule_GetContext", POINTER, POINTER)
capsule_set_context = python("PyCapsule_SetContext", ctypes.c_int, POINTER, POINTER)
capsule_destructor = python("PyCapsule_GetDestructor", POINTER, POINTER)
error_fetch = python("PyErr_Fetch", None, POINTER, POINTER, POINTER)
CALLBACK = ctypes.CFUNCTYPE(None, POINTER)
KEPT = []  # C strings that capsules point to


def c_string(text):
    """Address of a C string that stays alive; 0 for None."""
    if text is None:
        return 0
    KEPT.append(ctypes.create_string_buffer(text))
    return ctypes.addressof(KEPT[-1])


def peek(address, size):
    """The bytes there, or None where the memory cannot be read; never a fault."""
    if size <= 0:
        return b""
    if not 0 <= address <= MASK - size:
        return None
    buffer = ctypes.create_string_buffer(size)
    here, there = IoVector(ctypes.addressof(buffer), size), IoVector(address, size)
    return buffer.raw if LIBC.process_vm_readv(os.getpid(), here, 1, there, 1, 0) == size else None


def poke(address, data):
    """Writes the bytes there; False where the memory cannot be written."""
    buffer = ctypes.create_string_buffer(data, len(data))
    here, there = IoVector(ctypes.addressof(buffer), len(data)), IoVector(address & MASK, len(data))
    return LIBC.process_vm_writev(os.getpid(), here, 1, there, 1, 0) == len(data)


def readable(address, size):
    return peek(address & MASK, size) is not None


def element_count(shape):
    count = 1
    for extent in shape:
        count *= max(0, extent)
    return count


def other_bits(bits):
    """Bits of the same type that differ: the lowest bit is the other one, which keeps a bool 0 or 1."""
    return bytes([bits[0] ^ 1]) + bits[1:]


def seen_name(address):
    """Name of a capsule, read under suspicion."""
    if not address:
        return "null"
    for name in NAMES:
        if peek(address, len(name) + 1) == name + b"\0":
            return name.decode()
    return "foreign"


def storage(address):
    """static: the address lies in a mapping of a file."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            low, high = (int(end, 16) for end in line.split()[0].split("-"))
            if address and low <= address < high:
                return "static" if line.split()[5:] and line.split()[5].startswith("/") else "other"
    return "unknown"


def argument_text(value):
    """An argument as facts write it."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return "string"
    try:
        if isinstance(value, int):
            return str(int(value)) if -(1 << 63) <= value < 1 << 63 else "huge"
        if isinstance(value, (tuple, list)) and any(isinstance(item, float) for item in value):
            return "floats"
        if isinstance(value, (tuple, list)) and (len(value) == 2 or (len(value) == 1 and isinstance(value, tuple))):
            numbers = type(value)(item.__index__() for item in value)
            return str(numbers) if type(value) in (tuple, list) else "object"
    except (AttributeError, TypeError):
        pass
    return "object"


def argument(kind, a, b):
    """An argument of a call, as the recipe describes it."""
    return {"none": None, "pair": (a, b), "int": a, "true": True, "false": False, "list": [a, b], "one-tuple": (a,),
            "string": "dlpack", "floats": (float(a), b), "huge": (1 << 200, 0), "object": object()}[kind]


def keywords(call, names):
    """The keywords of a call that are not absent; `names` says how the callee calls them."""
    chosen = {names[key]: argument(*value) for key, value in call.items() if key in names and type(value) is tuple and value[0] != "absent"}
    if call["unknown_keyword"] and "unknown_keyword" in names:
        chosen["nonsense"] = 1
    return chosen
