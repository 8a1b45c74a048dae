// mutants/inconstant.cc: conforming variants whose observed choice changes where no probe looks.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "copies-all-but-version-1-1",
     .conforming = true,
     .inconstant = true,
     .rules = {"C-OWN-03"},
     .what = "copies every import except tensors of version 1.1",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Minor(1).Not(); },
     .lacks = {Claim::kZeroCopy}},
    {.name = "imports-read-only-but-version-1-1",
     .conforming = true,
     .inconstant = true,
     .rules = {"C-FLAGS-03"},
     .what = "imports every tensor as read-only except tensors of version 1.1",
     .apply = [](Behaviour& behaviour) { behaviour.importing.all_read_only = When::Minor(1).Not(); }},
    {.name = "declares-1-1-but-of-copies",
     .conforming = true,
     .inconstant = true,
     .rules = {"C-VERSION-07"},
     .what = "exports version 1.1, but version 1.3 for copies",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 1};
           behaviour.exporting.relabels = When::Copy();
           behaviour.exporting.label = {1, 3};
         }},
};

}  // namespace
}  // namespace dlpack_cts
