// tests/case/registry_test.cc: a case that is declared wrongly stops the program when it starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>

#include "harness/case/case.h"
#include "harness/case/claims.h"

namespace dlpack_cts {
namespace {

using ::testing::ElementsAre;

Case Good(std::string_view id) {
  return {.id = id,
          .rules = {"C-OWN-01"},
          .draw = [](Draw& draw) { return draw.Import(); },
          .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); }};
}

const RegisterCases<OfConsumer> kCases = {Good("c-abi/own/second"), Good("c-abi/own/first")};
const RegisterCases<OfPythonProducer> kPythonCases = {Good("python/copy/other")};

TEST(Registry, IsSortedByIdWhateverTheOrderOfDeclaration) {
  std::vector<std::string_view> ids;
  for (const Case& declared : Catalogue()) ids.push_back(declared.id);
  EXPECT_THAT(ids, ElementsAre("c-abi/own/first", "c-abi/own/second", "python/copy/other"));
}

TEST(Registry, FindsACaseByItsWholeId) {
  ASSERT_NE(FindCase("c-abi/own/first"), nullptr);
  EXPECT_EQ(FindCase("c-abi/own/first")->id, "c-abi/own/first");
  for (const char* id : {"", "first", "c-abi/own", "c-abi/own/firs", "c-abi/own/first2", "zzz"}) {
    EXPECT_EQ(FindCase(id), nullptr) << id;
  }
}

TEST(Registry, CasesHaveWhatTheirTableSays) {
  EXPECT_EQ(FindCase("c-abi/own/first")->role, Role::kConsumer);
  EXPECT_FALSE(FindCase("c-abi/own/first")->python);
  EXPECT_EQ(FindCase("python/copy/other")->role, Role::kProducer);
  EXPECT_TRUE(FindCase("python/copy/other")->python);
}

TEST(Registry, NamesSuitesByTheId) { EXPECT_EQ(SuiteOf("c-abi/strides/null-means-row-major"), "c-abi/strides"); }

TEST(RegistryDeathTest, StopsAtACaseThatIsDeclaredTwice) {
  const auto twice = [] {
    Register(Good("c-abi/own/first"));
    Catalogue();
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process, in which the catalogue is not sorted yet
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGABRT), "the case \"c-abi/own/first\" is declared twice");
}

TEST(RegistryDeathTest, StopsAtACaseThatLacksSomething) {
  const auto declare = [](void (*change)(Case&)) {
    Case declared = Good("c-abi/own/wrong");
    change(declared);
    Register(declared);
  };
  const auto aborts = ::testing::KilledBySignal(SIGABRT);
  EXPECT_EXIT(declare([](Case& c) { c.rules.clear(); }), aborts, "\"c-abi/own/wrong\" names no rule");
  EXPECT_EXIT(declare([](Case& c) { c.draw = nullptr; }), aborts, "\"c-abi/own/wrong\" has no draw function");
  EXPECT_EXIT(declare([](Case& c) { c.judge = nullptr; }), aborts,
              "\"c-abi/own/wrong\" needs either a judge function or Examples::kWhole");
  EXPECT_EXIT(declare([](Case& c) { c.on_refusal = OnRefusal::kWarn; }), aborts,
              "has OnRefusal::kWarn but no control function");
  EXPECT_EXIT(declare([](Case& c) { c.on_refusal = OnRefusal::kJudge; }), aborts,
              "has OnRefusal::kJudge, but neither a control nor the reason why it has none");
  EXPECT_EXIT(declare([](Case& c) { c.uncontrolled = "no refusal is judged"; }), aborts,
              "gives a reason for a missing control, but has a control or does not need one");
  EXPECT_EXIT(declare([](Case& c) {
                c.on_refusal = OnRefusal::kJudge;
                c.control = [](const Profile&, Recipe&) {};
                c.uncontrolled = "no refusal is judged";
              }),
              aborts, "gives a reason for a missing control, but has a control or does not need one");
  EXPECT_EXIT(declare([](Case& c) { c.id = "no-suite"; }), aborts, "\"no-suite\" has an invalid id");
  EXPECT_EXIT(declare([](Case& c) { c.id = "c-abi/Own/x y"; }), aborts, "has an invalid id");
  EXPECT_EXIT(declare([](Case& c) { c.id = ""; }), aborts, "has an invalid id");
  EXPECT_EXIT(declare([](Case& c) {
                c.examples = Examples::kTable;
                c.table = 0;
              }),
              aborts, "has a table without rows");
}

TEST(Claims, HaveUniqueNames) {
  std::set<std::string_view> names;
  for (uint32_t i = 0; i < static_cast<uint32_t>(Claim::kCount); ++i) {
    const std::string_view name = ToText(static_cast<Claim>(i));
    EXPECT_EQ(ClaimFromText(name), static_cast<Claim>(i)) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  for (const char* name : {"", "View", "view ", "kView", "flying"})
    EXPECT_EQ(ClaimFromText(name), std::nullopt) << name;
}

}  // namespace
}  // namespace dlpack_cts
