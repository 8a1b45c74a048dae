// fuzz/subjects.h: opens the library that the settings name, in this process.
#ifndef DLPACK_CTS_FUZZ_SUBJECTS_H_
#define DLPACK_CTS_FUZZ_SUBJECTS_H_

#include "fuzz/settings.h"
#include "subject/subject.h"

namespace dlpack_cts::fuzz {

/// Starts Python if the library needs it. The subject lives as long as the process. Throws Failure.
Subject& OpenSubject(const Settings& settings);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_SUBJECTS_H_
