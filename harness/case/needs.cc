// harness/case/needs.cc: what cases are blocked by.
#include "harness/case/needs.h"

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

bool AnySubByte(uint64_t dtypes) { return (dtypes >> WholeByteTypes().size()) != 0; }

/// Nothing is known of a method that never gave a capsule.
std::string_view KnowsKeyword(const Profile& profile, std::string_view lacking) {
  if (profile.takes_keywords != 0) return "";
  return profile.makes_legacy != 0 || profile.makes_versioned != 0 ? lacking : "the library exports no plain array";
}

}  // namespace

std::string_view TakesLegacy(const Profile& profile) {
  return profile.takes_legacy != 0 ? "" : "the library imports no legacy capsule";
}

std::string_view TakesVersioned(const Profile& profile) {
  return profile.takes_versioned != 0 ? "" : "the library imports no versioned capsule";
}

std::string_view TakesPlain(const Profile& profile) {
  return profile.takes_legacy != 0 || profile.takes_versioned != 0 ? "" : "the library takes no plain tensor at all";
}

std::string_view TakesObjects(const Profile& profile) {
  const bool bare = profile.Says(Trait::kCapsulesOnly) || profile.bare_legacy != 0 || profile.bare_versioned != 0;
  return bare ? "the library takes bare capsules, and no objects" : "";
}

std::string_view LooksForTables(const Profile& profile) {
  if (profile.looks_for_tables != 0) return "";
  const std::string_view objects = TakesObjects(profile);
  return !objects.empty() ? objects : "the library looks for no exchange table";
}

std::string_view LooksForMoreThanTables(const Profile& profile) {
  const std::string_view tables = LooksForTables(profile);
  return !tables.empty() ? tables : TakesObjects(profile);
}

std::string_view TakesSubBytes(const Profile& profile) {
  return AnySubByte(profile.takes_dtypes) ? "" : "the library takes no type of less than a byte";
}

std::string_view MakesSubBytes(const Profile& profile) {
  return AnySubByte(profile.makes_dtypes) ? "" : "the library makes no type of less than a byte";
}

std::string_view MakesLegacy(const Profile& profile) {
  return profile.makes_legacy != 0 ? "" : "the library exports no legacy capsule";
}

std::string_view MakesVersioned(const Profile& profile) {
  return profile.makes_versioned != 0 ? "" : "the library exports no versioned capsule";
}

std::string_view KnowsMaxVersion(const Profile& profile) {
  return KnowsKeyword(profile, "__dlpack__ of the library's arrays takes no max_version");
}

std::string_view KnowsDlDevice(const Profile& profile) {
  return KnowsKeyword(profile, "__dlpack__ of the library's arrays takes no dl_device");
}

std::string_view KnowsCopy(const Profile& profile) {
  return KnowsKeyword(profile, "__dlpack__ of the library's arrays takes no copy");
}

}  // namespace dlpack_cts
