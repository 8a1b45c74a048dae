// harness/judge/homes.cc: which rule speaks for a deviation that nothing more specific claims.
#include "harness/judge/homes.h"

namespace dlpack_cts {
namespace {

struct GeneralHome {
  Family family;
  std::string_view consumer;
  std::string_view producer;
};

constexpr GeneralHome kHomes[] = {
    {Family::kAsks, "PY-MAXVER-15", "PY-DLPACK-02"},
    {Family::kTable, "XAPI-TO-04", "XAPI-FROM-05"},
    {Family::kDeviceAnswer, "PY-DEVICE-07", "PY-DEVICE-01"},
    {Family::kOutcome, "C-OWN-15", "PY-DLPACK-07"},
    {Family::kException, "C-OWN-15", "PY-DLPACK-04"},
    {Family::kHang, "PY-FROM-11", "PY-DLPACK-13"},
    {Family::kMemoryInCall, "C-SHAPE-07", "C-STRIDES-06"},
    {Family::kCapsule, "PY-CAPSULE-06", "PY-CAPSULE-03"},
    {Family::kVersion, "C-VERSION-02", "C-VERSION-01"},
    {Family::kFlags, "C-FLAGS-03", "C-FLAGS-01"},
    {Family::kStructDevice, "C-DEVICE-08", "C-DEVICE-01"},
    {Family::kDtype, "C-DTYPE-13", "C-DTYPE-02"},
    {Family::kShape, "PY-FROM-04", "C-SHAPE-10"},
    {Family::kStrides, "C-STRIDES-08", "C-SHAPE-10"},
    {Family::kPlace, "C-DATA-01", "C-DATA-14"},
    {Family::kWrites, "C-DATA-16", "C-DATA-12"},
    {Family::kRelease, "C-OWN-02", "C-OWN-20"},
};

}  // namespace

std::string_view GeneralRule(Role role, Family family) {
  for (const GeneralHome& home : kHomes) {
    if (home.family == family) return role == Role::kConsumer ? home.consumer : home.producer;
  }
  return "";
}

}  // namespace dlpack_cts
