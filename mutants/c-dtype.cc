// mutants/c-dtype.cc: mutants of the chapter on element types.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "exports-unpublished-codes",
     .rules = {"C-DTYPE-01"},
     .what = "exports int16 with the unpublished type code 40",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLInt).And(When::Bits(16));
           behaviour.exporting.retyped = {40, 16, 1};
         }},
    {.name = "exports-doubles-as-floats",
     .rules = {"C-DTYPE-02", "C-LAYOUT-08"},
     .what = "exports float64 as float32",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLFloat).And(When::Bits(64));
           behaviour.exporting.retyped = {abi::kDLFloat, 32, 1};
         }},
    {.name = "exports-unsigned-as-signed",
     .rules = {"C-DTYPE-02"},
     .what = "exports uint64 as int64",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLUInt).And(When::Bits(64));
           behaviour.exporting.retyped = {abi::kDLInt, 64, 1};
         }},
    {.name = "exports-complex-as-pairs",
     .rules = {"C-DTYPE-03"},
     .what = "exports complex64 as float32 with two lanes",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLComplex).And(When::Bits(64));
           behaviour.exporting.retyped = {abi::kDLFloat, 32, 2};
         }},
    {.name = "exports-bool-as-uint8",
     .rules = {"C-DTYPE-04"},
     .what = "exports bool as uint8",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLBool);
           behaviour.exporting.retyped = {abi::kDLUInt, 8, 1};
         }},
    {.name = "exports-bfloat16-as-float16",
     .rules = {"C-DTYPE-05"},
     .what = "exports bfloat16 as float16",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLBfloat);
           behaviour.exporting.retyped = {abi::kDLFloat, 16, 1};
         }},
    {.name = "exports-long-double",
     .rules = {"C-DTYPE-06"},
     .what = "exports long double as a 128-bit float",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kLongDouble); }},
    {.name = "exports-float8-as-float",
     .rules = {"C-DTYPE-07"},
     .what = "exports float8_e4m3fn as an 8-bit float of code kDLFloat",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLFloat8_e4m3fn);
           behaviour.exporting.retyped = {abi::kDLFloat, 8, 1};
         }},
    {.name = "ignores-lanes",
     .rules = {"C-DTYPE-08", "C-LAYOUT-06", "C-STRIDES-14"},
     .what = "imports tensors with several lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Always(); }},
    {.name = "takes-types-without-bits",
     .rules = {"C-DTYPE-09"},
     .what = "imports types with bits = 0 as float32",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDtype | kPathLanes;
           behaviour.importing.retypes = When::Bits(0);
           behaviour.importing.retyped = {abi::kDLFloat, 32, 1};
         }},
    {.name = "takes-unknown-codes-for-integers",
     .rules = {"C-DTYPE-10", "C-DTYPE-12", "C-DTYPE-13", "C-VERSION-09"},
     .what = "imports unknown type codes as integers",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_code = When::Always(); }},
    {.name = "exports-foreign-byte-order",
     .rules = {"C-DTYPE-11"},
     .what = "exports arrays in foreign byte order without converting their elements",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kForeignByteOrder); }},
    {.name = "rounds-odd-widths-down",
     .rules = {"C-DTYPE-13"},
     .what = "imports unsupported widths as the next smaller supported width",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_bits = When::Always(); }},
    {.name = "takes-bfloat16-for-float16",
     .rules = {"C-DTYPE-13", "C-DTYPE-14"},
     .what = "imports bfloat16 as float16",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.retypes = When::Code(abi::kDLBfloat);
           behaviour.importing.retyped = {abi::kDLFloat, 16, 1};
         }},
    {.name = "narrows-doubles",
     .rules = {"C-DTYPE-14"},
     .what = "converts float64 to float32 on import without a warning",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.converts_to_float32 = When::Code(abi::kDLFloat).And(When::Bits(64));
         }},
    {.name = "exports-complex-long-double",
     .rules = {"C-DTYPE-15"},
     .what = "exports complex long double (256 bits) with dtype.bits = 0",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kComplexLongDouble); }},
    {.name = "exports-other-bools",
     .rules = {"C-DTYPE-16"},
     .what = "changes bool elements to values other than 0 and 1 on export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.mutates_source = When::Code(abi::kDLBool);
           behaviour.exporting.mutation = 2;
         }},
    {.name = "truncates-lanes",
     .rules = {"C-LAYOUT-06"},
     .what = "reads only the low 8 bits of dtype.lanes",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_lanes = When::Always(); }},
    {.name = "truncates-type-codes",
     .rules = {"C-LAYOUT-06"},
     .what = "reads only the low 7 bits of dtype.code",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_code = When::Always(); }},
    {.name = "dies-of-unknown-types",
     .rules = {"C-DTYPE-13"},
     .what = "crashes on element types that it does not support",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.acts = kPathDtype;
           behaviour.refusing.manner = Manner::kCrashes;
         }},
    {.name = "takes-unsigned-for-signed",
     .rules = {"C-DTYPE-13", "C-DTYPE-14", "C-LAYOUT-08"},
     .what = "imports uint32 as int32",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.retypes = When::Code(abi::kDLUInt).And(When::Bits(32));
           behaviour.importing.retyped = {abi::kDLInt, 32, 1};
         }},
    {.name = "takes-uint16-for-int16",
     .rules = {"C-DTYPE-13", "C-DTYPE-14"},
     .what = "imports uint16 as int16",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.retypes = When::Code(abi::kDLUInt).And(When::Bits(16));
           behaviour.importing.retyped = {abi::kDLInt, 16, 1};
         }},
    {.name = "exports-int64-as-int32",
     .rules = {"C-DTYPE-02"},
     .what = "exports int64 as int32",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLInt).And(When::Bits(64));
           behaviour.exporting.retyped = {abi::kDLInt, 32, 1};
         }},
    {.name = "exports-float16-as-bfloat16",
     .rules = {"C-DTYPE-05", "C-DTYPE-02"},
     .what = "exports float16 as bfloat16",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retypes = When::Code(abi::kDLFloat).And(When::Bits(16));
           behaviour.exporting.retyped = {abi::kDLBfloat, 16, 1};
         }},
    {.name = "narrows-strided-doubles",
     .rules = {"C-DTYPE-14"},
     .what = "converts non-compact float64 tensors to float32 on import without a warning",
     .apply =
         [](Behaviour& behaviour) { behaviour.importing.converts_to_float32 = When::Bits(64).And(When::Strided()); }},
};

}  // namespace
}  // namespace dlpack_cts
