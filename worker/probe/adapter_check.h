// worker/probe/adapter_check.h: separates errors of the adapter from errors of the library, before any case runs.
//
// If an adapter counts strides in elements, or returns values() in another order, a conforming library fails
// everywhere. These checks compare describe() and values() of an array that make() has just made with the request, so a
// difference can only come from the adapter. DLPack is not involved, unless the adapter uses it because the library
// cannot make or read arrays otherwise. Then the adapter is blamed only if simple exports and imports of the library
// are right. A library that exports wrongly is a finding, not an error of the adapter.
#ifndef DLPACK_CTS_WORKER_PROBE_ADAPTER_CHECK_H_
#define DLPACK_CTS_WORKER_PROBE_ADAPTER_CHECK_H_

#include <functional>
#include <string>
#include <string_view>

#include "harness/case/profile.h"
#include "subject/subject.h"

namespace dlpack_cts::worker {

/// Makes simple arrays and views of 0 to 3 dimensions, and compares describe() and values() with the request. Returns a
/// message that names the function, what it returned and what is expected, or "" if the adapter is right.
/// `imports_well`: whether the library reads a simple tensor of that many dimensions correctly.
using ImportsWell = std::function<bool(int dims, abi::DLDataType dtype)>;
std::string CheckMade(Subject& subject, const Profile& profile, const ImportsWell& imports_well);

/// The same with one simple array of another dtype, for which hooks may raise.
std::string CheckMadeOf(Subject& subject, const Profile& profile, abi::DLDataType dtype,
                        const ImportsWell& imports_well);

/// The same for an imported array, from the ledger. For libraries without make().
std::string CheckImported(const Offer& offer, const ImportLedger& record);

/// A message if make() returned another dtype than requested, or "".
std::string CheckMadeType(const Description& described, abi::DLDataType dtype);

/// A message if make() was asked for a read-only array, and the library exports it as read-only, but describe() calls
/// it writable.
std::string CheckReadOnly(const Description& described, const ExportLedger& exported);

/// A message if describe() returned an unknown dtype name, or "".
std::string CheckTypeName(const Description& described, abi::DLDataType dtype);

/// A text of an adapter in quotes, shortened, with unprintable characters escaped.
std::string Quoted(std::string_view text);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_ADAPTER_CHECK_H_
