# tests/cuda/driver/questions.py: questions to a CUDA driver. Each is asked in a process of its own.
"""A question returns its answer as text. ask.py asks them; answers.toml has what a real driver answered."""
import ctypes
import os
import time

NON_BLOCKING = 1
HELD_SECONDS = 0.5
BYTES = 64
_driver = ctypes.CDLL("libcuda.so.1")
_keep = []  # host memory that queued work uses


def call(function, *arguments):
    return getattr(_driver, function)(*arguments)


def need(function, *arguments):
    status = call(function, *arguments)
    if status != 0:
        raise RuntimeError(f"{function} returned {status}")


def word(value=None):
    return ctypes.c_void_p(value)


def made(function, *arguments):
    """What a driver function writes to its first argument."""
    out = ctypes.c_void_p()
    need(function, ctypes.byref(out), *arguments)
    return out.value


def initialise():
    need("cuInit", 0)


def context():
    initialise()
    need("cuCtxSetCurrent", word(made("cuDevicePrimaryCtxRetain", 0)))


def new_stream(flags=NON_BLOCKING):
    return made("cuStreamCreate", flags)


def destroyed_stream():
    stream = new_stream()
    need("cuStreamDestroy_v2", word(stream))
    return stream


def device_memory():
    return made("cuMemAlloc_v2", ctypes.c_size_t(BYTES))


def pinned_memory():
    return made("cuMemAllocHost_v2", ctypes.c_size_t(BYTES))


def pageable_memory(text=b""):
    _keep.append(ctypes.create_string_buffer(text, BYTES))
    return ctypes.addressof(_keep[-1])


def event():
    return made("cuEventCreate", 0)


def copy(to, source, stream=None, asynchronous=True):
    size = ctypes.c_size_t(BYTES)
    if not asynchronous:
        return call("cuMemcpy", word(to), word(source), size)
    return call("cuMemcpyAsync", word(to), word(source), size, word(stream))


# ---- Questions without a capture or a held stream.

def copy_without_context():
    initialise()
    return str(copy(pageable_memory(), pageable_memory()))


def host_copy():
    context()
    to, source = pageable_memory(), pageable_memory(b"copied")
    status = copy(to, source)
    need("cuStreamSynchronize", None)
    return f"{status}, {'copied' if ctypes.string_at(to, 6) == b'copied' else 'not copied'}"


def allocate_nothing():
    context()
    return str(call("cuMemAlloc_v2", ctypes.byref(word()), ctypes.c_size_t(0)))


def fork_after_use():
    context()
    child = os.fork()
    if child == 0:
        os._exit(call("cuMemAlloc_v2", ctypes.byref(word()), ctypes.c_size_t(BYTES)) & 255)
    return str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def attributes(address):
    """Memory type, whether it is managed, ordinal."""
    answers = []
    for attribute in (2, 8, 9):
        value = ctypes.c_int(-1)
        status = call("cuPointerGetAttribute", ctypes.byref(value), attribute, word(address))
        answers.append(str(value.value) if status == 0 else f"status {status}")
    return ", ".join(answers)


def attributes_of(memory):
    def ask():
        context()
        return attributes(memory())
    return ask


def freed_memory():
    memory = device_memory()
    need("cuMemFree_v2", word(memory))
    return memory


def context_of(stream):
    def ask():
        context()
        out = word()
        status = call("cuStreamGetCtx", word(stream() if callable(stream) else stream), ctypes.byref(out))
        return f"{status}, {'a context' if out.value else 'NULL'}"
    return ask


def with_handle(function, handle):
    def ask():
        context()
        return str(call(function, word(handle() if callable(handle) else handle)))
    return ask


def record_on(handle):
    def ask():
        context()
        return str(call("cuEventRecord", word(event()), word(handle() if callable(handle) else handle)))
    return ask


def free_without_context():
    context()
    memory = device_memory()
    need("cuCtxSetCurrent", None)
    return str(call("cuMemFree_v2", word(memory)))


def empty_graph():
    context()
    stream = new_stream()
    need("cuStreamBeginCapture_v2", word(stream), 2)
    graph = word()
    status = call("cuStreamEndCapture", word(stream), ctypes.byref(graph))
    nodes = ctypes.c_size_t(99)
    call("cuGraphGetNodes", graph, None, ctypes.byref(nodes))
    return f"{status}, {nodes.value} nodes"


def reused_handle():
    context()
    before = destroyed_stream()
    return "the same handle" if any(new_stream() == before for _ in range(64)) else "other handles"


