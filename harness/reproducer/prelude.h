// harness/reproducer/prelude.h: the texts of the files in prelude/ and plain/; every reproducer takes a part of one.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_

namespace dlpack_cts {

/// The supporting code of a script, in the order of its files.
extern const char* const kReproducerPrelude;

/// The straight-line code of plain findings (plain.h).
extern const char* const kPlainTemplates;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_
