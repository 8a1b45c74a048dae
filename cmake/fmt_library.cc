// cmake/fmt_library.cc: fmt's functions, once, for builds with fmt's headers only (src/format.cc of fmt 9).
//
// With FMT_HEADER_ONLY every file that formats a text would compile all of fmt again: half of its time.
#include <fmt/format-inl.h>

#if FMT_VERSION / 10000 != 9
#error "These are the instantiations of fmt 9 (Debian 12). Take those of src/format.cc of this version of fmt."
#endif

FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
