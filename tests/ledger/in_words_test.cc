// tests/ledger/in_words_test.cc: facts, elements and other values as people read them.
#include "harness/ledger/in_words.h"

#include <gtest/gtest.h>

#include "harness/recipe/generator.h"
#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

Recipe ImportOf(abi::DLDataType dtype) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  recipe.offer().dtype = dtype;
  recipe.offer().dims = 2;
  recipe.offer().ndim = 2;
  recipe.offer().shape[0] = 2;
  recipe.offer().shape[1] = 3;
  return recipe;
}

void Differ(ElementReading& reading, int64_t index, uint64_t wanted, uint64_t got) {
  reading.reading = Reading::kDiffers;
  reading.first_difference = index;
  reading.wanted_bits = wanted;
  reading.got_bits = got;
}

TEST(FactInWords, NamesTheElementThatDiffers) {
  Ledger ledger{};
  Differ(ledger.imports[0].memory, 4, 0x3fc00000, 0);
  const FactInWords evidence =
      WordsOfFact("import0.memory", ImportOf({abi::kDLFloat, 32, 1}), ledger, "matches", "differs at element 4");
  EXPECT_EQ(evidence.meaning, "elements read through the described address and strides");
  EXPECT_EQ(evidence.wanted, "element [1,1] = 1.5");
  EXPECT_EQ(evidence.got, "element [1,1] = 0.0");
}

TEST(FactInWords, DistinguishesNaNsByTheirBits) {
  Ledger ledger{};
  Differ(ledger.imports[0].memory, 0, 0x7fc00000, 0x7fc00001);
  const FactInWords evidence =
      WordsOfFact("import0.memory", ImportOf({abi::kDLFloat, 32, 1}), ledger, "matches", "differs");
  EXPECT_EQ(evidence.wanted, "element [0,0] = bits 0x7fc00000");
  EXPECT_EQ(evidence.got, "element [0,0] = bits 0x7fc00001");
}

TEST(FactInWords, NeedsNoIndexInAScalar) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  Ledger ledger{};
  Differ(ledger.imports[0].memory, 0, 0x3fc00000, 0);
  EXPECT_EQ(WordsOfFact("import0.memory", recipe, ledger, "matches", "differs").got, "the element = 0.0");
}

TEST(FactInWords, UsesTheElementsOfTheSourceOfAnExport) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetPlainLife(recipe);
  recipe.request().dtype = {abi::kDLInt, 8, 1};
  recipe.request().dims = 1;
  recipe.request().shape[0] = 6;
  Ledger ledger{};
  Differ(ledger.exports[0].elements, 5, 0xff, 1);
  const FactInWords evidence = WordsOfFact("export0.elements", recipe, ledger, "matches", "differs");
  EXPECT_EQ(evidence.wanted, "element [5] = -1");
  EXPECT_EQ(evidence.got, "element [5] = 1");
}

TEST(FactInWords, UsesTheElementsOfTheOfferOfAReexport) {
  Recipe recipe = ImportOf({abi::kDLUInt, 8, 1});
  SetLife(recipe, {Step{.op = Op::kImport}, Step{.op = Op::kReexport, .other = OtherOf(1)}});
  Ledger ledger{};
  Differ(ledger.exports[1].elements, 3, 200, 1);
  EXPECT_EQ(WordsOfFact("export1.elements", recipe, ledger, "matches", "differs").wanted, "element [1,0] = 200");
}

TEST(FactInWords, DescribesOtherValues) {
  const Recipe recipe = ImportOf({abi::kDLFloat, 32, 1});
  const Ledger ledger{};
  const auto words = [&](const char* key, const char* wanted, const char* got) {
    const FactInWords evidence = WordsOfFact(key, recipe, ledger, wanted, got);
    return evidence.wanted + "; " + evidence.got;
  };
  EXPECT_EQ(words("import0.dtype", "none | (2, 32, 1)", "(2, 64, 1)"), "none or float32; float64");
  EXPECT_EQ(words("import0.device", "(2, 1)", "(1, 0)"), "CUDA(2):1; CPU(1):0");
  EXPECT_EQ(words("export0.flags", "1", "0"), "READ_ONLY; none");
  EXPECT_EQ(words("export0.flags", "2 | 3 | 6 | 7", "0"), "at least IS_COPIED; none");
  EXPECT_EQ(words("export0.flags", "0 | 1", "2"), "none or READ_ONLY; IS_COPIED");
  EXPECT_EQ(words("import0.is_buffer_error", "1", "0"), "yes; no");
  EXPECT_EQ(words("import0.outcome", "refused", "accepted"), "refused; accepted");
  EXPECT_EQ(words("no such fact", "1", "0"), "1; 0");
  EXPECT_EQ(words("import0.place", "data+0", "data+64"), "element 0; element 0 + 64 bytes");
  EXPECT_EQ(words("import0.place", "front-8 | behind+8", "elsewhere"),
            "element 0 - 8 bytes, before the data or element 0 + 8 bytes, after the data; other memory");
  EXPECT_EQ(words("export0.place", "guard-16 of slot 1", "null"),
            "element 0 of slot 1 - 16 bytes, an inaccessible page; NULL");
  EXPECT_EQ(words("import0.place", "none", "metadata of slot 2"),
            "none; memory of the struct, shape or strides of slot 2");
}

