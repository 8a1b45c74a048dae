// tests/runner/library_test.cc: what library.toml says, and which library a command line names.
#include "runner/environment/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kGood[] = "name = \"mine\"\nkind = \"python\"\nroles = [\"consumer\"]\n";

class LibraryTest : public ::testing::Test {
 protected:
  Library Read(const std::string& text) {
    folder_.Write("library.toml", text);
    return ReadLibrary(folder_.path());
  }

  /// The message of the refusal; every refusal has a hint that tells the user what to do.
  std::string Refusal(const std::string& text) {
    try {
      Read(text);
    } catch (const Failure& failure) {
      EXPECT_NE(failure.hint(), "");
      EXPECT_EQ(failure.status(), kUsage);
      return failure.what();
    }
    return "";
  }

  TestFolder folder_;
};

TEST_F(LibraryTest, HasDefaultsForMissingFields) {
  const Library library = Read(kGood);
  EXPECT_EQ(library.name, "mine");
  EXPECT_EQ(library.folder, folder_.path());
  EXPECT_THAT(library.roles, ElementsAre("consumer"));
  EXPECT_THAT(library.claims, IsEmpty());
  EXPECT_THAT(library.requirements, IsEmpty());
  EXPECT_THAT(library.pythons, ElementsAre("3.11"));
  EXPECT_EQ(library.version, "");
  EXPECT_TRUE(library.fork_safe);
  EXPECT_TRUE(library.IsPython());
}

TEST_F(LibraryTest, IsReadAsItIsWritten) {
  Library library = Read(std::string(kGood) +
                         "claims = [\"view\", \"write\"]\nrequirements = [\"mine==1.0\"]\nindex_hint = \"ask\"\n"
                         "python = [\"3.13\"]\nsize_mb = 7\nfork_safe = false\n[environment]\nTHREADS = \"1\"\n");
  EXPECT_TRUE(library.Claims("write"));
  EXPECT_FALSE(library.Claims("read_only"));
  EXPECT_THAT(library.requirements, ElementsAre("mine==1.0"));
  EXPECT_EQ(library.index_hint, "ask");
  EXPECT_THAT(library.pythons, ElementsAre("3.13"));
  EXPECT_EQ(library.size_mb, 7);
  EXPECT_FALSE(library.fork_safe);
  EXPECT_THAT(library.environment, ElementsAre(Pair("THREADS", "1")));
  library.environment["LIBRARIES"] = "{environment}/lib:{environment}/lib64";
  EXPECT_THAT(VariablesIn(library, "/envs/one/bin/python"),
              ElementsAre(Pair("LIBRARIES", "/envs/one/lib:/envs/one/lib64"), Pair("THREADS", "1")));
}

TEST_F(LibraryTest, PathOfAPluginIsRelativeToItsFolder) {
  const Library library =
      Read("name = \"mine\"\nkind = \"native\"\nroles = [\"producer\"]\nplugin = \"build/libmine.so\"\n");
  EXPECT_EQ(library.plugin, folder_.path() + "/build/libmine.so");
  EXPECT_FALSE(library.IsPython());
}

TEST_F(LibraryTest, ReportsWrongLineAndField) {
  EXPECT_THAT(Refusal("name = 3\n"), HasSubstr("library.toml:1: the field \"name\" is not a string"));
  EXPECT_THAT(Refusal("kind = \"python\"\n"), HasSubstr("the field \"name\" is missing"));
  EXPECT_THAT(Refusal(std::string(kGood) + "claim = []\n"),
              HasSubstr("library.toml:4: the field \"claim\" is unknown"));
  EXPECT_THAT(Refusal(std::string(kGood) + "python = [3.11]\n"), HasSubstr("\"python\" is not a list of strings"));
  EXPECT_THAT(Refusal(std::string(kGood) + "environment = []\n"), HasSubstr("\"environment\" is not a table"));
  EXPECT_THAT(Refusal(std::string(kGood) + "[[["), HasSubstr("library.toml:4: "));
}

