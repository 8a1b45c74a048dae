# harness/reproducer/prelude/closing.py: the steps that close an array, or a view of it.
class Life:
    def close(self, key, array, how):
        """Closes the array (0), the array of a view that is kept (1), or a view of the array (2)."""
        view = self.hook("view", array) if how else None
        self.facts[key] = "unsupported"
        if how and view is None:
            return array
        try:
            if hasattr(self.library, "close"):
                self.library.close(view if how == 2 else array)
                self.facts[key] = "accepted"
        except NotImplementedError:
            pass
        except Exception as error:
            self.facts[key] = "refused"
            print("  close() raises", ascii(repr(error)))
        return view if how == 1 else array

    def close_array(self, slot, how=0):
        """Closes the imported array. A closed array may release its tensor."""
        if slot in self.arrays:
            key, offer = "import%d.closed" % slot, self.offers.get(slot)
            if offer is not None:
                offer.phase = 2
            self.arrays[slot] = self.close(key, self.arrays[slot], how)
            if offer is not None and self.facts[key] != "accepted":
                offer.phase = 1
            self.closed[slot] = self.facts[key] == "accepted" and how == 0

    def close_source(self, slot, how=0):
        """Closes the library's own array."""
        if self.source is not None:
            self.source = self.close("source0.closed", self.source, how)
