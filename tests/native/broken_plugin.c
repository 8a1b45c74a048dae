// tests/native/broken_plugin.c: a plug-in in C99 that has one defect, or none.
#include "plugin.h"

static const char* Name(void) {
#ifdef PLUGIN_NULL_NAME
  return NULL;
#else
  return "broken";
#endif
}

static const char* Version(void) { return "0"; }

static int Refuse(void* context, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
                  dlpack_cts_error* error) {
  (void)context, (void)managed, (void)options, (void)array, (void)error;
  return DLPACK_CTS_REFUSED;
}

static int Describe(dlpack_cts_array array, dlpack_cts_description* description, dlpack_cts_error* error) {
  (void)array, (void)description, (void)error;
  return DLPACK_CTS_UNSUPPORTED;
}

#ifndef PLUGIN_NULL_FUNCTION
static int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  (void)array, (void)out, (void)capacity;
  return -1;
}
#endif

static void Drop(dlpack_cts_array array) { (void)array; }

#ifdef PLUGIN_UNRESOLVED
extern void a_function_that_nobody_defines(void);
void (*dlpack_cts_test_reference)(void) = a_function_that_nobody_defines;
#endif

static const dlpack_cts_plugin_table table = {
#ifdef PLUGIN_OTHER_ABI
    .abi = DLPACK_CTS_PLUGIN_ABI + 1,
#else
    .abi = DLPACK_CTS_PLUGIN_ABI,
#endif
#ifdef PLUGIN_SMALL
    .size = 4,
#else
    .size = sizeof(dlpack_cts_plugin_table),
#endif
    .name = Name,
    .version = Version,
    .import_tensor = Refuse,
    .describe = Describe,
#ifndef PLUGIN_NULL_FUNCTION
    .values = Values,
#endif
    .drop = Drop,
};

#ifdef PLUGIN_NO_SYMBOL
DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugged(void);
DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugged(void) { return &table; }
#else
const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
#ifdef PLUGIN_NULL_TABLE
  (void)table;
  return NULL;
#else
  return &table;
#endif
}
#endif