PLAIN = {
    "cuMemcpyAsync without a current context": copy_without_context,
    "cuMemFree without a current context": free_without_context,
    "cuMemcpyAsync from host to host": host_copy,
    "cuMemAlloc of 0 bytes": allocate_nothing,
    "cuMemAlloc in a forked child of a process that used CUDA": fork_after_use,
    "cuPointerGetAttribute of device memory": attributes_of(device_memory),
    "cuPointerGetAttribute of pinned memory": attributes_of(pinned_memory),
    "cuPointerGetAttribute of pageable memory": attributes_of(pageable_memory),
    "cuPointerGetAttribute of freed memory": attributes_of(freed_memory),
    "cuPointerGetAttribute of NULL": attributes_of(lambda: None),
    **{f"cuStreamGetCtx of {number}": context_of(number) for number in (0, 1, 2, 3, 4, 4096)},
    "cuStreamGetCtx of a stream": context_of(new_stream),
    "cuStreamGetCtx of a destroyed stream": context_of(destroyed_stream),
    "cuStreamGetCtx of the address of zeroed memory": context_of(pageable_memory),
    **{f"cuStreamQuery of {number}": with_handle("cuStreamQuery", number) for number in (0, 1, 2, 3, 4)},
    "cuStreamQuery of a destroyed stream": with_handle("cuStreamQuery", destroyed_stream),
    "cuStreamSynchronize of 3": with_handle("cuStreamSynchronize", 3),
    "cuStreamSynchronize of a destroyed stream": with_handle("cuStreamSynchronize", destroyed_stream),
    "cuStreamDestroy of a destroyed stream": with_handle("cuStreamDestroy_v2", destroyed_stream),
    "cuEventRecord on 3": record_on(3),
    "cuEventRecord on a destroyed stream": record_on(destroyed_stream),
    "the handle of a new stream after another was destroyed": reused_handle,
    "the graph of an empty capture": empty_graph,
}


# ---- Questions while a stream is captured.

class Captured:
    """A stream in capture, and what was made before."""

    def __init__(self, mode, flags):
        context()
        self.stream, self.other, self.blocking = new_stream(flags), new_stream(), new_stream(0)
        self.event, self.memory, self.second = event(), device_memory(), device_memory()
        self.pinned = pinned_memory()
        need("cuEventRecord", word(self.event), word(self.other))
        need("cuCtxSynchronize")
        need("cuStreamBeginCapture_v2", word(self.stream), mode)

    def end(self):
        status, graph = ctypes.c_int(), word()
        need("cuStreamIsCapturing", word(self.stream), ctypes.byref(status))
        ended = call("cuStreamEndCapture", word(self.stream), ctypes.byref(graph))
        return "goes on" if status.value == 1 and ended == 0 else f"invalidated, EndCapture {ended}"


def other_stream_waits_for_it(captured):
    mine = event()
    need("cuEventRecord", word(mine), word(captured.stream))
    return call("cuStreamWaitEvent", word(captured.other), word(mine), 0)


def it_waits_for_other_stream(captured):
    mine = event()
    need("cuEventRecord", word(mine), word(captured.other))
    return call("cuStreamWaitEvent", word(captured.stream), word(mine), 0)


DURING_CAPTURE = {
    "cuStreamSynchronize of NULL": lambda c: call("cuStreamSynchronize", None),
    "cuStreamSynchronize of 1": lambda c: call("cuStreamSynchronize", word(1)),
    "cuStreamSynchronize of 2": lambda c: call("cuStreamSynchronize", word(2)),
    "cuStreamSynchronize of another stream": lambda c: call("cuStreamSynchronize", word(c.other)),
    "cuStreamSynchronize of the captured stream": lambda c: call("cuStreamSynchronize", word(c.stream)),
    "cuStreamQuery of NULL": lambda c: call("cuStreamQuery", None),
    "cuStreamQuery of another stream": lambda c: call("cuStreamQuery", word(c.other)),
    "cuStreamQuery of the captured stream": lambda c: call("cuStreamQuery", word(c.stream)),
    "cuCtxSynchronize": lambda c: call("cuCtxSynchronize"),
    "cuEventSynchronize": lambda c: call("cuEventSynchronize", word(c.event)),
    "cuEventQuery": lambda c: call("cuEventQuery", word(c.event)),
    "cuEventCreate": lambda c: call("cuEventCreate", ctypes.byref(word()), 0),
    "cuEventDestroy": lambda c: call("cuEventDestroy_v2", word(c.event)),
    "cuEventRecord on NULL": lambda c: call("cuEventRecord", word(c.event), None),
    "cuEventRecord on another stream": lambda c: call("cuEventRecord", word(c.event), word(c.other)),
    "cuStreamWaitEvent of NULL": lambda c: call("cuStreamWaitEvent", None, word(c.event), 0),
    "cuStreamWaitEvent of another stream": lambda c: call("cuStreamWaitEvent", word(c.other), word(c.event), 0),
    "another stream waits for an event of the captured one": other_stream_waits_for_it,
    "the captured stream waits for an event of another one": it_waits_for_other_stream,
    "cuMemAlloc": lambda c: call("cuMemAlloc_v2", ctypes.byref(word()), ctypes.c_size_t(BYTES)),
    "cuMemFree": lambda c: call("cuMemFree_v2", word(c.memory)),
    "cuMemAllocHost": lambda c: call("cuMemAllocHost_v2", ctypes.byref(word()), ctypes.c_size_t(BYTES)),
    "cuMemcpy from host to device": lambda c: copy(c.memory, pageable_memory(), asynchronous=False),
    "cuMemcpy from device to device": lambda c: copy(c.memory, c.second, asynchronous=False),
    "cuMemcpyAsync on NULL": lambda c: copy(c.memory, c.pinned),
    "cuMemcpyAsync on 1": lambda c: copy(c.memory, c.pinned, 1),
    "cuMemcpyAsync on another stream": lambda c: copy(c.memory, c.pinned, c.other),
    "cuMemcpyAsync on the captured stream": lambda c: copy(c.memory, c.pinned, c.stream),
    "cuStreamCreate": lambda c: call("cuStreamCreate", ctypes.byref(word()), NON_BLOCKING),
    "cuStreamDestroy of another stream": lambda c: call("cuStreamDestroy_v2", word(c.other)),
    "cuStreamGetCtx of another stream": lambda c: call("cuStreamGetCtx", word(c.other), ctypes.byref(word())),
    "cuPointerGetAttribute": lambda c: 0 if attributes(c.memory).startswith("2") else 1,
}
CAPTURES = {"global": (0, NON_BLOCKING), "thread-local": (1, NON_BLOCKING), "relaxed": (2, NON_BLOCKING),
            "thread-local, blocking": (1, 0), "relaxed, blocking": (2, 0)}


