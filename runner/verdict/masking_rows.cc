// runner/verdict/masking_rows.cc: the rows of masking. A new row needs an example in docs/causes.md.
#include "runner/verdict/masking.h"

namespace dlpack_cts::runner {
namespace {

constexpr Masking kMaskings[] = {
    {.chapter = "Fewer triggers of the same side and family",
     .why = "The simpler exchange already shows the defect.",
     .same_family = true,
     .triggers = Triggers::kFewer},
    {.chapter = "The same error in different places",
     .why = "An unintended exception with the same text comes from the same line of the library.",
     .mask = {.facts = {"stumbled"}},
     .same_family = true,
     .same_fact = true,
     .triggers = Triggers::kSimpler},
    {.chapter = "Exceptions of a producer without max_version",
     .why = "A consumer that refuses every producer without max_version raises the same exception, whatever else is "
            "wrong with that producer.",
     .mask = {.families = {Family::kOutcome}, .has = {"max_version-unknown"}},
     .masked = {.families = {Family::kException}, .has = {"max_version-unknown"}}},
    {.chapter = "Exceptions of a producer that are dropped",
     .why = "A consumer that drops the exceptions of a producer drops an interrupt, and an exception of an attribute, "
            "too.",
     .mask = {.families = {Family::kException}, .has = {"producer-refuses"}},
     .masked = {.families = {Family::kException}, .has = {"producer-interrupts", "lookup-raises"}},
     .except = {"producer-refuses"}},
    {.chapter = "A capsule that was not renamed",
     .why = "A capsule that keeps its name can be imported a second time.",
     .mask = {.families = {Family::kCapsule}, .facts = {"importS.name_after"}},
     .masked = {.has = {"step-import-again"}}},
    {.chapter = "A capsule that was not renamed",
     .why = "The destructor of a capsule that keeps its name releases the tensor a second time.",
     .mask = {.families = {Family::kCapsule}, .facts = {"importS.name_after"}},
     .masked = {.families = {Family::kRelease}, .facts = {"importS.deleter.calls"}, .lacks = {"step-lose-capsule"}}},
    {.chapter = "A library that imports its own exports",
     .why =
         "The library's own deleter is less tolerant than that of the harness, so a wrong capsule or struct of either "
         "role can crash it.",
     .mask = {.families = {Family::kCapsule, Family::kWrites, Family::kRelease},
              .lacks = {"step-import-source", "beside-imports"}},
     .masked = {.families = {Family::kRelease}, .has = {"step-import-source", "beside-imports"}},
     .except = {"max_version-*"}},
    {.chapter = "A capsule without destructor, or one that does not release",
     .why = "Without a destructor every exchange that loses a capsule leaks its tensor.",
     .mask = {.families = {Family::kCapsule}, .facts = {"exportS.has_destructor"}},
     .masked = {.families = {Family::kRelease}, .loses_capsule = true}},
    {.chapter = "A capsule without destructor, or one that does not release",
     .why = "What a lost capsule keeps leaks in every exchange that loses one, with or without that step.",
     .mask = {.families = {Family::kRelease}, .has = {"step-lose-capsule"}},
     .masked = {.families = {Family::kRelease}, .loses_capsule = true},
     .any_side = true,
     .triggers = Triggers::kFewer,
     .except = {"step-lose-capsule"}},
    {.chapter = "Unrequested writes",
     .why = "A library that writes without being asked changes elements, so they are wrong after a requested write.",
     .mask = {.families = {Family::kWrites}},
     .masked = {.families = {Family::kPlace},
                .has = {"step-write-source", "step-write-array", "step-write-export", "step-import-source"}}},
    {.chapter = "An array that changes when it is exported",
     .why = "An export that changes the elements or layout of the array also changes what the library says of it.",
     .mask = {.families = {Family::kPlace}, .lacks = {"step-describe-source"}},
     .masked = {.has = {"step-describe-source"}}},
    {.chapter = "Strides, then elements",
     .why = "Wrong strides lead to wrong elements, also where the strides themselves are not compared.",
     .mask = {.families = {Family::kStrides}},
     .masked = {.families = {Family::kPlace}}},
    {.chapter = "Strides, then elements",
     .why = "A write through wrong strides damages memory outside the elements, and the release crashes.",
     .mask = {.families = {Family::kStrides}},
     .masked = {.families = {Family::kRelease}}},
    {.chapter = "Elements, then writes",
     .why = "A library that looks for the elements in the wrong place also writes there.",
     .mask = {.families = {Family::kStrides, Family::kPlace}, .lacks = {"step-write-array"}},
     .masked = {.families = {Family::kWrites}, .has = {"step-write-array"}}},
    {.chapter = "Shared memory instead of a copy",
     .why = "Memory that is shared although a copy was requested is correctly not flagged as a copy.",
     .mask = {.families = {Family::kPlace},
              .facts = {"exportS.points_at_source", "exportS.place"},
              .has = {"copy-true"}},
     .masked = {.families = {Family::kFlags}, .has = {"copy-true"}},
     .triggers = Triggers::kOverlap,
     .of_any_weight = true},
    {.chapter = "A later major version, then an earlier one",
     .why = "A consumer that imports a later major version does not check the version.",
     .mask = {.has = {"major-2"}},
     .masked = {.has = {"major-0"}},
     .same_family = true,
     .except = {"major-2"}},
};

constexpr Implied kImplied[] = {
    {.trigger = "step-import-source",
     .why = "The library imports its own export and sets max_version itself.",
     .both_roles = true,
     .triggers = {"max_version-1.3"}},
    {.trigger = "beside-imports",
     .why = "The library imports its own export and sets max_version itself.",
     .both_roles = true,
     .triggers = {"max_version-1.3"}},
    {.trigger = "step-reexport",
     .why =
         "A re-export may fail because of its import or of its export. Only an array that the library made is a view "
         "if it has gaps; an imported array has the layout of the tensor.",
     .both_roles = true,
     .triggers = {"view"},
     .unless_in_both = true},
    {.trigger = "step-table-export",
     .why = "An exchange table always exports versioned structs.",
     .triggers = {"max_version-1.3"}},
    {.trigger = "step-table-allocate",
     .why = "An exchange table always exports versioned structs.",
     .triggers = {"max_version-1.3"}},
};

}  // namespace

std::span<const Masking> Maskings() { return kMaskings; }

std::span<const Implied> ImpliedByTriggers() { return kImplied; }

}  // namespace dlpack_cts::runner
