// base/for_each.h: CTS_FOR_EACH(row, a, b, x, y, ...) is "row(a, b, x), row(a, b, y), ...": rows of similar members.
//
// A macro cannot call itself, so each round of CTS_EXPAND expands one row more: up to 256.
#ifndef DLPACK_CTS_BASE_FOR_EACH_H_
#define DLPACK_CTS_BASE_FOR_EACH_H_

#define CTS_FOR_EACH(row, a, b, ...) CTS_EXPAND(CTS_FIRST(row, a, b, __VA_ARGS__))
#define CTS_FIRST(row, a, b, first, ...) \
  row(a, b, first) __VA_OPT__(, CTS_OTHERS CTS_PARENTHESES(row, a, b, __VA_ARGS__))
#define CTS_OTHERS() CTS_FIRST
#define CTS_PARENTHESES ()
#define CTS_EXPAND(...) CTS_EXPAND_64(CTS_EXPAND_64(CTS_EXPAND_64(CTS_EXPAND_64(__VA_ARGS__))))
#define CTS_EXPAND_64(...) CTS_EXPAND_16(CTS_EXPAND_16(CTS_EXPAND_16(CTS_EXPAND_16(__VA_ARGS__))))
#define CTS_EXPAND_16(...) CTS_EXPAND_4(CTS_EXPAND_4(CTS_EXPAND_4(CTS_EXPAND_4(__VA_ARGS__))))
#define CTS_EXPAND_4(...) CTS_EXPAND_1(CTS_EXPAND_1(CTS_EXPAND_1(CTS_EXPAND_1(__VA_ARGS__))))
#define CTS_EXPAND_1(...) __VA_ARGS__

#endif  // DLPACK_CTS_BASE_FOR_EACH_H_
