# harness/reproducer/prelude/calls.py: functions of libc and CPython, called through ctypes.
import atexit
import ctypes
import enum
import functools
import gc
import json
import mmap
import os
import re
import shutil
import signal
import struct
import sys
import tempfile
import threading
import time
import traceback
import types
import warnings
import weakref

# Shared with the child. First byte: 1: library imported; 2: not reproduced; 3: reproduced; 4: finalises its own interpreter.
STATE = mmap.mmap(-1, 384)
BEGUN, RETURNED = 128, 256  # where deleters set marks in it, in processes that may crash
PAGE, MASK = 4096, (1 << 64) - 1
CAPACITY = 64 * 1024  # most bytes of elements in an offered tensor
HOST = (1, 3, 11, 13)  # device types whose memory the host can read and write directly
POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t


def c_function(name, result, *arguments):
    """A function of libc or CPython. It takes capsules as addresses: a dying one cannot be passed as an object."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


map_memory = c_function("mmap", POINTER, POINTER, SIZE, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
protect = c_function("mprotect", ctypes.c_int, POINTER, SIZE, ctypes.c_int)
read_memory = c_function("process_vm_readv", SIZE, ctypes.c_int, POINTER, SIZE, POINTER, SIZE, SIZE)
write_memory = c_function("process_vm_writev", SIZE, ctypes.c_int, POINTER, SIZE, POINTER, SIZE, SIZE)
start_thread = c_function("pthread_create", ctypes.c_int, *[POINTER] * 4)
capsule_new = c_function("PyCapsule_New", ctypes.py_object, POINTER, ctypes.c_char_p, POINTER)
capsule_is_valid = c_function("PyCapsule_IsValid", ctypes.c_int, POINTER, ctypes.c_char_p)
capsule_name = c_function("PyCapsule_GetName", POINTER, POINTER)
capsule_set_name = c_function("PyCapsule_SetName", ctypes.c_int, POINTER, ctypes.c_char_p)
capsule_pointer = c_function("PyCapsule_GetPointer", POINTER, POINTER, POINTER)
named_pointer = c_function("PyCapsule_GetPointer", POINTER, POINTER, ctypes.c_char_p)
capsule_context = c_function("PyCapsule_GetContext", POINTER, POINTER)
capsule_set_context = c_function("PyCapsule_SetContext", ctypes.c_int, POINTER, POINTER)
capsule_destructor = c_function("PyCapsule_GetDestructor", POINTER, POINTER)
object_release = c_function("Py_DecRef", None, POINTER)
clear_exception = c_function("PyErr_Clear", None)
CALLBACK = ctypes.CFUNCTYPE(None, POINTER)


def fresh(**arguments):
    """The same keywords with names that are new strings, not interned ones."""
    return {"".join(list(name)): value for name, value in arguments.items()}


def peek(address, size):
    """The bytes at that address, or None if the memory cannot be read. Never crashes."""
    if not 0 <= size <= MASK - (address & MASK):
        return None
    buffer = ctypes.create_string_buffer(size + 1)
    here, there = (SIZE * 2)(ctypes.addressof(buffer), size), (SIZE * 2)(address & MASK, size)
    return buffer.raw[:size] if read_memory(os.getpid(), here, 1, there, 1, 0) == size else None


def poke(address, data):
    """Writes the bytes to that address; returns False if the memory cannot be written."""
    buffer = ctypes.create_string_buffer(data, len(data))
    here, there = (SIZE * 2)(ctypes.addressof(buffer), len(data)), (SIZE * 2)(address & MASK, len(data))
    return write_memory(os.getpid(), here, 1, there, 1, 0) == len(data)


def places(shape, strides):
    """The offsets of all elements, in row-major order."""
    found = [0] if 0 not in shape else []  # without elements the other extents may be huge
    for extent, stride in zip(shape, strides):
        found = [at + i * stride for at in found for i in range(extent)]
    return found


def element_count(shape):
    return functools.reduce(lambda count, extent: count * max(0, extent), shape, 1)


def compact(shape):
    """The strides of a compact row-major tensor."""
    return [element_count(shape[axis + 1:]) for axis in range(len(shape))]


def read_strided(address, shape, byte_strides, item):
    """All elements, row-major, as bytes; "unreadable" if the memory cannot be read."""
    if any(extent < 0 for extent in shape) or element_count(shape) * item > 4 * CAPACITY or item <= 0:
        return "unreadable"
    found = places(shape, byte_strides)
    lowest, end = min(found, default=0), max(found, default=-item) + item
    whole = peek(address + lowest, end - lowest) if end - lowest < 1 << 30 else None
    return "unreadable" if whole is None else b"".join(whole[at - lowest:at - lowest + item] for at in found)


def bits_at(raw, bit, width):
    """One packed element. Low bits come first."""
    return int.from_bytes(raw[bit // 8:bit // 8 + 2], "little") >> bit % 8 & (1 << width) - 1


def set_bits(raw, bit, width, value):
    at, mask = bit // 8, (1 << width) - 1 << bit % 8
    both = int.from_bytes(raw[at:at + 2], "little") & ~mask | value << bit % 8
    raw[at:at + 2] = both.to_bytes(len(raw[at:at + 2]), "little")


def read_packed(address, shape, strides, width, first=0, high_first=False, pitch=None):
    """All packed elements, row-major, as one byte each. Element 0 starts at the bit `first`."""
    found = [first + at * (pitch or width) for at in places(shape, strides)]
    if high_first:
        found = [at // 8 * 8 + 8 - width - at % 8 for at in found]
    low = min(found, default=0) // 8
    whole = peek(address + low, (max(found, default=-width) + width + 7) // 8 - low)
    return "unreadable" if whole is None else bytes(bits_at(whole, at - low * 8, width) for at in found)


def other_bits(bits):
    """A different value of the same type: the lowest bit is flipped, so a bool stays 0 or 1."""
    return bytes([bits[0] ^ 1]) + bits[1:]


def seen_name(address):
    """The name of a capsule, read without trusting its pointer."""
    for name in (b"dltensor", b"dltensor_versioned", b"used_dltensor", b"used_dltensor_versioned"):
        if address and peek(address, len(name) + 1) == name + b"\0":
            return name.decode()
    return "foreign" if address else "null"


def storage(address):
    """Returns static if the address is in memory that is mapped from a file."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            low, high = (int(end, 16) for end in line.split()[0].split("-"))
            if address and low <= address < high:
                return "static" if line.split()[5:] and line.split()[5].startswith("/") else "other"
    return "unknown"


def argument_text(value):
    """An argument in the notation of facts."""
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


def numbers_text(values):
    """Numbers in the notation of facts: at most 64, clipped to 64 bits."""
    numbers = str(tuple(max(-1 << 63, min(int(value), MASK >> 1)) for value in values[:64]))
    return numbers if len(values) <= 64 else numbers[:-1] + ", ...)"


def parts_text(changed):
    """The names of the changed struct fields in their order, or none."""
    order = ("version manager_ctx deleter flags data device ndim dtype shape-pointer strides-pointer byte_offset shape "
             "strides")
    return " ".join(part for part in order.split() if part in changed) or "none"
