// worker/subject_factory.h: opens the subject that a job names.
#ifndef DLPACK_CTS_WORKER_SUBJECT_FACTORY_H_
#define DLPACK_CTS_WORKER_SUBJECT_FACTORY_H_

#include "subject/subject.h"
#include "worker/job/job.h"

namespace dlpack_cts::worker {

/// Whether the subject needs an interpreter in this process.
bool NeedsPython(const SubjectSource& source);

/// Opens the subject. If it needs an interpreter, that must be running. Throws Failure.
Subject& OpenSubject(const SubjectSource& source, const Job& job);

/// Opens the correct reference for reference runs: as a Python type or as a plug-in, like the job's subject.
Subject& OpenReference(const Job& job);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SUBJECT_FACTORY_H_
