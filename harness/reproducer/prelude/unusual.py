# harness/reproducer/prelude/unusual.py: objects of other classes that offer the tensor of a producer.
class Methods:
    def __init__(self, producer):
        self.producer = producer

    def __dlpack__(self, *args, **kwargs):
        return self.producer.__dlpack__(*args, **kwargs)

    def __dlpack_device__(self):
        return self.producer.__dlpack_device__()


METHODS = Methods.__init__, Methods.__dlpack__, Methods.__dlpack_device__


class Inherits(Methods):
    """Inherits both methods."""


class KeepsArray:
    """Gets a reference to the array that was imported from it."""
    __init__, __dlpack__, __dlpack_device__ = METHODS


class Metaclass(type):
    def __dlpack__(cls, *args, **kwargs):
        return cls.producer.__dlpack__(*args, **kwargs)

    def __dlpack_device__(cls):
        return cls.producer.__dlpack_device__()


def of_metaclass(producer):
    """A class, whose metaclass has the methods."""
    return Metaclass("OfMetaclass", (), {"producer": producer})


class OfInstance:
    """Has no methods in its class."""

    def __init__(self, producer):
        self.__dlpack__, self.__dlpack_device__ = producer.__dlpack__, producer.__dlpack_device__


class ByGetattr:
    """Finds its methods in __getattr__."""

    def __init__(self, producer):
        self.producer = producer

    def __getattr__(self, name):
        if name in ("__dlpack__", "__dlpack_device__"):
            return getattr(self.producer, name)
        raise AttributeError(name)


def static(producer):
    """Has static methods."""
    methods = {name: staticmethod(getattr(producer, name)) for name in ("__dlpack__", "__dlpack_device__")}
    return type("Static", (), methods)()


def own_class(producer, name="Producer"):
    """Has a class of its own. Classes of the same name are made for other producers."""
    return type(name, (Methods,), {})(producer)


class WithoutModule(type):
    @property
    def __module__(cls):
        raise AttributeError("__module__")


class NoModule(metaclass=WithoutModule):
    """Its class has no __module__."""
    __init__, __dlpack__, __dlpack_device__ = METHODS


class NoneForModule:
    """__module__ of its class is None."""
    __module__ = None
    __init__, __dlpack__, __dlpack_device__ = METHODS


class OthersRaise:
    __init__, __dlpack__, __dlpack_device__ = METHODS

    def __getattr__(self, name):
        raise RuntimeError("this producer cannot say whether it has " + name)


def raising(name):
    """An attribute whose look-up raises."""
    def look_up(self):
        raise RuntimeError("the look-up of " + name + " raises")

    return property(look_up)


class RaisingMetaclass(type):
    __dlpack_c_exchange_api__ = raising("__dlpack_c_exchange_api__")


class TableRaises(metaclass=RaisingMetaclass):
    """The look-up of its exchange table raises."""
    __dlpack_c_exchange_api__ = raising("__dlpack_c_exchange_api__")
    __init__, __dlpack__, __dlpack_device__ = METHODS


class DeviceLookupRaises:
    """The look-up of __dlpack_device__ raises."""
    __init__, __dlpack__, _ = METHODS
    __dlpack_device__ = raising("__dlpack_device__")


class LookupRaises:
    """The look-up of __dlpack__ raises."""
    __init__, _, __dlpack_device__ = METHODS
    __dlpack__ = raising("__dlpack__")
