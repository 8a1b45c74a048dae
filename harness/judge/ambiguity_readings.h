// harness/judge/ambiguity_readings.h: how an exchange shows a library's choice.
#ifndef DLPACK_CTS_HARNESS_JUDGE_AMBIGUITY_READINGS_H_
#define DLPACK_CTS_HARNESS_JUDGE_AMBIGUITY_READINGS_H_

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

inline constexpr int kNoReading = -1;

// Each as Ambiguity::shown of the row that names it.
int NullStridesSince12(const Recipe& recipe, const Ledger& ledger);
int OwnNullStrides(const Recipe& recipe, const Ledger& ledger);
int PublishedTable(const Recipe& recipe, const Ledger& ledger);
int FailingStatus(const Recipe& recipe, const Ledger& ledger);
int RefusalOfImpossibleSharing(const Recipe& recipe, const Ledger& ledger);
int RefusalOfADevice(const Recipe& recipe, const Ledger& ledger);
int DataOfEmptyExports(const Recipe& recipe, const Ledger& ledger);
int AlignmentOfExports(const Recipe& recipe, const Ledger& ledger);
int StreamThatIsPassed(const Recipe& recipe, const Ledger& ledger);
int MinusOneAsStream(const Recipe& recipe, const Ledger& ledger);
int OtherStreams(const Recipe& recipe, const Ledger& ledger);
int DevicesThatDisagree(const Recipe& recipe, const Ledger& ledger);
int MajorZero(const Recipe& recipe, const Ledger& ledger);
int UnknownFlags(const Recipe& recipe, const Ledger& ledger);
int MinorThatIsDeclared(const Recipe& recipe, const Ledger& ledger);
int SixBits(const Recipe& recipe, const Ledger& ledger);
int PairsThatShareAByte(const Recipe& recipe, const Ledger& ledger);
int PendingExceptions(const Recipe& recipe, const Ledger& ledger);
int DestructorOfTaken(const Recipe& recipe, const Ledger& ledger);
int NullDeleter(const Recipe& recipe, const Ledger& ledger);
int ReleaseByAFailingTable(const Recipe& recipe, const Ledger& ledger);
int OwnDeviceAsTarget(const Recipe& recipe, const Ledger& ledger);
int CopyInALegacyStruct(const Recipe& recipe, const Ledger& ledger);
int PlainImports(const Recipe& recipe, const Ledger& ledger);
int StridedImports(const Recipe& recipe, const Ledger& ledger);
int ReadOnlyInALegacyStruct(const Recipe& recipe, const Ledger& ledger);
int StridesOfUnitExtents(const Recipe& recipe, const Ledger& ledger);
int NegativeStrides(const Recipe& recipe, const Ledger& ledger);
int ZeroStrides(const Recipe& recipe, const Ledger& ledger);
int OffersTheTable(const Recipe& recipe, const Ledger& ledger);
int LegacyExports(const Recipe& recipe, const Ledger& ledger);
int CallsOfSetError(const Recipe& recipe, const Ledger& ledger);
int BareCapsules(const Recipe& recipe, const Ledger& ledger);
int AnswerToMaxVersion(const Recipe& recipe, const Ledger& ledger);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_AMBIGUITY_READINGS_H_
