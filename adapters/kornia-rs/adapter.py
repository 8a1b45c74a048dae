# adapters/kornia-rs/adapter.py: the images of kornia-rs as consumers and producers: compact, of 1, 3 or 4 channels.
import importlib.metadata
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import strided  # noqa: E402
from kornia_rs.image import Image  # noqa: E402

NAMES = {"uint8", "uint16", "float32"}


def version():
    return importlib.metadata.version("kornia_rs")


from_dlpack = Image.from_dlpack


def describe(image):
    return image.data_ptr or None, image.shape, None, image.dtype.name, image.__dlpack_device__(), None


def values(image):
    return image.tobytes()


def compute(image):
    return image.copy()


def make(request):
    array = strided.strided(request, np, request.dtype) if request.dtype in NAMES else None
    if array is None or array.ndim != 3 or not array.flags.c_contiguous or request.read_only:
        raise NotImplementedError("images are compact, of three dimensions, and of uint8, uint16 or float32")
    image = Image.from_numpy(array)  # of the same memory
    return image.copy() if request.making == "fresh" else image
