# harness/reproducer/prelude/table.py: the steps through the C exchange API, a table of functions on the array type.
class Life:
    def table_function(self, index, *arguments):
        """The function with that index in the table, after 16 bytes of version and prev_api."""
        capsule = type(self.source).__dlpack_c_exchange_api__
        table = named_pointer(id(capsule), b"dlpack_exchange_api")
        address = struct.unpack("<Q", peek(table + 16 + 8 * index, 8))[0]
        if not address:
            raise NotImplementedError("this function of the table is NULL")

        def call(*values):
            status = ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(address)(*values)  # raises the pending exception
            if status != 0:
                raise RuntimeError("the function returned %d, but no exception is set" % status)

        return call

    def table_import(self, slot):
        """Calls managed_tensor_to_py_object_no_sync with a new tensor."""
        if self.source is None or slot in self.offers:
            return
        offer, key = Offer(self, slot), "import%d." % slot
        self.offers[slot] = offer
        self.facts[key + "deleter.calls"] = 0
        found = ctypes.c_void_p()

        def work():
            self.table_function(2, POINTER, POINTER)(offer.struct.at, ctypes.addressof(found))
            array = ctypes.cast(found, ctypes.py_object).value
            object_release(found.value)  # the function returned a reference, and `array` is a second one
            return array

        array = self.outcome(key + "outcome", key, work, NotImplementedError)
        offer.phase = 1
        if array is not None:
            self.arrays[slot] = array
            self.imported[slot] = self.reference(array)

    def table_export(self, slot):
        """Calls managed_tensor_from_py_object_no_sync with the library's array. The script owns the tensor."""
        if self.source is None or self.usable(slot):
            return
        key, found = "export%d." % slot, ctypes.c_void_p()

        def work():
            self.table_function(1, POINTER, POINTER)(id(self.source), ctypes.addressof(found))
            return found.value

        structure = self.outcome(key + "outcome", key, work, NotImplementedError)
        if structure:
            self.exported(slot, None, structure, True)
            self.exports[slot].taken = True
