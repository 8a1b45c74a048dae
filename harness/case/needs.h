// harness/case/needs.h: the reasons that block cases: kinds of struct and keywords that the subject does not support.
#ifndef DLPACK_CTS_HARNESS_CASE_NEEDS_H_
#define DLPACK_CTS_HARNESS_CASE_NEEDS_H_

#include <string_view>

#include "harness/case/profile.h"

namespace dlpack_cts {

/// Each for Case::blocked: "", or what is missing.
std::string_view TakesLegacy(const Profile& profile);
std::string_view TakesVersioned(const Profile& profile);
/// Either.
std::string_view TakesPlain(const Profile& profile);
/// Objects with __dlpack__ and __dlpack_device__, and not only bare capsules.
std::string_view TakesObjects(const Profile& profile);
/// Looks up the exchange table of an object's type. Other libraries never see what a case forges there.
std::string_view LooksForTables(const Profile& profile);
/// from_dlpack does, and imports objects without a table too.
std::string_view LooksForMoreThanTables(const Profile& profile);
/// Elements smaller than a byte.
std::string_view TakesSubBytes(const Profile& profile);
std::string_view MakesSubBytes(const Profile& profile);
std::string_view MakesLegacy(const Profile& profile);
std::string_view MakesVersioned(const Profile& profile);
/// Whether __dlpack__ accepts keywords: the probe passes max_version. The reason names the keyword of the case.
std::string_view KnowsMaxVersion(const Profile& profile);
std::string_view KnowsDlDevice(const Profile& profile);
std::string_view KnowsCopy(const Profile& profile);
/// The library's own arrays are on the host. On a device a made-up stream handle is invalid input: the driver crashes.
std::string_view MakesHostArrays(const Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_NEEDS_H_
