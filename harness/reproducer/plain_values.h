// harness/reproducer/plain_values.h: the Python texts that stand for the names in the templates of short scripts.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_VALUES_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_VALUES_H_

#include <map>
#include <string>

#include "harness/recipe/recipe.h"
#include "harness/reproducer/reproducer.h"
#include "harness/reproducer/select.h"

namespace dlpack_cts {

/// Python text by the name that stands for it in a template: OFFER.name, EXPORT.name or FINDING.name.
using Values = std::map<std::string, std::string>;

/// What stands for the names in the templates.
Values ValuesOf(const ReproducerInput& input, const Needs& needs);

/// The import, the export, or else the call of __dlpack_device__.
const Step& CallOf(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_VALUES_H_
