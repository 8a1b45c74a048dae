// harness/ledger/fact_texts.h: canonical texts of values, the ones that a reproducer in Python computes, too.
//
// Integers in decimal, tuples as "(1, 2)" and "(1,)", truth as 0 or 1, "none" for nothing, enumerators as words.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_TEXTS_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_TEXTS_H_

#include <string>

#include "harness/ledger/fact_value.h"

namespace dlpack_cts {

std::string NumberText(const FactValue& value);
std::string TupleText(const FactValue& value);
std::string PairText(const FactValue& value);
std::string DtypeText(const FactValue& value);
std::string PlainText(const FactValue& value);
std::string BitsText(const FactValue& value);
std::string AddressText(const FactValue& value);
std::string TouchText(const FactValue& value);
std::string ArgumentText(const FactValue& value);
std::string KeywordsText(const FactValue& value);
std::string MethodText(const FactValue& value);
std::string PartsText(const FactValue& value);
std::string LookedText(const FactValue& value);
std::string NullSlotsText(const FactValue& value);
std::string ShownText(const FactValue& value);
std::string SurvivedText(const FactValue& value);
std::string RaceText(const FactValue& value);
std::string StorageText(const FactValue& value);
std::string PackingText(const FactValue& value);
std::string CudaMemoryText(const FactValue& value);
std::string PublishedText(const FactValue& value);
std::string AnswerText(const FactValue& value);
std::string ThreadText(const FactValue& value);
std::string OutcomeText(const FactValue& value);
std::string ReadingText(const FactValue& value);
std::string NameText(const FactValue& value);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_TEXTS_H_