TEST_F(LibraryTest, RequiresANameForPathsAndCommands) {
  for (const char* name : {"numpy", "a", "my-lib_2.x", "X"}) {
    EXPECT_EQ(Read("name = \"" + std::string(name) + "\"\nkind = \"python\"\nroles = [\"consumer\"]\n").name, name);
  }
  for (const char* name : {"", "a b", "../a", "a/b", ".hidden", "-option", "a==1", "a;b", "n\u00e4me"}) {
    EXPECT_THAT(Refusal("name = \"" + std::string(name) + "\"\nkind = \"python\"\nroles = [\"consumer\"]\n"),
                HasSubstr("is not a valid name"))
        << name;
  }
}

TEST_F(LibraryTest, GivenAdapterReplacesThatOfTheTree) {
  folder_.Write("adapters/one/library.toml", "name = \"one\"\nkind = \"python\"\nroles = [\"consumer\"]\n");
  folder_.Write("adapters/two/library.toml", "name = \"two\"\nkind = \"python\"\nroles = [\"consumer\"]\n");
  folder_.Write("subject/subject.h", "");
  folder_.Write("mine/library.toml", "name = \"two\"\nkind = \"python\"\nroles = [\"producer\"]\n");
  const auto libraries = FindLibraries(folder_.path(), {folder_.path() + "/mine/"});
  ASSERT_EQ(libraries.size(), 2u);
  EXPECT_THAT(libraries.at("one").roles, ElementsAre("consumer"));
  EXPECT_THAT(libraries.at("two").roles, ElementsAre("producer"));
  EXPECT_EQ(libraries.at("two").folder, folder_.path() + "/mine");
}

TEST_F(LibraryTest, IsSelectedByNameAndVersion) {
  Library library = Read(std::string(kGood) + "requirements = [\"other==2\", \"mine==1.0\"]\n");
  const std::map<std::string, Library> known = {{"mine", library}};
  EXPECT_THAT(SelectLibrary(known, "mine").requirements, ElementsAre("other==2", "mine==1.0"));
  EXPECT_EQ(SelectLibrary(known, "mine").version, "");
  EXPECT_THAT(SelectLibrary(known, "mine==1.5").requirements, ElementsAre("mine==1.5", "other==2"));
  EXPECT_EQ(SelectLibrary(known, "mine==1.5").version, "1.5");
  EXPECT_THROW(SelectLibrary(known, "mine=="), Failure);
  EXPECT_THROW(SelectLibrary(known, "yours"), Failure);
  EXPECT_THROW(SelectLibrary(known, ""), Failure);
}

TEST_F(LibraryTest, OtherVersionsMayNeedOtherRequirements) {
  const Library library = Read(std::string(kGood) +
                               "requirements = [\"their-mine[cpu]==9\", \"other==2\"]\n"
                               "[[releases]]\nversion = \"<3\"\nrequirements = [\"mine-old=={version}\", \"other<2\"]\n"
                               "[[releases]]\nrequirements = [\"their-mine[cpu]=={version}\", \"other\"]\n");
  const std::map<std::string, Library> known = {{"mine", library}};
  EXPECT_THAT(SelectLibrary(known, "mine").requirements, ElementsAre("their-mine[cpu]==9", "other==2"));
  EXPECT_THAT(SelectLibrary(known, "mine==2.5").requirements, ElementsAre("mine-old==2.5", "other<2"));
  EXPECT_THAT(SelectLibrary(known, "mine==3.1").requirements, ElementsAre("their-mine[cpu]==3.1", "other"));
  EXPECT_EQ(SelectLibrary(known, "mine==3.1").version, "3.1");
}

TEST_F(LibraryTest, RowOfReleasesIsReadStrictly) {
  const auto row = [&](const std::string& text) { return Refusal(std::string(kGood) + "[[releases]]\n" + text); };
  EXPECT_THAT(row("requirements = [\"mine==2\"]\n"), HasSubstr("pins nothing to {version}"));
  EXPECT_THAT(row("version = \"old\"\nrequirements = [\"mine=={version}\"]\n"), HasSubstr("is not a condition"));
  EXPECT_THAT(row("versions = \"<2\"\n"), HasSubstr("versions"));
  EXPECT_THAT(Refusal("releases = 3\n" + std::string(kGood)), HasSubstr("is not a list of tables"));
}

TEST_F(LibraryTest, WithoutAPinRefusesAVersion) {
  const std::map<std::string, Library> known = {{"mine", Read(kGood)}};
  try {
    SelectLibrary(known, "mine==1.5");
    ADD_FAILURE() << "a version of a package that no adapter names was taken";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("does not pin a package of that name"));
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
