# tests/worker/adapter_fault_test.py: a mistake of an adapter is told before any case runs; one of the library is not taken for it.
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

FAULTY = str(program.TESTS / "worker" / "faulty_adapter")
# What the one sentence has to hold: the function, what it gave, and what is expected.
SENTENCES = {
    "element_strides": ("describe()", "(1,), which count elements", "in bytes, (4,)"),
    "wrong_pointer": ("describe()", "a pointer and strides", "the address of element 0"),
    "pointer_is_text": ("describe()", "the str '0x", "as an int, or None"),
    "shape_is_list": ("describe()", "the list [6] as shape", "a tuple of ints"),
    "shape_is_floats": ("describe()", "the tuple (6.0,) as shape", "a tuple of ints"),
    "shape_is_truths": ("describe()", "the tuple (True,) as shape", "a tuple of ints"),
    "wrong_shape": ("make()", "describe() says (3, 2)", "the shape (2, 3)"),
    "strides_too_few": ("describe()", "the tuple () as byte strides", "one for each dimension"),
    "short_name": ("describe()", '"f4"', 'did you mean "float32"?'),
    "module_name": ("describe()", '"torch.float32"', 'did you mean "float32"?'),
    "one_short_name": ("describe()", '"bool_"', 'did you mean "bool"?'),
    "name_is_object": ("describe()", "the module <module", 'a name such as "float32"'),
    "wrong_type": ("make()", "describe() says float64", "NotImplementedError"),
    "device_is_name": ("describe()", "the str 'cpu' as device", "a tuple of two ints"),
    "device_is_triple": ("describe()", "the tuple (1, 0, 0) as device", "a tuple of two ints"),
    "writable_is_bool_": ("describe()", "the Bool True as writable", "True, False or None"),
    "five_parts": ("describe()", "the tuple (", "a tuple of six"),
    "describe_is_list": ("describe()", "the list [", "a tuple of six"),
    "describe_raises": ("describe()", "AttributeError", "no attribute 'nothing'"),
    "values_are_text": ("values()", "the str '", "bytes, or None"),
    "values_too_long": ("values()", "gives 5 bytes", "expected are 4 bytes"),
    "values_by_column": ("values()", "column by column", "row-major"),
    "values_swapped": ("values()", "foreign byte order", "native order"),
    "make_counts_bytes": ("make()", "other elements", "counted in elements of request.itemsize bytes"),
    "make_mixes_offset": ("make()", "other elements", "counted in elements of request.itemsize bytes"),
}
LIBRARY = {
    "exports_byte_strides": "c-abi/strides/exported-strides-count-elements",
    "exports_byte_strides_and_reads_through_them": "c-abi/shape/exported-metadata-describes-the-array",
    "imports_transposed": "c-abi/shape/shape-is-read-in-full-and-no-further",
}


def judge(fault, select):
    return program.run("run", "faulty", "--adapter", FAULTY, "--seed", 1, "--examples", 10, "--format", "quiet", "--select",
                       select, environment={"FAULT": fault})


class AnAdapter(unittest.TestCase):
    def test_without_a_mistake_is_taken(self):
        self.assertEqual(judge("", "c-abi/strides/*").status, 0)

    def test_with_a_mistake_is_told_so_in_one_sentence(self):
        for fault, parts in SENTENCES.items():
            with self.subTest(fault):
                ran = judge(fault, "c-abi/strides/*")
                self.assertEqual(ran.status, 2, ran.err)
                self.assertEqual(len(ran.complaints()), 1, ran.err)
                for part in parts:
                    self.assertIn(part, ran.complaints()[0])

    def test_is_not_blamed_for_what_its_library_does(self):
        for fault, case in LIBRARY.items():
            with self.subTest(fault):
                ran = judge(fault, case)
                self.assertEqual(ran.status, 1, ran.out + ran.err)
                self.assertEqual(ran.complaints(), [])


if __name__ == "__main__":
    unittest.main()
