# adapters/pyav/adapter.py: PyAV's video frames of one grey plane as consumer, and their planes as producer.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import av  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402

FORMATS = {"uint8": "gray", "uint16": "gray16le"}
NAME_OF = {layout: name for name, layout in FORMATS.items()}


class Picture:
    """A frame and its plane: frames import, and planes export."""

    def __init__(self, frame):
        self.frame, self.name = frame, NAME_OF[frame.format.name]

    @property
    def plane(self):
        if not self.frame.planes:
            raise NotImplementedError("an empty frame at address NULL has no plane that exports")
        return self.frame.planes[0]

    def __dlpack__(self, **kw):
        return self.plane.__dlpack__(**kw)

    def __dlpack_device__(self):
        return self.plane.__dlpack_device__()


def version():
    return av.__version__


def from_dlpack(obj, dtype, ndim):
    if dtype not in FORMATS or ndim != 2:
        raise NotImplementedError("a grey plane is a matrix of uint8 or uint16")
    return Picture(av.VideoFrame.from_dlpack(obj, format=FORMATS[dtype]))


def describe(picture):
    if not picture.frame.planes:  # an empty frame at address NULL
        return None, (picture.frame.height, picture.frame.width), None, picture.name, (1, 0), None
    plane, size = picture.plane, np.dtype(picture.name).itemsize
    return plane.buffer_ptr, (plane.height, plane.width), (plane.line_size, size), picture.name, (1, 0), None


def values(picture):
    return picture.frame.to_ndarray().astype(picture.name).tobytes()


def write(picture, index, bits):
    memory = plane_memory(picture)
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def plane_memory(picture):
    _, shape, strides, name, _, _ = describe(picture)
    return np.ndarray(shape, name, picture.plane, 0, strides)


def make(request):
    if request.dtype not in FORMATS or len(request.shape) != 2 or 0 in request.shape:
        raise NotImplementedError("a grey plane is a matrix of uint8 or uint16")
    array = strided.strided(request, np, request.dtype)
    if request.read_only or request.making == "view" or not array.flags.c_contiguous:
        raise NotImplementedError("the rows of a new frame are padded, and can be written")
    picture = Picture(av.VideoFrame(request.shape[1], request.shape[0], FORMATS[request.dtype]))
    plane_memory(picture)[...] = array
    return picture
