// worker/adapter_check.h: tells the adapter's mistakes from the library's, before any case runs.
//
// An adapter that counts strides in elements, or gives values() in another order, makes a conforming library look
// broken everywhere. What is said here can only be the adapter's: describe() against values() of an array that make()
// has just made, against what make() was asked for. DLPack has no part in that; where an adapter itself uses it (there
// are libraries that have no other way to make or read arrays), the library's own plain exports and imports have to be
// right before anybody is blamed. A library that exports wrongly is a finding, and no complaint.
#ifndef DLPACK_CTS_WORKER_ADAPTER_CHECK_H_
#define DLPACK_CTS_WORKER_ADAPTER_CHECK_H_

#include <functional>
#include <string>
#include <string_view>

#include "adapters/interface/subject.h"
#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// Has plain arrays and views of 0 to 3 dimensions made, and compares describe() and values() with the request. One
/// sentence that names the function, what it gave and what is expected; empty where nothing can be held against the
/// adapter. `imports_well` tells whether the library reads a plain tensor of that many dimensions as it was offered.
using ImportsWell = std::function<bool(int dims, abi::DLDataType dtype)>;
std::string CheckMade(Subject& subject, const Profile& profile, const ImportsWell& imports_well);

/// The same with one plain array of another type. What raises for it is no mistake.
std::string CheckMadeOf(Subject& subject, const Profile& profile, abi::DLDataType dtype,
                        const ImportsWell& imports_well);

/// The same for the array that the library has made of the offer, as the ledger tells it; for libraries that make none.
std::string CheckImported(const Offer& offer, const ImportLedger& record);

/// A sentence about an array of another type than make() was asked for; empty where that is not known.
std::string CheckMadeType(const Description& described, abi::DLDataType dtype);

/// A sentence about an array that was made read-only and whose library says so when it exports it, while describe()
/// calls it writable.
std::string CheckReadOnly(const Description& described, const ExportLedger& exported);

/// A sentence about a dtype name that nobody knows, of an array that has the type; empty where the name is known or
/// absent.
std::string CheckTypeName(const Description& described, abi::DLDataType dtype);

/// A text of an adapter in quotes, with what is not printable escaped; cut where it is long.
std::string Quoted(std::string_view text);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_ADAPTER_CHECK_H_
