// bridge/exchange_table.h: the C exchange API that the type of a library's arrays publishes.
#ifndef DLPACK_CTS_BRIDGE_EXCHANGE_TABLE_H_
#define DLPACK_CTS_BRIDGE_EXCHANGE_TABLE_H_

#include "bridge/object.h"
#include "subject/capabilities.h"

namespace dlpack_cts {

class PythonTable : public ExchangeTable {
 public:
  void Find(Handle array, TableLedger& table) override;
  abi::DLManagedTensorVersioned* Export(Handle array, TableLedger& table, Refusal& refusal) override;
  Handle Import(abi::DLManagedTensorVersioned* tensor, TableLedger& table, Refusal& refusal) override;
  bool View(Handle array, abi::DLTensor* view, TableLedger& table, Refusal& refusal) override;
  abi::DLManagedTensorVersioned* Allocate(abi::DLTensor* prototype, TableLedger& table, Refusal& refusal) override;
  void Stream(abi::DLDevice device, TableLedger& table) override;
  void Misuse(TableFunction function, Passed passed, Handle array, TableLedger& table, Refusal& refusal) override;

 private:
  const abi::DLPackExchangeAPI* api_ = nullptr;
  abi::DLPackExchangeAPI copy_{};  // as the first look-up of a life read it
  Ref type_;                       // the type that publishes it
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_EXCHANGE_TABLE_H_
