# tests/cuda/device_library/gpu/__init__.py: arrays in CUDA memory, made with the driver and ctypes, with an optional defect.
from . import exchange_table  # noqa: F401, adds the table to the type
from .arrays import array  # noqa: F401
from .common import HOST, TYPES  # noqa: F401
from .driver import stream_of  # noqa: F401
from .exports import declared  # noqa: F401
from .imports import fetch, from_dlpack  # noqa: F401
