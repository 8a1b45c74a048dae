// base/exception_text.h: whether two texts of exceptions differ only by the values that were passed.
#ifndef DLPACK_CTS_BASE_EXCEPTION_TEXT_H_
#define DLPACK_CTS_BASE_EXCEPTION_TEXT_H_

#include <string>
#include <string_view>

namespace dlpack_cts {

/// The text with "#" in place of numbers, addresses, dtypes, truth values and lists of them. One line of a library
/// raises "KeyError: dtype('float16')" and "KeyError: dtype('int8')".
std::string WithoutValues(std::string_view exception);

/// Whether both texts ("IndexError: tuple index out of range") may come from one line of a library.
bool IsSameException(std::string_view one, std::string_view other);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_EXCEPTION_TEXT_H_
