# tests/worker/adapter_fault_test.py: an error of an adapter is reported before any case runs, and is not confused with one of the library.
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

FAULTY = str(program.TESTS / "worker" / "faulty_adapter")
# Parts of the message: the function, what it returned, and what it has to return.
SENTENCES = {
    "array_struct_is_wrong": ("array_struct()", "describes another array", "describe()"),
    "array_struct_is_text": ("array_struct()", "the str 'text'", "the capsule of __array_struct__, or None"),
    "array_struct_has_typo": ("array_struct()", "AttributeError", "__array_strut__"),
    "element_strides": ("describe()", "(1,), which count elements", "in bytes, (4,)"),
    "wrong_pointer": ("describe()", "a pointer and strides", "the address of element 0"),
    "pointer_is_text": ("describe()", "the str '0x", "as an int, or None"),
    "shape_is_list": ("describe()", "the list [6] as shape", "a tuple of ints"),
    "shape_is_floats": ("describe()", "the tuple (6.0,) as shape", "a tuple of ints"),
    "shape_is_truths": ("describe()", "the tuple (True,) as shape", "a tuple of ints"),
    "wrong_shape": ("make()", "describe() returned (3, 2)", "the shape (2, 3)"),
    "strides_too_few": ("describe()", "the tuple () as byte strides", "one for each dimension"),
    "short_name": ("describe()", '"f4"', 'did you mean "float32"?'),
    "module_name": ("describe()", '"torch.float32"', 'did you mean "float32"?'),
    "one_short_name": ("describe()", '"bool_"', 'did you mean "bool"?'),
    "name_is_object": ("describe()", "the module <module", 'a name such as "float32"'),
    "wrong_type": ("make()", "describe() returned float64", "NotImplementedError"),
    "device_is_name": ("describe()", "the str 'cpu' as device", "a tuple of two ints"),
    "device_is_triple": ("describe()", "the tuple (1, 0, 0) as device", "a tuple of two ints"),
    "writable_is_bool_": ("describe()", "the Bool True as writable", "True, False or None"),
    "five_parts": ("describe()", "the tuple (", "a tuple of six"),
    "describe_is_list": ("describe()", "the list [", "a tuple of six"),
    "describe_raises": ("describe()", "AttributeError", "no attribute 'nothing'"),
    "values_are_text": ("values()", "the str '", "bytes, or None"),
    "values_too_long": ("values()", "returned 5 bytes", "return 4 bytes"),
    "values_by_column": ("values()", "column by column", "row-major"),
    "values_swapped": ("values()", "foreign byte order", "native byte order"),
    "unknown_name": ("describe()", '"xyz"', 'a name such as "float32"'),
    "empty_name": ("describe()", "the str ''", 'a name such as "float32"'),
    "colored_name": ("describe()", r'"\x1b[31m\x0ayyyyyyyyyyyyyyyyyy..."', 'a name such as "float32"'),
    "one_unknown_name": ("describe()", "int8", '"xyz"'),
    "name_of_another": ("describe()", '"f8"', 'did you mean "float64"?'),
    "one_type_widened": ("values()", "returned 24 bytes for a bool", "return 6 bytes"),
    "one_type_swapped": ("values()", "int32", "native byte order"),
    "one_type_in_elements": ("describe()", "float64", "which count elements"),
    "one_type_made_wrong": ("make()", "int32", "other elements"),
    "three_dimensions_by_column": ("values()", "(2, 1, 3)", "row-major"),
    "three_dimensions_in_elements": ("describe()", "(2, 1, 3)", "which count elements"),
    "three_dimensions_reversed": ("make()", "describe() returned (3, 1, 2)", "the shape (2, 1, 3)"),
    "compute_transposes": ("compute()", "other elements", "(2, 3)"),
    "compute_is_zero": ("compute()", "other elements", "return equal elements"),
    "compute_widens_one": ("compute()", "returned uint8 for a int8", "the same type"),
    "compute_has_typo": ("compute()", "AttributeError", "no attribute 'nothing'"),
    "compute_misses_argument": ("compute()", "TypeError", "takes 0 positional arguments"),
    "compute_is_none": ("compute()", "returned None", "expected an array"),
    "compute_is_list": ("describe()", "AttributeError", "'list' object"),
    "write_is_lost": ("write()", "changed nothing", "that element"),
    "write_into_copy": ("write()", "changed nothing", "in the array itself"),
    "write_by_column": ("write()", "changed something else", "row-major"),
    "write_has_typo": ("write()", "NameError", "'nothing' is not defined"),
    "change_is_lost": ("change_metadata(", "changed nothing", "the array itself"),
    "change_in_copy": ("change_metadata(", "changed nothing", "the array itself"),
    "view_is_copy": ("view()", "other memory", "a view of the same memory"),
    "view_is_none": ("view()", "returned None", "expected an array"),
    "view_has_typo": ("view()", "AttributeError", "no attribute 'viw'"),
    "device_is_other": ("describe()", "the device (2, 0)", "the library says (1, 0)"),
    "device_is_swapped": ("describe()", "the device (0, 1)", "the library says (1, 0)"),
    "device_is_huge": ("describe()", "the tuple (1099511627776, 0) as device", "a tuple of two ints"),
    "device_hook_has_typo": ("device()", "AttributeError", "no attribute 'devic'"),
    "device_hook_is_text": ("device()", "not a pair", "a tuple of two ints"),
    "export_hook_has_typo": ("export()", "AttributeError", "no attribute '__dlpak__'"),
    "export_hook_is_none": ("export()", "not a capsule", "expected a PyCapsule"),
    "lacks_raises": ("lacks()", "AttributeError", "no attribute 'nothing'"),
    "lacks_is_text": ("lacks()", "the str 'copy_keyword'", "a list of claims"),
    "lacks_is_none": ("lacks()", "the NoneType None", "a list of claims"),
    "lacks_number": ("lacks()", '""', "no such claim"),
    "lacks_unknown": ("lacks()", '"copy"', "no such claim"),
    "always_writable": ("describe()", "writable", "READ_ONLY"),
    "make_counts_bytes": ("make()", "other elements", "counted in elements of request.itemsize bytes"),
    "make_mixes_offset": ("make()", "other elements", "counted in elements of request.itemsize bytes"),
}
LIBRARY = {
    "exports_byte_strides": "c-abi/strides/exported-strides-count-elements",
    "exports_byte_strides_and_reads_through_them": "c-abi/shape/exported-metadata-describes-the-array",
    "imports_transposed": "c-abi/shape/shape-is-read-in-full-and-no-further",
    "says_other_device": "python/device/answer-agrees-with-the-capsule",
}
HONEST = ("", "unable", "names_no_type", "names_no_device", "flattens_and_transposes", "lacks_claims", "array_struct_agrees")


def judge(fault, select):
    return program.run("run", "faulty", "--adapter", FAULTY, "--seed", 1, "--examples", 10, "--format", "quiet", "--select",
                       select, environment={"FAULT": fault})


class AnAdapter(unittest.TestCase):
    def test_without_a_mistake_is_taken(self):
        for honest in HONEST:
            with self.subTest(honest):
                ran = judge(honest, "c-abi/strides/*")
                self.assertEqual((ran.status, ran.complaints()), (0, []))

    def test_whose_release_cannot_import_is_not_asked_for_imports(self):
        ran = judge("lacks_imports", "python/capsule/null-deleter-of-a-reexport-is-not-called")
        self.assertEqual((ran.status, ran.out, ran.complaints()), (0, "", []))

    def test_with_a_mistake_gets_one_message(self):
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
