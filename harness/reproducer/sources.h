// harness/reproducer/sources.h: the sources of a rule, as text.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_SOURCES_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_SOURCES_H_

#include <string>
#include <string_view>

namespace dlpack_cts {

/// The catalogue's short keys, such as "PS:97-106; pytorch#56789", written out for a reader who has no catalogue.
std::string SourceText(std::string_view source);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_SOURCES_H_