def during_capture(work, variant):
    captured = Captured(*CAPTURES[variant])
    return f"{work(captured)}, {captured.end()}"


# ---- Questions while a host function holds a stream.

WHILE_HELD = {
    "cuMemFree": lambda h: call("cuMemFree_v2", word(h.memory)),
    "cuMemAlloc": lambda h: call("cuMemAlloc_v2", ctypes.byref(word()), ctypes.c_size_t(BYTES)),
    "cuMemAllocHost": lambda h: call("cuMemAllocHost_v2", ctypes.byref(word()), ctypes.c_size_t(BYTES)),
    "cuMemFreeHost": lambda h: call("cuMemFreeHost", word(h.spare)),
    "cuMemcpy from pageable memory": lambda h: copy(h.second, pageable_memory(), asynchronous=False),
    "cuMemcpy from device to device": lambda h: copy(h.second, h.memory, asynchronous=False),
    "work on NULL": lambda h: h.work(None),
    "work on 1": lambda h: h.work(1),
    "work on 2": lambda h: h.work(2),
    "work on another stream": lambda h: h.work(h.other),
    "cuStreamCreate": lambda h: call("cuStreamCreate", ctypes.byref(word()), NON_BLOCKING),
    "cuStreamDestroy of another stream": lambda h: call("cuStreamDestroy_v2", word(h.other)),
    "cuStreamDestroy of the held stream": lambda h: call("cuStreamDestroy_v2", word(h.stream)),
    "cuEventCreate": lambda h: call("cuEventCreate", ctypes.byref(word()), 0),
    "cuStreamSynchronize of the held stream": lambda h: call("cuStreamSynchronize", word(h.stream)),
}
HOLDS = {"blocking": 0, "non-blocking": NON_BLOCKING}


class Held:
    """A stream that waits in a host function. The function is of the C library, as Python code would need the GIL."""

    def __init__(self, flags):
        context()
        self.stream, self.other = new_stream(flags), new_stream()
        self.memory, self.second, self.pinned, self.spare = (device_memory(), device_memory(), pinned_memory(),
                                                             pinned_memory())
        need("cuCtxSynchronize")
        sleep = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p)
        self.began = time.monotonic()
        need("cuLaunchHostFunc", word(self.stream), sleep, word(int(HELD_SECONDS * 1e6)))

    def work(self, stream):
        status = copy(self.second, self.pinned, stream)
        return status or call("cuStreamSynchronize", word(stream))


def while_held(work, variant):
    held = Held(HOLDS[variant])
    status = work(held)
    waited = "waits" if time.monotonic() - held.began > HELD_SECONDS * 0.8 else "at once"
    need("cuCtxSynchronize")
    return waited if status == 0 else f"{status}, {waited}"


def questions():
    """All of them: (table, question, variant) and a function without arguments."""
    for name, ask in PLAIN.items():
        yield ("plain", name, ""), ask
    for name, work in DURING_CAPTURE.items():
        for variant in CAPTURES:
            yield ("capture", name, variant), lambda work=work, variant=variant: during_capture(work, variant)
    for name, work in WHILE_HELD.items():
        for variant in HOLDS:
            yield ("held", name, variant), lambda work=work, variant=variant: while_held(work, variant)
