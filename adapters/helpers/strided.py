# adapters/helpers/strided.py: what adapters repeat: names of types, a request as a strided array, another adapter as a base.
"""Import it from an adapter after `sys.path.insert(0, ...)` with this folder."""
import importlib.util
import pathlib

# The types that NumPy has without extensions, by their names here, which are NumPy's.
NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()


def byte_strides(request):
    """The strides of a request, in bytes."""
    return tuple(stride * request.itemsize for stride in request.strides)


def strided(request, numpy, dtype):
    """A writable NumPy array over a copy of the backing store of a request, where its strides put the elements."""
    store = numpy.frombuffer(bytearray(request.backing), dtype)
    return numpy.ndarray(request.shape, store.dtype, store, request.offset * request.itemsize, byte_strides(request))


def own_memory(request, array):
    """An array that the library allocates itself, in row-major or column-major order, where the request allows it; else the same array.
    `array` is one of NumPy or CuPy. A library may export its own allocations and views of other memory in different ways."""
    if request.making == "fresh" and array.flags.c_contiguous:
        return array.copy()
    column_major = request.offset == 0 and array.flags.f_contiguous and not array.flags.c_contiguous
    return array.copy(order="F") if column_major else array


def made(request, numpy, dtype):
    """A strided array for a library that exports NumPy's memory: allocated, or over the store; read-only if that is wanted."""
    array = own_memory(request, strided(request, numpy, dtype))
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
