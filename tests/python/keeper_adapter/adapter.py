# tests/python/keeper_adapter/adapter.py: a library that refuses everything and keeps it until it is asked again.
kept = []


def version():
    return "1.0"


def from_dlpack(obj):
    late = kept.pop() if kept else None
    kept.append((obj, obj.__dlpack__()))
    if late is None:
        raise BufferError("kept")
    producer = late[0]
    del late  # the capsule of the exchange before dies while this one lives
    producer.__dlpack__()


def describe(array):
    raise TypeError("there are no arrays")


values = describe
