// mutants/subtle.cc: second mutants of rules that hold for every type, rank and kind of struct: defects that show in
// one place only.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "exports-unaligned-legacy-data",
     .rules = {"C-DATA-02"},
     .what = "exports legacy structs with data that is aligned to 8 bytes only",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.offset_bytes = 8;
           behaviour.exporting.offset = When::Legacy();
         }},
    {.name = "exports-empty-data-of-legacy",
     .rules = {"C-DATA-04"},
     .what = "exports zero-size legacy tensors with non-NULL data",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.empty_has_data = When::Legacy(); }},
    {.name = "refuses-empty-null-matrices",
     .rules = {"C-DATA-05"},
     .what = "refuses 2-dimensional zero-size tensors with NULL data",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_empty_null = When::Rank(2); }},
    {.name = "reads-empty-legacy-data",
     .rules = {"C-DATA-06"},
     .what = "reads through the data pointer of zero-size legacy tensors on import",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_empty_data = When::Legacy(); }},
    {.name = "takes-null-data-of-vectors",
     .rules = {"C-DATA-08"},
     .what = "imports 1-dimensional tensors that have elements but NULL data",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathNullData;
           behaviour.refusing.only = When::Rank(1);
         }},
    {.name = "truncates-byte-offset-of-legacy",
     .rules = {"C-DATA-09"},
     .what = "keeps only the low 32 bits of byte_offset of legacy tensors on import",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_byte_offset = When::Legacy(); }},
    {.name = "exports-unmapped-data-of-cubes",
     .rules = {"C-DATA-10", "C-DEVICE-03"},
     .what = "exports non-compact 3-dimensional arrays with a data pointer that is not mapped",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.wild_data = When::Strided().And(When::Rank(3)); }},
    {.name = "exports-device-type-zero-of-scalars",
     .rules = {"C-DEVICE-01"},
     .what = "exports 0-dimensional arrays with device_type 0",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.device = {0, 0};
           behaviour.exporting.wrong_device = When::Scalar();
         }},
    {.name = "exports-device-id-three-of-legacy",
     .rules = {"C-DEVICE-02"},
     .what = "exports legacy structs with device_id 3",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.device = {abi::kDLCPU, 3};
           behaviour.exporting.wrong_device = When::Legacy();
         }},
    {.name = "takes-extension-devices-for-the-host",
     .rules = {"C-DEVICE-06"},
     .what = "imports tensors of kDLExtDev as CPU tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Device(abi::kDLExtDev);
         }},
    {.name = "exports-unpublished-codes-of-wide-floats",
     .rules = {"C-DTYPE-01"},
     .what = "exports float64 with the unpublished type code 41",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLFloat).And(When::Bits(64));
           behaviour.exporting.retyped = {41, 64, 1};
         }},
    {.name = "exports-wide-complex-as-pairs",
     .rules = {"C-DTYPE-03"},
     .what = "exports complex128 as float64 with two lanes",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLComplex).And(When::Bits(128));
           behaviour.exporting.retyped = {abi::kDLFloat, 64, 2};
         }},
    {.name = "exports-legacy-bool-as-uint8",
     .rules = {"C-DTYPE-04"},
     .what = "exports bool as uint8 in legacy structs",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLBool).And(When::Legacy());
           behaviour.exporting.retyped = {abi::kDLUInt, 8, 1};
         }},
    {.name = "exports-float8-e5m2-as-float",
     .rules = {"C-DTYPE-07"},
     .what = "exports float8_e5m2 as an 8-bit float of code kDLFloat",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLFloat8_e5m2);
           behaviour.exporting.retyped = {abi::kDLFloat, 8, 1};
         }},
    {.name = "takes-unknown-codes-of-legacy-for-integers",
     .rules = {"C-DTYPE-13", "C-DTYPE-10", "C-DTYPE-12", "C-VERSION-09"},
     .what = "imports unknown type codes of legacy tensors as integers",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_code = When::Legacy(); }},
    {.name = "sets-unused-flags-on-matrices",
     .rules = {"C-FLAGS-01"},
     .what = "sets a flag bit that no version defines on 2-dimensional exports",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = uint64_t{1} << 40;
           behaviour.exporting.adds_flags = When::Versioned().And(When::Rank(2));
         }},
    {.name = "reads-flags-of-legacy-vectors",
     .rules = {"C-FLAGS-10"},
     .what = "reads a flags field after the end of 1-dimensional legacy structs",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_flags_of_legacy = When::Rank(1); }},
    {.name = "hides-read-only-of-legacy-views",
     .rules = {"C-FLAGS-11"},
     .what = "exports non-compact read-only arrays in legacy structs, which have no flags",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.legacy_hides_read_only = When::Strided(); }},
    {.name = "reexports-of-legacy-lose-the-import",
     .rules = {"C-OWN-18"},
     .what = "does not keep the imported tensor alive for a legacy re-export",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.import_dies = When::Legacy(); }},
    {.name = "overwrites-the-latest-legacy-export",
     .rules = {"C-OWN-19"},
     .what = "changes the shape of the most recent export when it makes a legacy export",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.overwrites_latest = When::Legacy(); }},
    {.name = "recognises-struct-addresses-of-matrices",
     .rules = {"C-OWN-21"},
     .what = "returns the elements of an earlier import when a 2-dimensional struct has the same address",
     .apply = [](Behaviour& behaviour) { behaviour.importing.recognises_struct = When::Rank(2); }},
    {.name = "wants-a-shape-of-legacy-scalars",
     .rules = {"C-SHAPE-02"},
     .what = "refuses 0-dimensional legacy tensors whose shape is NULL",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_null_shape_of_scalar = When::Legacy(); }},
    {.name = "dereferences-null-strides-of-matrices",
     .rules = {"C-STRIDES-04", "C-STRIDES-03"},
     .what = "reads strides of 2-dimensional tensors without checking for NULL",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.dereferences_null_strides = When::NullStrides().And(When::Rank(2));
         }},
    {.name = "exports-unmapped-strides-of-vectors",
     .rules = {"C-STRIDES-06"},
     .what = "exports 1-dimensional arrays with a strides pointer that is not mapped",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.wild_strides = When::Rank(1); }},
    {.name = "reads-the-strides-of-legacy-scalars",
     .rules = {"C-STRIDES-07"},
     .what = "reads through a non-NULL strides pointer of 0-dimensional legacy tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_strides_of_scalar = When::Legacy(); }},
    {.name = "believes-strides-of-empty-legacy-tensors",
     .rules = {"C-STRIDES-12"},
     .what = "refuses zero-size legacy tensors whose last stride is not 1",
     .apply = [](Behaviour& behaviour) { behaviour.importing.believes_empty_strides = When::Legacy(); }},
    {.name = "uses-a-newer-enumerator",
     .rules = {"C-VERSION-10"},
     .what = "exports version 1.0 with float8_e5m2, which version 1.1 added",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 0};
           behaviour.exporting.legacy_has_float8 = When::Code(abi::kDLFloat8_e5m2);
         }},
    {.name = "calls-null-deleters-of-legacy",
     .rules = {"PY-CAPSULE-12", "C-OWN-05"},
     .what = "calls the deleter of legacy tensors without checking for NULL",
     .apply = [](Behaviour& behaviour) { behaviour.owning.calls_null_deleter = When::Legacy(); }},
    {.name = "returns-bytes-for-scalars",
     .rules = {"PY-DLPACK-02"},
     .what = "returns bytes instead of a capsule for 0-dimensional arrays",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.returns_other = When::Scalar(); }},
    {.name = "exports-the-address-of-the-store-of-cubes",
     .rules = {"PY-DLPACK-07", "C-DATA-14"},
     .what = "exports non-compact 3-dimensional arrays with the start of the allocation as data",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::Strided().And(When::Rank(3)); }},
    {.name = "refuses-narrow-complex",
     .rules = {"PY-DLPACK-08"},
     .what = "refuses to export complex64 arrays",
     .apply =
         [](Behaviour& behaviour) { behaviour.exporting.refuses = When::Code(abi::kDLComplex).And(When::Bits(64)); }},
    {.name = "copies-matrices-that-it-claims-to-share",
     .rules = {"PY-FROM-03"},
     .what = "copies 2-dimensional imports although it claims zero_copy",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Rank(2); }},
    {.name = "exports-legacy-sparse-as-dense",
     .rules = {"C-DEVICE-11"},
     .what = "exports the memory of sparse arrays as dense elements in legacy structs",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.exports_oddities = Bit(Oddity::kSparse);
           behaviour.exporting.oddities_only = When::Legacy();
         }},
    {.name = "exports-legacy-long-double",
     .rules = {"C-DTYPE-06"},
     .what = "exports long double as a 128-bit float in legacy structs",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.exports_oddities = Bit(Oddity::kLongDouble);
           behaviour.exporting.oddities_only = When::Legacy();
         }},
    {.name = "exports-byte-swapped-shorts",
     .rules = {"C-DTYPE-11"},
     .what = "exports 2-byte elements in foreign byte order without converting them",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.exports_oddities = Bit(Oddity::kForeignByteOrder);
           behaviour.exporting.oddities_only = When::ItemSize(2);
         }},
    {.name = "exports-legacy-complex-long-double",
     .rules = {"C-DTYPE-15"},
     .what = "exports complex long double (256 bits) with dtype.bits = 0 in legacy structs",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.exports_oddities = Bit(Oddity::kComplexLongDouble);
           behaviour.exporting.oddities_only = When::Legacy();
         }},
    {.name = "takes-integers-without-bits",
     .rules = {"C-DTYPE-09"},
     .what = "imports integers with bits = 0 as float32",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDtype | kPathLanes;
           behaviour.refusing.only = When::Code(abi::kDLInt).And(When::Bits(0));
           behaviour.importing.retypes = When::Code(abi::kDLInt).And(When::Bits(0));
           behaviour.importing.retyped = {abi::kDLFloat, 32, 1};
         }},
    {.name = "exports-other-legacy-bools",
     .rules = {"C-DTYPE-16"},
     .what = "changes bool elements to values other than 0 and 1 when it makes a legacy export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.mutates_source = When::Code(abi::kDLBool).And(When::Legacy());
           behaviour.exporting.mutation = 2;
         }},
    {.name = "refuses-read-only-copies",
     .rules = {"C-FLAGS-04"},
     .what = "refuses tensors with both READ_ONLY and IS_COPIED set",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses = When::ReadOnly().And(When::Flag(abi::kFlagIsCopied));
         }},
    {.name = "shares-its-copies-of-matrices",
     .rules = {"C-FLAGS-07", "PY-COPY-01"},
     .what = "shares the memory of 2-dimensional arrays when a copy is requested, and sets IS_COPIED",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Versioned().And(When::Rank(2)); }},
    {.name = "ignores-high-flags",
     .rules = {"C-FLAGS-09"},
     .what = "imports tensors with unknown flag bits above bit 31",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags = 0xFFFFFFF8; }},
    {.name = "takes-copies-for-read-only",
     .rules = {"C-LAYOUT-07"},
     .what = "interprets DLPACK_FLAG_BITMASK_IS_COPIED as DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply =
         [](Behaviour& behaviour) { behaviour.importing.read_only_mask = abi::kFlagReadOnly | abi::kFlagIsCopied; }},
    {.name = "frees-the-shape-of-legacy-tensors",
     .rules = {"C-OWN-08"},
     .what = "calls free() on dl_tensor.shape of imported legacy tensors",
     .apply = [](Behaviour& behaviour) { behaviour.owning.frees_shape = When::Legacy(); }},
    {.name = "takes-any-rank-of-legacy-tensors",
     .rules = {"C-SHAPE-08", "C-SHAPE-01"},
     .what = "imports legacy tensors with any ndim, including negative and very large ones",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDims;
           behaviour.refusing.only = When::Legacy();
         }},
    {.name = "wraps-products-of-cubes",
     .rules = {"C-SHAPE-09", "PY-FROM-04"},
     .what = "keeps only the low 7 bits of the extents of 3-dimensional tensors and does not check sizes for overflow",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathExtents | kPathStrides;
           behaviour.refusing.only = When::Rank(3);
           behaviour.importing.truncates_extents = When::Rank(3);
         }},
    {.name = "truncates-extents-of-empty-matrices",
     .rules = {"C-SHAPE-11", "PY-FROM-04"},
     .what = "reads only the low 7 bits of each extent of 2-dimensional zero-size tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_extents = When::Empty().And(When::Rank(2)); }},
    {.name = "ignores-lanes-of-strided-tensors",
     .rules = {"C-STRIDES-14", "C-DTYPE-08"},
     .what = "imports non-compact tensors with several lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Strided(); }},
    {.name = "leaks-far-majors",
     .rules = {"C-VERSION-03", "C-OWN-15"},
     .what = "consumes tensors of major versions above 65535 when it refuses them, and never calls their deleters",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.leaks = kPathVersion;
           behaviour.refusing.only = When::MajorAtLeast(0x10000);
         }},
    {.name = "refuses-minors-above-65535",
     .rules = {"C-VERSION-07"},
     .what = "refuses minor versions above 65535",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::MinorAtLeast(0x10000); }},
    {.name = "deleter-leaks-matrices",
     .rules = {"C-VERSION-11", "C-OWN-06", "C-OWN-20"},
     .what = "keeps the reference to a 2-dimensional array after the deleter was called",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Rank(2); }},
    {.name = "views-of-views-keep-nothing",
     .rules = {"C-OWN-03"},
     .what = "does not keep the imported tensor alive for a view of a view",
     .apply = [](Behaviour& behaviour) { behaviour.owning.view_keeps_nothing = When::View(); }},
    {.name = "makes-views-of-views-writable",
     .rules = {"C-FLAGS-03"},
     .what = "makes views of views of read-only imports writable",
     .apply = [](Behaviour& behaviour) { behaviour.owning.view_is_writable = When::View().And(When::Imported()); }},
};

}  // namespace
}  // namespace dlpack_cts
