# adapters/helpers/strided.py: what adapters of producers repeat: a request as a strided array, and another adapter as a base.
"""Import it from an adapter after `sys.path.insert(0, ...)` with this folder."""
import importlib.util
import pathlib


def byte_strides(request):
    """The strides of a request, in bytes."""
    return tuple(stride * request.itemsize for stride in request.strides)


def strided(request, numpy, dtype):
    """A writable NumPy array over a copy of the backing store of a request, where its strides put the elements."""
    store = numpy.frombuffer(bytearray(request.backing), dtype)
    return numpy.ndarray(request.shape, store.dtype, store, request.offset * request.itemsize, byte_strides(request))


def made(request, numpy, dtype):
    """A strided array for a library that exports NumPy's memory: fresh or over the store, and read-only if that is wanted."""
    array = strided(request, numpy, dtype)
    if request.making == "fresh" and array.flags.c_contiguous:
        array = array.copy()
    if request.read_only:
        array.flags.writeable = False
    return array


def adapter_of(library):
    """The adapter of another library in this tree, as a module. A reproducer has it beside this file."""
    places = (place / library / "adapter.py" for place in pathlib.Path(__file__).resolve().parents)
    path = next(place for place in places if place.is_file())
    spec = importlib.util.spec_from_file_location(f"adapter_of_{library}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