TEST(FactInWords, NamesTheFieldThatWasAccessed) {
  Recipe recipe = ImportOf({abi::kDLFloat, 32, 1});
  const Ledger ledger{};
  const auto words = [&](const char* got) { return WordsOfFact("fault0", recipe, ledger, "none", got).got; };
  EXPECT_EQ(words("read struct+0"), "read version (struct offset 0)");
  EXPECT_EQ(words("write struct+24"), "write flags (struct offset 24)");
  EXPECT_EQ(words("read struct+32"), "read dl_tensor.data (struct offset 32)");
  EXPECT_EQ(words("read struct+48"), "read dl_tensor.ndim (struct offset 48)");
  EXPECT_EQ(words("read struct+79"), "read dl_tensor.byte_offset (struct offset 79)");
  EXPECT_EQ(words("read struct+80"), "read past the end of the struct (struct offset 80)");
  EXPECT_EQ(words("read shape+16"), "read dl_tensor.shape[2]");
  EXPECT_EQ(words("write strides+0"), "write dl_tensor.strides[0]");
  EXPECT_EQ(words("read guard+8"), "read an inaccessible page, 8 bytes outside the data");
  EXPECT_EQ(words("read data+0"), "read the data at byte 0");
  EXPECT_EQ(words("read context+4"), "read memory behind manager_ctx (offset 4)");
  EXPECT_EQ(words("read table+8"), "read the exchange table (offset 8)");
  EXPECT_EQ(words("read view+0"), "read the DLTensor of a view (offset 0)");
  EXPECT_EQ(words("none"), "none");
  recipe.offer().kind = StructKind::kLegacy;
  EXPECT_EQ(words("read struct+48"), "read manager_ctx (struct offset 48)");
  EXPECT_EQ(words("read struct+56"), "read deleter (struct offset 56)");
  EXPECT_EQ(words("read struct+40"), "read dl_tensor.byte_offset (struct offset 40)");
  EXPECT_EQ(words("read struct+64"), "read past the end of the struct (struct offset 64)");
}

TEST(Words, DescribeElementsOfEachKind) {
  EXPECT_EQ(ElementWords({abi::kDLFloat, 16, 1}, 0x3e00), "1.5");
  EXPECT_EQ(ElementWords({abi::kDLFloat, 16, 1}, 0x0001), "5.9604645e-08");
  EXPECT_EQ(ElementWords({abi::kDLFloat, 16, 1}, 0xfc00), "-inf");
  EXPECT_EQ(ElementWords({abi::kDLFloat, 64, 1}, 0xbff8000000000000u), "-1.5");
  EXPECT_EQ(ElementWords({abi::kDLBfloat, 16, 1}, 0x3fc0), "1.5");
  EXPECT_EQ(ElementWords({abi::kDLComplex, 64, 1}, 0xbf8000003fc00000u), "1.5-1.0j");
  EXPECT_EQ(ElementWords({abi::kDLBool, 8, 1}, 1), "True");
  EXPECT_EQ(ElementWords({abi::kDLBool, 8, 1}, 2), "bits 0x2");
  EXPECT_EQ(ElementWords({abi::kDLInt, 64, 1}, ~uint64_t{0}), "-1");
  EXPECT_EQ(ElementWords({abi::kDLComplex, 128, 1}, 1), "bits 0x1");
  EXPECT_EQ(ElementWords({abi::kDLFloat8_e5m2, 8, 1}, 0x3c), "bits 0x3c");
}

TEST(Words, NameTypesDevicesFlagsAndTuples) {
  EXPECT_EQ(DtypeWords({abi::kDLFloat, 32, 4}), "float32 of 4 lanes");
  EXPECT_EQ(DtypeWords({abi::kDLFloat4_e2m1fn, 8, 1}), "dtype (float4_e2m1fn, 8 bits)");
  EXPECT_EQ(DtypeWords({200, 32, 1}), "dtype (code 200, 32 bits)");
  EXPECT_EQ(DeviceWords({abi::kDLCPU, 0}), "CPU(1):0");
  EXPECT_EQ(DeviceWords({abi::kDLAscend, 2}), "Ascend(21):2");
  EXPECT_EQ(DeviceWords({5, 0}), "unknown(5):0");
  EXPECT_EQ(DeviceWords({99, 1}), "unknown(99):1");
  EXPECT_EQ(FlagsWords(0), "none");
  const int64_t ones[33] = {2, 1};
  EXPECT_EQ(TupleWords({ones, 0}), "()");
  EXPECT_EQ(TupleWords({ones, 1}), "(2,)");
  EXPECT_EQ(TupleWords({ones, 33}), "(2,1,0,0,0,0,0,0,... 33 in all)");
}

}  // namespace
}  // namespace dlpack_cts
