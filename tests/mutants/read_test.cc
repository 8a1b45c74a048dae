// tests/mutants/read_test.cc: mutant files: what they can say, and a clear sentence for each kind of mistake.
#include "mutants/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mutants/fields.h"
#include "mutants/pair.h"

namespace dlpack_cts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using On = When::Trait;

constexpr std::string_view kHead = "[one]\nrules = [\"C-DATA-01\"]\nwhat = \"does something\"\n";

/// The behaviour of a mutant with these keys.
Behaviour With(const std::string& keys) {
  const std::string text = std::string(kHead) + keys;
  const MutantFile files[] = {{"one.toml", text}};
  Behaviour behaviour = CorrectBehaviour();
  ReadMutants(files).at(0).ApplyTo(behaviour);
  return behaviour;
}

std::string MistakeIn(const std::string& text) {
  const MutantFile files[] = {{"one.toml", text}};
  try {
    ReadMutants(files);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no mistake";
}

std::string MistakeWith(const std::string& keys) { return MistakeIn(std::string(kHead) + keys); }

TEST(MutantFileTest, SaysAllOfAMutant) {
  const MutantFile files[] = {{"one.toml", R"([shape-typed]
conforming = true
inconstant = true
limited = true
rules = ["C-SHAPE-02", "C-SHAPE-03"]
what = "has ranks from 1 to 3"
having.ranks = [1, 2, 3]
asking.typed = true
lacks = ["exchange_api", "zero_copy"]
says = ["typed_imports"]
ranks = [1, 2, 3]
)"}};
  const std::vector<Mutant> mutants = ReadMutants(files);
  ASSERT_EQ(mutants.size(), 1u);
  const Mutant& mutant = mutants.front();
  EXPECT_EQ(mutant.name, "shape-typed");
  EXPECT_TRUE(mutant.conforming);
  EXPECT_TRUE(mutant.inconstant);
  EXPECT_TRUE(mutant.limited);
  EXPECT_THAT(mutant.rules, ElementsAre("C-SHAPE-02", "C-SHAPE-03"));
  EXPECT_EQ(mutant.what, "has ranks from 1 to 3");
  EXPECT_THAT(mutant.lacks, ElementsAre(Claim::kExchangeApi, Claim::kZeroCopy));
  EXPECT_THAT(mutant.says, ElementsAre(Trait::kTypedImports));
  EXPECT_EQ(mutant.ranks, 0b1110u);
  Behaviour behaviour = CorrectBehaviour();
  mutant.ApplyTo(behaviour);
  Behaviour expected = CorrectBehaviour();
  expected.having.ranks = 0b1110;
  expected.asking.typed = true;
  EXPECT_TRUE(behaviour == expected);
}

TEST(MutantFileTest, HasAFormForEachTypeOfField) {
  EXPECT_EQ(With("exporting.offset_bytes = 64").exporting.offset_bytes, 64u);
  EXPECT_FALSE(With("asking.asks_device = false").asking.asks_device);
  EXPECT_EQ(With("importing.major_check = \"not-less\"").importing.major_check, MajorCheck::kNotLess);
  EXPECT_EQ(With("table.published.form = \"two-tables\"").table.published.form, Publishing::Form::kTwoTables);
  EXPECT_EQ(With("table.published.null_slots = \"view\"").table.published.null_slots, 1u << 3);
  EXPECT_EQ(With("table.slip = \"throws allocator\"").table.slip, (Slip{Slip::How::kThrows, 0}));
  EXPECT_EQ(With("exporting.version = \"1.99\"").exporting.version, (abi::DLPackVersion{1, 99}));
  EXPECT_EQ(With("exporting.device = \"CUDAHost:3\"").exporting.device, (abi::DLDevice{abi::kDLCUDAHost, 3}));
  EXPECT_EQ(With("exporting.device = \"0:0\"").exporting.device, (abi::DLDevice{0, 0}));
  EXPECT_EQ(With("importing.retyped = \"float32_x2\"").importing.retyped, (abi::DLDataType{abi::kDLFloat, 32, 2}));
  EXPECT_EQ(With("importing.retyped = \"(bfloat, 8, 1)\"").importing.retyped, (abi::DLDataType{abi::kDLBfloat, 8, 1}));
  EXPECT_EQ(With("asking.stream = -7").asking.stream, (Argument{ArgumentKind::kInt, {}, -7, 0}));
  EXPECT_EQ(With("asking.dl_device = \"pair 0 1\"").asking.dl_device, (Argument{ArgumentKind::kPair, {}, 0, 1}));
}

TEST(MutantFileTest, NamesTheBitsOfMasks) {
  EXPECT_EQ(With("refusing.accepts = \"dtype, lanes\"").refusing.accepts, kPathDtype | kPathLanes);
  EXPECT_EQ(With("refusing.raises = \"all but device, keyword\"").refusing.raises, ~(kPathDevice | kPathKeyword));
  EXPECT_EQ(With("refusing.raises = \"any-tensor but polite\"").refusing.raises, kPathAnyTensor & ~kPathPolite);
  EXPECT_EQ(With("exporting.flags = \"IS_COPIED\"").exporting.flags, abi::kFlagIsCopied);
  EXPECT_EQ(With("exporting.flags = 0x400").exporting.flags, 0x400u);
  EXPECT_EQ(With("having.lacks_codes = \"all but int, uint\"").having.lacks_codes, ~3u);
}

TEST(MutantFileTest, HasConditionsOfOneOrTwoTerms) {
  const auto condition = [](const std::string& text) {
    return With("importing.copies = \"" + text + "\"").importing.copies;
  };
  EXPECT_EQ(condition("always"), When::Always());
  EXPECT_EQ(condition("legacy"), (When{{On::kVersioned, true}}));
  EXPECT_EQ(condition("not legacy"), When::Of(On::kVersioned));
  EXPECT_EQ(condition("not rank 2"), (When{{On::kRank, true, 2}}));
  EXPECT_EQ(condition("rank at least 3"), When::Of(On::kRankAtLeast, 3));
  EXPECT_EQ(condition("view"), When::Of(On::kViews, 1));
  EXPECT_EQ(condition("code complex and not empty"), (When{{On::kCode, false, abi::kDLComplex}, {On::kEmpty, true}}));
  EXPECT_EQ(condition("code 255"), When::Of(On::kCode, 255));
  EXPECT_EQ(condition("device MAIA"), When::Of(On::kDevice, abi::kDLMAIA));
  EXPECT_EQ(condition("flag IS_COPIED"), When::Of(On::kFlag, abi::kFlagIsCopied));
  EXPECT_EQ(condition("asking copy-true, device"), When::Of(On::kAsked, kAskedCopyTrue | kAskedDevice));
  EXPECT_EQ(condition("by bare-capsule"), When::Of(On::kArrival, kByBareCapsule));
}

TEST(MutantFileTest, MistakesNameFileLineMutantAndField) {
  EXPECT_EQ(MistakeWith("importing.copied = \"always\"\n"),
            "one.toml:4: the mutant one has a mistake in importing.copied: Behaviour has no such field "
            "(reference/behaviour.h)");
  EXPECT_EQ(MistakeWith("owning.release = \"later\"\n"),
            "one.toml:4: the mutant one has a mistake in owning.release: \"later\" is not one of: now, other-thread, "
            "collect");
}

TEST(MutantFileTest, MistakesSayWhatIsAllowed) {
  EXPECT_THAT(MistakeWith("importin.copies = \"always\""), HasSubstr("in importin: Behaviour has no such field"));
  EXPECT_THAT(MistakeWith("importing = 1"), HasSubstr("in importing: it is a part of Behaviour, not a field"));
  EXPECT_THAT(MistakeWith("importing.copies.x = 1"), HasSubstr("must be true, false, a number, a text or a list"));
  EXPECT_THAT(MistakeWith("importing.copies = true"), HasSubstr("the value must be a text"));
  EXPECT_THAT(MistakeWith("asking.typed = \"yes\""), HasSubstr("the value must be true or false"));
  EXPECT_THAT(MistakeWith("having.alignment_log2 = 256"), HasSubstr("the value must be a number from 0 to 255"));
  EXPECT_THAT(MistakeWith("having.ranks = [64]"), HasSubstr("64 is not a bit of the field"));
  EXPECT_THAT(MistakeWith("having.ranks = [\"1\"]"), HasSubstr("a list must have numbers of bits"));
  EXPECT_THAT(MistakeWith("refusing.accepts = \"dtype, lane\""), HasSubstr("\"lane\" is not one of: all, version, "));
  EXPECT_THAT(MistakeWith("exporting.version = \"1\""), HasSubstr("\"1\" is not a version such as 1.3"));
  EXPECT_THAT(MistakeWith("exporting.device = \"CPU\""), HasSubstr("\"CPU\" is not a device such as CPU:0"));
  EXPECT_THAT(MistakeWith("exporting.device = \"cpu:0\""),
              HasSubstr("\"cpu\" is neither a number nor one of: CPU, CUDA, "));
  EXPECT_THAT(MistakeWith("exporting.device = \"CPU:x\""), HasSubstr("\"x\" is not a number of 32 bits"));
  EXPECT_THAT(MistakeWith("exporting.retyped = \"float33\""), HasSubstr("\"float33\" is not a type such as float32"));
  EXPECT_THAT(MistakeWith("asking.stream = \"pair 1 2 3\""), HasSubstr("is not an argument such as"));
  EXPECT_THAT(MistakeWith("table.slip = \"throws\""), HasSubstr("is not a failure and a function such as"));
}

TEST(MutantFileTest, MistakesInConditionsSayWhichThereAre) {
  const auto mistake = [](const std::string& text) { return MistakeWith("importing.copies = \"" + text + "\""); };
  EXPECT_THAT(mistake("alwys"),
              HasSubstr("\"alwys\" is not a condition; these are, also after \"not\": never, always"));
  EXPECT_THAT(mistake("rank"), HasSubstr("\"rank\" is not a condition"));
  EXPECT_THAT(mistake("rank two"), HasSubstr("\"two\" is not a number of 64 bits"));
  EXPECT_THAT(mistake("code half"), HasSubstr("\"half\" is neither a number nor one of: int, uint, "));
  EXPECT_THAT(mistake("legacy and "), HasSubstr("\"\" is not a condition"));
  EXPECT_THAT(mistake("legacy and empty and unit"), HasSubstr("joins more than two conditions"));
  EXPECT_THAT(mistake("asking copies"), HasSubstr("\"copies\" is not one of: all, copy-true"));
}

TEST(MutantFileTest, MistakesAreReportedOfIncompleteMutants) {
  EXPECT_EQ(MistakeIn("[one]\nrules = [\"C-DATA-01\"]\nasking.typed = true\n"),
            "one.toml:1: the mutant one has no `what`");
  EXPECT_EQ(MistakeIn("\n[one]\nwhat = \"does something\"\nasking.typed = true\n"),
            "one.toml:2: the mutant one does not name a rule that it violates");
  EXPECT_EQ(MistakeIn(std::string(kHead)), "one.toml:1: the mutant one changes no field of Behaviour");
  EXPECT_EQ(MistakeIn("one = 1\n"), "one.toml:1: the mutant one is not a table");
  EXPECT_THAT(MistakeWith("rules = 1"), StartsWith("one.toml:4: "));
  EXPECT_THAT(MistakeIn("[one]\nrules = \"C-DATA-01\""), HasSubstr("in rules: the value must be a list of texts"));
  EXPECT_THAT(MistakeIn("[one]\nrules = [1]"), HasSubstr("in rules: the value must be a list of texts"));
  EXPECT_THAT(MistakeIn("[one]\nwhat = 1"), HasSubstr("in what: the value must be a text"));
  EXPECT_THAT(MistakeWith("conforming = \"yes\""), HasSubstr("in conforming: the value must be true or false"));
  EXPECT_THAT(MistakeWith("lacks = [\"zero-copy\"]"), HasSubstr("in lacks: \"zero-copy\" is not one of: consumer, "));
}

TEST(MutantFileTest, MutantsOfAllFilesHaveNamesOfTheirOwn) {
  const std::string text = std::string(kHead) + "asking.typed = true\n";
  const MutantFile files[] = {{"one.toml", text}, {"two.toml", text}};
  try {
    ReadMutants(files);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "two.toml:1: the mutant one is declared twice");
  }
  EXPECT_THAT(MistakeIn(text + text), StartsWith("one.toml:5: "));
}

TEST(MutantFileTest, MutantsThatChangeOneFieldDifferentlyCannotBeCombined) {
  const std::string text =
      "[a]\nrules = [\"X\"]\nwhat = \"a\"\nimporting.copies = \"always\"\n"
      "[b]\nrules = [\"X\"]\nwhat = \"b\"\nimporting.copies = \"legacy\"\nasking.typed = true\n"
      "[c]\nrules = [\"X\"]\nwhat = \"c\"\nasking.typed = true\n";
  const MutantFile files[] = {{"one.toml", text}};
  const std::vector<Mutant> mutants = ReadMutants(files);
  EXPECT_FALSE(GoTogether({&mutants[0], &mutants[1]}));
  EXPECT_TRUE(GoTogether({&mutants[0], &mutants[2]}));
  EXPECT_TRUE(GoTogether({&mutants[1], &mutants[2]}));
}

struct Sample {
  bool first;
  abi::DLDevice second;
  When third;
};

TEST(BehaviourFieldTest, EachMemberOfAStructNeedsARow) {
  static_assert(CountMembers<Sample>() == 3);
  static constexpr BehaviourField kRows[] = {{"first", offsetof(Sample, first)},
                                             {"second", offsetof(Sample, second)},
                                             {"third", offsetof(Sample, third)},
                                             {"third", offsetof(Sample, third)}};
  static_assert(HasEachMember<Sample>(std::span(kRows).first(3)));
  static_assert(!HasEachMember<Sample>(std::span(kRows).first(2)));
  static_assert(!HasEachMember<Sample>(std::span(kRows).last(3)));
  EXPECT_EQ(BehaviourFields().size(), CountMembers<Behaviour>());
}

}  // namespace
}  // namespace dlpack_cts
