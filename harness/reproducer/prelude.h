// harness/reproducer/prelude.h: the text of the files in prelude/, in their order; every reproducer takes a part of it.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_

namespace dlpack_cts {

extern const char* const kReproducerPrelude;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PRELUDE_H_
