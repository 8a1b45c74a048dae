// harness/reproducer/plain.h: the short form of a script, for findings with one tensor, one call and one question.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_H_

#include <string>

#include "harness/reproducer/reproducer.h"

namespace dlpack_cts {

/// Whether the short form shows the finding. It shows
///  - how one import ended, a crash in it or in the next steps, elements that are read wrongly;
///  - how often the deleter was called after one import;
///  - how one export or one call of __dlpack_device__ ended, the capsule, a field of the struct, or its elements.
/// The tensor is usual in all that the short form cannot do, such as a producer of another class.
bool IsPlain(const ReproducerInput& input);

/// The straight-line code of a plain finding's script, from the templates in plain/. There, `#? TAG...` marks lines as
/// in the prelude (select.h), `OFFER.name` and `FINDING.name` stand for Python text, `#` is an empty line, and the body
/// of a function without parameters becomes top-level code.
std::string PlainCode(const ReproducerInput& input);

/// The script, with the adapter.
std::string PlainScript(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_H_
