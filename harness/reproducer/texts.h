// harness/reproducer/texts.h: what every script says about its finding, whatever its form.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_TEXTS_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_TEXTS_H_

#include <span>
#include <string>
#include <string_view>

#include "harness/reproducer/reproducer.h"

namespace dlpack_cts {

/// The comment at the top: what was wanted and got, the rule, and how to run the script.
std::string Header(const ReproducerInput& input);

/// The same in fewer lines, without the key of the fact and without Copies().
std::string ShortHeader(const ReproducerInput& input);

/// A comment about the embedded files; empty if there are none. A reader may expect the script to import the files that
/// are next to the adapter now.
std::string Copies(const ReproducerInput& input);

/// The value of a fact that was not recorded.
std::string Unseen(const std::string& fact);

/// The condition for a wrong value of the watched fact: a Python expression about the str `seen`. The words `unknown`
/// are values of a fact that the script could not observe. `may_be_unseen`: it may also have the value of an unrecorded
/// fact.
std::string Comparison(const ReproducerInput& input, std::span<const std::string_view> unknown, bool may_be_unseen);

/// A list literal of the ends that a crash may have.
std::string EndsLiteral(const ReproducerInput& input);

/// What installs the library, as text.
std::string Installation(const ReproducerInput& input);

/// A dict literal of the variables that the library needs.
std::string EnvironmentLiteral(const ReproducerInput& input);

/// The assignments of ADAPTER, and of MODULES if the adapter has any.
std::string AdapterLiterals(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_TEXTS_H_
