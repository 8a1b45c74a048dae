# harness/reproducer/prelude/table.py: the steps that go through the C exchange API, the table that the array's type has.
object_release = python("Py_DecRef", None, POINTER)


class Table(Life):
    """Calls the functions of the table by their place in it: 16 bytes of version and prev_api come first."""

    def table_function(self, index, *arguments):
        capsule = type(self.source).__dlpack_c_exchange_api__
        table = capsule_pointer(id(capsule), c_string(b"dlpack_exchange_api"))
        address = struct.unpack("<Q", peek(table + 16 + 8 * index, 8))[0]
        if not address:
            raise NotImplementedError("the slot of the table is NULL")

        def call(*values):
            status = ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(address)(*values)  # raises what is pending
            if status != 0:
                raise RuntimeError("returned %d, and no exception is set" % status)

        return call

    def table_import(self, slot):
        """managed_tensor_to_py_object_no_sync of a new tensor of ours."""
        if self.source is None or slot in self.offers:
            return
        offer, key = CapsuleOffer(self, slot, slot), "import%d" % slot
        self.offers[slot], offer.bare = offer, True
        self.facts[key + ".deleter.calls"] = 0
        found = ctypes.c_void_p()

        def work():
            self.table_function(2, POINTER, POINTER)(offer.structure, ctypes.addressof(found))
            array = ctypes.cast(found, ctypes.py_object).value
            object_release(found.value)  # the function gave a reference, and `array` is a second one
            return array

        self.imported(slot, self.outcome(key + ".outcome", key, work))

    def table_export(self, slot):
        """managed_tensor_from_py_object_no_sync of the library's array; the tensor is ours at once."""
        if self.source is None or self.usable(slot):
            return
        key, found = "export%d" % slot, ctypes.c_void_p()

        def work():
            self.table_function(1, POINTER, POINTER)(id(self.source), ctypes.addressof(found))
            return found.value

        structure = self.outcome(key + ".outcome", key, work)
        if structure:
            self.exported(slot, None, structure, True)
            self.exports[slot].taken = True
