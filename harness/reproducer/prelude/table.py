# harness/reproducer/prelude/table.py: the steps that go through the C exchange API, the table of the array's type.
class Life:
    def table_function(self, index, *arguments):
        """A function of the table by its place in it: 16 bytes of version and prev_api come first."""
        capsule = type(self.source).__dlpack_c_exchange_api__
        table = named_pointer(id(capsule), b"dlpack_exchange_api")
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
        offer, key = Offer(self, slot), "import%d." % slot
        self.offers[slot] = offer
        self.facts[key + "deleter.calls"] = 0
        found = ctypes.c_void_p()

        def work():
            self.table_function(2, POINTER, POINTER)(offer.struct.at, ctypes.addressof(found))
            array = ctypes.cast(found, ctypes.py_object).value
            object_release(found.value)  # the function gave a reference, and `array` is a second one
            return array

        array = self.outcome(key + "outcome", key, work)
        offer.phase = 1
        if array is not None:
            self.arrays[slot] = array

    def table_export(self, slot):
        """managed_tensor_from_py_object_no_sync of the library's array; the tensor is ours at once."""
        if self.source is None or self.usable(slot):
            return
        key, found = "export%d." % slot, ctypes.c_void_p()

        def work():
            self.table_function(1, POINTER, POINTER)(id(self.source), ctypes.addressof(found))
            return found.value

        structure = self.outcome(key + "outcome", key, work)
        if structure:
            self.exported(slot, None, structure, True)
            self.exports[slot].taken = True
