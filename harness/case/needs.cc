// harness/case/needs.cc: the reasons that block cases.
#include "harness/case/needs.h"

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

bool AnySubByte(uint64_t dtypes) { return (dtypes >> WholeByteTypes().size()) != 0; }

/// The probes learn nothing about a __dlpack__ that never returned a capsule.
std::string_view KnowsKeyword(const Profile& profile, std::string_view lacking) {
  if (profile.takes_keywords != 0) return "";
  return profile.makes_legacy != 0 || profile.makes_versioned != 0
             ? lacking
             : "the library exports neither legacy nor versioned capsules";
}

}  // namespace

std::string_view TakesLegacy(const Profile& profile) {
  return profile.takes_legacy != 0 ? "" : "the library does not import legacy capsules";
}

std::string_view TakesVersioned(const Profile& profile) {
  return profile.takes_versioned != 0 ? "" : "the library does not import versioned capsules";
}

std::string_view TakesPlain(const Profile& profile) {
  return profile.takes_legacy != 0 || profile.takes_versioned != 0
             ? ""
             : "the library imports neither legacy nor versioned capsules";
}

std::string_view TakesObjects(const Profile& profile) {
  const bool bare = profile.Says(Trait::kCapsulesOnly) || profile.bare_legacy != 0 || profile.bare_versioned != 0;
  return bare ? "the library imports only bare capsules, not objects with __dlpack__" : "";
}

std::string_view LooksForTables(const Profile& profile) {
  if (profile.looks_for_tables != 0 || profile.Claims(Claim::kFromExchange)) return "";
  const std::string_view objects = TakesObjects(profile);
  return !objects.empty() ? objects : "the library does not look up __dlpack_c_exchange_api__";
}

std::string_view LooksForMoreThanTables(const Profile& profile) {
  const std::string_view objects = TakesObjects(profile);
  if (!objects.empty() || profile.looks_for_tables != 0) return objects;
  return "the library does not look up __dlpack_c_exchange_api__";
}

std::string_view TakesSubBytes(const Profile& profile) {
  return AnySubByte(profile.takes_dtypes) ? "" : "the library does not import sub-byte types";
}

std::string_view MakesSubBytes(const Profile& profile) {
  return AnySubByte(profile.makes_dtypes) ? "" : "the library does not make arrays of sub-byte types";
}

std::string_view MakesLegacy(const Profile& profile) {
  return profile.makes_legacy != 0 ? "" : "the library does not export legacy capsules";
}

std::string_view MakesVersioned(const Profile& profile) {
  return profile.makes_versioned != 0 ? "" : "the library does not export versioned capsules";
}

std::string_view KnowsMaxVersion(const Profile& profile) {
  return KnowsKeyword(profile, "the library's __dlpack__ does not accept max_version");
}

std::string_view KnowsDlDevice(const Profile& profile) {
  return KnowsKeyword(profile, "the library's __dlpack__ does not accept max_version, so dl_device is not tested");
}

std::string_view KnowsCopy(const Profile& profile) {
  return KnowsKeyword(profile, "the library's __dlpack__ does not accept max_version, so copy is not tested");
}

std::string_view MakesHostArrays(const Profile& profile) {
  return profile.Claims(Claim::kCuda) ? "the adapter claims cuda, and the stream of this case is not a real one"
         : profile.MakesElsewhere() ? "the library's arrays are on another device than the CPU, and the stream of this "
                                      "case is not one of that device"
                                    : "";
}

}  // namespace dlpack_cts
