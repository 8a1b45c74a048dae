# adapters/mpi4py/adapter.py: mpi4py as consumer: MPI.buffer, bytes in memory that have neither a shape nor a type.
import mpi4py
from mpi4py import MPI


def version():
    return mpi4py.__version__


from_dlpack = MPI.buffer


def describe(buffer):
    return buffer.address or None, None, None, None, None, not buffer.readonly


def values(buffer):
    return buffer.tobytes()


def view(buffer):
    return buffer[:]
