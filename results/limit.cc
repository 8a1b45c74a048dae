// results/limit.cc: the fields and the ids of limitations.
#include "results/limit.h"

namespace dlpack_cts {
namespace {

constexpr LineField<Limit> kLimit[] = {
    Always<&Limit::entry>("entry"),
    Always<&Limit::property>("property"),
    Always<&Limit::value>("value"),
    Always<&Limit::kind>("kind"),
    Always<&Limit::whole>("whole"),
    Always<&Limit::message>("message"),
    Always<&Limit::answer>("answer"),
    Always<&Limit::control>("control"),
    Always<&Limit::triggers>("triggers"),
    Always<&Limit::control_triggers>("control_triggers"),
    Always<&Limit::alone_triggers>("alone_triggers"),
    Always<&Limit::example>("example"),
    Always<&Limit::recipe, AnyObject>("recipe"),
};

}  // namespace

std::span<const LineField<Limit>> Limit::Fields() { return kLimit; }

std::string Limit::Id() const {
  return std::string(kLimitPrefix) + entry + "/" + property + (value.empty() ? "" : "=" + value);
}

}  // namespace dlpack_cts
