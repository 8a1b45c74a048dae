// mutants/fields.cc: the table of the fields of Behaviour.
#include "mutants/fields.h"

#include <cstring>

#include "base/for_each.h"

namespace dlpack_cts {
namespace {

/// A mask has its words.
template <const auto&... kWords, typename Struct, typename T>
constexpr BehaviourField FieldOf(std::string_view name, size_t offset, T Struct::* /*member*/) {
  constexpr auto kRead = [](const Written& written, std::byte* to) {
    const T value = Read<T, kWords...>(written);
    std::memcpy(to, &value, sizeof value);
  };
  return {name, offset, sizeof(T), kRead};
}

// The name is made from the member, so that the two cannot differ. The members of CTS_MASKS have the same words.
#define CTS_FIELD(Struct, words, member) FieldOf<words>(#member, offsetof(Struct, member), &Struct::member)
#define CTS_FIELDS(Struct, ...) CTS_FOR_EACH(CTS_FIELD, Struct, , __VA_ARGS__)
#define CTS_MASKS(Struct, words, ...) CTS_FOR_EACH(CTS_FIELD, Struct, words, __VA_ARGS__)
#define CTS_PART(Struct, member, rows) {#member, offsetof(Struct, member), sizeof(Struct::member), nullptr, rows}

constexpr BehaviourField kHaving[] = {
    CTS_FIELDS(Having, immutable, alignment_log2, storage, stored, opaque_sub_bytes, container, raw_bytes, whole_bytes,
               keeps_conversions, no_read_only, compacts, vectors),
    CTS_MASKS(Having, kBitNumbers, ranks),
    CTS_MASKS(Having, kCodeBits, lacks_codes),
};
static_assert(HasEachMember<Having>(kHaving));

constexpr BehaviourField kImporting[] = {
    CTS_FIELDS(Importing, ignores_byte_offset, byte_offset_in_elements, truncates_byte_offset, narrows_byte_offset,
               offset_bits, subtracts_byte_offset, adds_byte_offset_twice, byte_offset_in_items, aligns_address,
               aligns_to_items, null_strides_are_column_major, dereferences_null_strides, ignores_strides,
               strides_in_bytes, strides_made_positive, negative_strides_are_zero, zero_strides_are_compact,
               believes_unit_strides, refuses_unit_strides, unit_stride_bits, truncates_strides, reads_eight_strides,
               reverses_strides, believes_empty_strides, truncates_extents, drops_last_dimension,
               adds_dimension_to_scalar, reverses_shape, squeezes_unit_dimensions, swaps_shape_and_strides,
               multiplies_before_looking_for_zero, reads_beyond_shape, reads_beyond_strides, reads_shape_of_scalar,
               reads_strides_of_scalar, reads_flags_of_legacy, reads_empty_data, reads_gaps, reads_foreign_data,
               overreads, underreads, dereferences_context, aborts, writes_shape, writes_strides, writes_data,
               writes_gap, writes_flags, writes_byte_offset, retypes, retyped, ignores_lanes, ignores_bits,
               ignores_code, truncates_lanes, truncates_code, ignores_small_bits, never_padded, never_packed,
               high_bits_first, counts_pairs, pads_lanes, counts_lanes, converts_to_float32, major_check, swaps_version,
               reads_body_before_version, drops_read_only, all_read_only, truncates_device, carries_null,
               carries_devices, moves_handles, forgets_offsets, renames_devices, takes_pinned, moves_pinned, refuses,
               refuses_empty_null, refuses_null_shape_of_scalar, refuses_copy, copies, refuses_copy_false, narrows,
               copies_against_will, copies_again, ignores_copy, copies_nothing, copies_stay_read_only,
               copies_size_mod_2_16, copies_memory_order, copies_whole_bytes, copies_at_most, copies_ring,
               narrows_extents, extent_bits, narrows_strides, stride_bits, caps_dims, kept_dims, ndim_bits, room,
               room_for, cannot_be_read, cannot_be_computed, moves, remembers_elements, recognises_struct),
    CTS_MASKS(Importing, kFlagBits, read_only_mask, refused_flags),
};
static_assert(HasEachMember<Importing>(kImporting));

constexpr BehaviourField kRefusing[] = {
    CTS_FIELDS(Refusing, manner, only, error),
    CTS_MASKS(Refusing, kPathBits, accepts, leaks, releases_twice, consumes, acts, touches_tensor, raises),
};
static_assert(HasEachMember<Refusing>(kRefusing));

constexpr BehaviourField kOwning[] = {
    CTS_FIELDS(Owning, leaks, releases_twice, releases_early, releases_copy, calls_null_deleter, changes_context,
               frees_context, frees_shape, touches_after_release, writes_after_release, view_is_writable,
               view_keeps_nothing, never_after_copy, locks_deleters, shuts_out_deleters, leaks_in_deleters,
               twice_in_deleters, waits_for_deleters, release, writes_nowhere, writes_read_only),
};
static_assert(HasEachMember<Owning>(kOwning));

constexpr BehaviourField kClosing[] = {
    CTS_FIELDS(CloseSteps, refuses_shared, refuses_exported, waits, closes_views, again_refused, again_releases,
               again_crashes, releases_twice, leaks, frees_shared, frees_latest, frees_with_first_export, stays_usable,
               keeps_object),
};
static_assert(HasEachMember<CloseSteps>(kClosing));

constexpr BehaviourField kExporting[] = {
    CTS_FIELDS(Exporting, retypes, retyped, wants_whole_strides, strides_in_bytes, strides_in_components,
               strides_are_compact, strides_made_positive, strides_column_major, reverses_strides, null_strides,
               null_strides_of_any, odd_unit_strides, null_shape, wild_strides, negates_extents, shape_of_scalar,
               reverses_shape, remembers_dims, truncates_extents, keeps_32_extents, narrows_extents, extent_bits,
               narrows_strides, stride_bits, dims_ring, ndim_too_large, ndim_too_small, offset_bytes, offset,
               forgets_offset, offset_in_elements, base_pointer, null_data, empty_has_data, wild_data, device,
               wrong_device, version, relabels, label, adds_flags, drops_read_only, drops_copied, keeps_copied,
               recalls_copies, resize_dies, lives_in_array, dims_die, memory_dies, import_dies, reexports_held,
               holds_memory_only, null_deleter, deleter_leaks, deleter_frees_early, deleter_releases_latest,
               deleter_needs_gil, deleter_frees_unlocked, deleter_keeps_struct, deleter_deadlocks, deleter_dies_at_exit,
               deleter_ignores_end, deleter_wants_thread, deleter_wants_process, deleter_queues, deleter_defers,
               deleters_exclude, room, shares_beside_threads, deleter_throws, deleter_raises, shares_struct,
               overwrites_latest, mutates_source, mutation, transposes_source, locks_source, leaks_when_refusing,
               copies, copies_against_will, copy_shares, copy_dies, copy_leaks, copy_is_read_only, copies_memory_order,
               copies_whole_bytes, copies_at_most, copies_padded, copies_half, copies_ring, copies_keep_layout,
               copy_keeps_source, refuses, refuses_again, refuses_copy, refuses_copy_false, refuses_unless_copied,
               refuses_changes, legacy_hides_read_only, legacy_has_float8, legacy_hides_padding, drops_padded,
               exports_pairs, drops_lanes, starts_inside_bytes, copies_inside_bytes, error, copy_error, oddities_only,
               caches_resolved, manner),
    CTS_MASKS(Exporting, kFlagBits, flags),
    CTS_MASKS(Exporting, kOddityBits, exports_oddities, resolves_oddities, odd_acts),
};
static_assert(HasEachMember<Exporting>(kExporting));

constexpr BehaviourField kCapsuleSteps[] = {
    CTS_FIELDS(CapsuleSteps, styled, style, no_destructor, empty_destructor, destructor_ignores_name,
               destructor_inverted, destructor_clears_error, used_clears_error, defers_release, same_capsule,
               returns_other, no_rename, wrong_used_name, misspelt_used_name, heap_used_name, freed_used_name,
               rests_before_rename, rests_with_pointer, renames_before_checks, accepts_used, accepts_any_name,
               compares_prefix, renames_foreign, versioned_read_as_legacy, legacy_read_as_versioned, clears_destructor,
               changes_pointer, changes_context, keeps_capsule, borrows, refuses_legacy, refuses_versioned),
};
static_assert(HasEachMember<CapsuleSteps>(kCapsuleSteps));

constexpr BehaviourField kAsking[] = {
    CTS_FIELDS(Asking, max_version, positional, no_retry, retry_forgets_copy, retry_copies, retry_keeps_version,
               retries_by_steps, retries_any, retries_unshared, raises_first_error, asks_plainly_first,
               retries_without_device, chains_errors, retry_error, asks_device, asks_device_late,
               trusts_reported_device, needs_info, exact_integers, exact_tuple, ints_only, empty_for_index,
               knows_version, knows_device, knows_kind, odd_device_crashes, refuses_none, refuses_none_for_copy,
               passes_version_keyword, stream, stream_at, retry_forgets_stream, dl_device, dl_device_at, device_is_enum,
               keeps_device, believes_devices, retry_believes_devices, calls_twice, keeps_copy, forgets_copy_for_device,
               known_types_only, needs_weak_references, own_methods_only, methods_of_types, refuses_classes,
               needs_module, probes, swallows_interrupts, empty_without_methods, empty_without_dlpack,
               empty_without_capsule, reuses_results, reuses_equal_results, leaves_host, locks_own, producer_error,
               device_error, moved_error, copies_for_device, copied_error, missing_error, no_keywords, capsules_only,
               objects_only, typed),
};
static_assert(HasEachMember<Asking>(kAsking));

constexpr BehaviourField kConsulting[] = {
    CTS_FIELDS(Consulting, never, on_object, on_object_too, on_object_first, caches, falls_back, never_views,
               copies_views, keeps_copied_view, takes_integers, ignores_name, compares_prefix, trusts_attribute,
               refuses_other, keeps_error, refuses_major, ignores_major, compares_low_byte, refused_minor, tables_only,
               needs_table, keeps_missing, keeps_raised, asks_stream, needs_stream, keeps_stream_error, allocates,
               reports_without_gil, looks_without_gil, walks, walks_one, walks_to_end, needs_view, calls_null_view,
               goes_by_error, keeps_refused, trusts_tensor, trusts_view, trusts_memory, looks_up_twice, uses_failed,
               uses_failed_view, swallows_failure, one_table, one_table_for_second, keeps_view, keeps_strides,
               drops_gil, drops_gil_for_view, writes_table, frees_table, forgets_copy, forgets_device, copies_blindly,
               copies_past_failure, ignores_tensor_major, own_entry_only, peek_owns, peek_leaks, peek_releases_twice,
               peek_keeps_view, peek_frees_shape, peek_forgets_strides, peek_forgets_offset),
};
static_assert(HasEachMember<Consulting>(kConsulting));

constexpr BehaviourField kDeviceAnswer[] = {
    CTS_FIELDS(DeviceAnswer, error, label, only),
    CTS_MASKS(DeviceAnswer, kDeviceAskedBits, ignores, refuses, errs, labels, copies, leaks, crashes),
};
static_assert(HasEachMember<DeviceAnswer>(kDeviceAnswer));

constexpr BehaviourField kStreamAnswer[] = {
    CTS_FIELDS(StreamAnswer, only),
    CTS_MASKS(StreamAnswer, kStreamAskedBits, ignores, touches, touches_late, spoils, leaks, locks),
};
static_assert(HasEachMember<StreamAnswer>(kStreamAnswer));

constexpr BehaviourField kClassAnswer[] = {
    CTS_MASKS(ClassAnswer, kIntegerClassBits, refuses, ignores, misreads),
};
static_assert(HasEachMember<ClassAnswer>(kClassAnswer));

constexpr BehaviourField kAnswering[] = {
    CTS_FIELDS(Answering, legacy_only, versioned_only, ignores_max_version, reads_minor_as_major,
               compares_whole_version, exact_version_only, caps_minor, echoes_version, echoes_later_minor,
               none_is_versioned, spelt_none_is_versioned, adds_minor_to_major, echoes_major, legacy_for_later_majors,
               refuses_later_majors, version_error, turns_kind, refuses_older_major, odd_version_crashes,
               later_version_crashes, true_version_crashes, odd_version_leaks, odd_version_accepted, positional,
               swallows_keywords, ignores_copy, none_copies, only_stream, compares_addresses, overlooks_copies_of_names,
               no_stream, no_methods, version_comes_first, overlooks_first_copy, unknown_keyword, device_is_list,
               device_is_triple, device_is_enum, device_type_is_text, device_raises, device_error, device_leaks,
               device_mutates, device_moves, device, answers_device),
    CTS_PART(Answering, dl_device, kDeviceAnswer),
    CTS_PART(Answering, stream, kStreamAnswer),
    CTS_PART(Answering, version_class, kClassAnswer),
    CTS_PART(Answering, device_class, kClassAnswer),
    CTS_PART(Answering, stream_class, kClassAnswer),
};
static_assert(HasEachMember<Answering>(kAnswering));

constexpr BehaviourField kPublishing[] = {
    CTS_FIELDS(Publishing, form, other_major, other_minor, older_behind, endless, endless_behind, later_behind,
               later_last, moves, changes, changes_slots, odd_header, subclass_integer, odd_view),
    CTS_MASKS(Publishing, kFunctionBits, null_slots),
};
static_assert(HasEachMember<Publishing>(kPublishing));

constexpr BehaviourField kTabling[] = {
    CTS_FIELDS(Tabling, wrong_slot, swapped_slots, keeps_prototype, serves_nothing, slip, exports_other_major,
               exports_copies, exports_copies_strided, exports_marked_copies, leaks_arrays, exports_die,
               exports_without_offset, exports_null_strides, exports_writable, turns_exports, error, refuses_quietly,
               quiet_about_others, quiet_views_of_others, refuses_with_null, refuses_with_zero, leaks_subclasses,
               copies_inside_bytes, exports_unpadded, exports_share_shapes, exports_stay, takes_other_majors,
               reads_before_version, keeps_tensors, keeps_results, caches_copies, releases_refused, releases_once,
               ignores_signs, gives_other_types, validates_late, forgets_foreign, null_for_all, reads_foreign,
               views_leak, views_share_strides, views_turn_shapes, views_refuse_quietly, views_share_shapes,
               views_without_offset, views_stay, allocates_nothing, allocates_elsewhere, allocates_signed,
               allocates_here, allocates_wrapped, allocates_negative, forgets_lanes, rounds_bits_down, allocated_stays,
               allocated_needs_gil, allocates_read_only, allocates_turned, allocates_one, allocates_one_row,
               reports_success, reports_twice, reports_to_others, reports_without_words, writes_prototype,
               reads_prototype_strides, exports_ring, views_ring, allocates_ring, remembers_failure, leaves_failure,
               clears_out),
    CTS_MASKS(Tabling, kOddityBits, exports_oddities),
    CTS_MASKS(Tabling, kFailureBits, hides_failures),
    CTS_MASKS(Tabling, kFunctionBits, writes_beyond),
    CTS_PART(Tabling, published, kPublishing),
};
static_assert(HasEachMember<Tabling>(kTabling));

constexpr BehaviourField kRemembering[] = {
    CTS_FIELDS(Remembering, next_import, import_around, next_export, array_export, thaws),
    CTS_MASKS(Remembering, kEndingBits, next_import_after, next_export_after, array_after, freezes_exported_after,
              freezes_own_after),
};
static_assert(HasEachMember<Remembering>(kRemembering));

constexpr BehaviourField kKeeping[] = {
    CTS_FIELDS(Keeping, drops_none, latest, types, hidden),
    CTS_MASKS(Keeping, kEndingBits, producer, producer_type, taken_capsule, device, array, array_type, made_capsule,
              max_version, dl_device, none, own_producer),
};
static_assert(HasEachMember<Keeping>(kKeeping));

constexpr BehaviourField kWarning[] = {
    CTS_FIELDS(Warning, imports, exports, leaks, releases_twice, hides),
};
static_assert(HasEachMember<Warning>(kWarning));

constexpr BehaviourField kBehaviour[] = {
    CTS_PART(Behaviour, having, kHaving),           CTS_PART(Behaviour, importing, kImporting),
    CTS_PART(Behaviour, refusing, kRefusing),       CTS_PART(Behaviour, owning, kOwning),
    CTS_PART(Behaviour, exporting, kExporting),     CTS_PART(Behaviour, capsule, kCapsuleSteps),
    CTS_PART(Behaviour, asking, kAsking),           CTS_PART(Behaviour, consulting, kConsulting),
    CTS_PART(Behaviour, answering, kAnswering),     CTS_PART(Behaviour, table, kTabling),
    CTS_PART(Behaviour, remembering, kRemembering), CTS_PART(Behaviour, keeping, kKeeping),
    CTS_PART(Behaviour, warning, kWarning),         CTS_PART(Behaviour, closing, kClosing),
};
static_assert(HasEachMember<Behaviour>(kBehaviour));

}  // namespace

std::span<const BehaviourField> BehaviourFields() { return kBehaviour; }

}  // namespace dlpack_cts
