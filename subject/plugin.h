// subject/plugin.h: the plug-in ABI, a table of C functions through which dlpack-cts drives a native library.
//
// Plain C99, needs nothing but this file. A plug-in is a shared object that exports one symbol, dlpack_cts_plugin (see
// the end of this file). docs/plugins.md shows how to write one, examples/cpp-plugin/ is one.
//
// Rules for all functions:
//   - Threads. Functions are called from any thread. Calls may overlap, but never two calls with the same array.
//     Deleters of exported tensors may overlap too.
//   - Processes. The process may be forked after the plug-in was loaded, and each child continues alone. A library with
//     background threads must set fork_safe = false in library.toml.
//   - Errors. A function that fails returns another code than DLPACK_CTS_OK and writes error->text. The library must
//     stay usable. Exceptions must not leave the function: that ends the process, and the case is a CRASH.
//   - Ownership. Pointers from the suite are valid only during the call, except for tensors passed to import_tensor().
//   - Growth. A struct of the suite begins with its size when the suite was compiled. Fields beyond that size do not
//     exist. New fields are added at the end, without a new ABI version.
//   - Units. The comment of each field names its unit: requests have strides in elements, descriptions in bytes.
#ifndef DLPACK_CTS_SUBJECT_PLUGIN_H_
#define DLPACK_CTS_SUBJECT_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Increased whenever the meaning of a field or function changes. New functions are added at the end of the table
 * without an increase: `size` shows which ones a plug-in has. */
#define DLPACK_CTS_PLUGIN_ABI 2

/* An array of the library. Made by import_tensor(), make(), compute() and view(); valid until drop(). Never NULL. */
typedef void* dlpack_cts_array;

enum {
  DLPACK_CTS_OK = 0,
  DLPACK_CTS_REFUSED = 1,     /* the data cannot be exchanged; Python libraries raise BufferError */
  DLPACK_CTS_INVALID = 2,     /* the arguments are wrong, whatever the data */
  DLPACK_CTS_UNSUPPORTED = 3, /* the library does not have this type or this operation */
  DLPACK_CTS_FAILED = 4       /* anything else, such as no memory */
};

/* Text of a failure. The suite passes it empty. `text` must end with a zero byte. It is shown to users. */
typedef struct dlpack_cts_error {
  char text[200];
} dlpack_cts_error;

/* As DLDataType and DLDevice of DLPack. */
typedef struct dlpack_cts_dtype {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} dlpack_cts_dtype;

typedef struct dlpack_cts_device {
  int32_t type;
  int32_t id;
} dlpack_cts_device;

/* Options of an import. */
typedef struct dlpack_cts_import_options {
  uint32_t size;      /* sizeof(dlpack_cts_import_options) when the suite was compiled */
  int32_t versioned;  /* 1: `managed` is a DLManagedTensorVersioned*; 0: a DLManagedTensor* */
  int32_t copy;       /* 1: copy; 0: never copy, refuse instead; -1: the library decides */
  int32_t has_device; /* 1: the array must be on `device`; refuse if that is impossible */
  dlpack_cts_device device;
} dlpack_cts_import_options;

/* Options of an export. */
typedef struct dlpack_cts_export_options {
  uint32_t size;     /* sizeof(dlpack_cts_export_options) when the suite was compiled */
  int32_t versioned; /* 1: make a DLManagedTensorVersioned; 0: a DLManagedTensor */
  int32_t copy;      /* 1: export a copy; 0: never copy, refuse instead; -1: the library decides */
} dlpack_cts_export_options;

/* Where the array comes from. */
enum {
  DLPACK_CTS_FRESH = 0, /* memory that the library allocates */
  DLPACK_CTS_VIEW = 1   /* a view of a larger array */
};

/* Unusual arrays. A plug-in that does not claim "oddities" gets only DLPACK_CTS_PLAIN. */
enum {
  DLPACK_CTS_PLAIN = 0,
  DLPACK_CTS_FOREIGN_BYTE_ORDER = 1,
  DLPACK_CTS_LONG_DOUBLE = 2,
  DLPACK_CTS_COMPLEX_LONG_DOUBLE = 3,
  DLPACK_CTS_OBJECT = 4,
  DLPACK_CTS_UNALIGNED_STRIDE = 5, /* byte strides that are not a multiple of the item size */
  DLPACK_CTS_CONJUGATE = 6,
  DLPACK_CTS_NEGATED = 7,
  DLPACK_CTS_SPARSE = 8,
  DLPACK_CTS_REQUIRES_GRAD = 9,
  DLPACK_CTS_META = 10,
  DLPACK_CTS_SUBCLASS = 11,
  DLPACK_CTS_IDLE_STRIDE = 12, /* the same, only in dimensions of extent 1 */
  DLPACK_CTS_ZEROS = 13,       /* elements without memory, all 0 */
  /* Elements of types that DLPack does not have, for any requested dtype; describe() sets no dtype. */
  DLPACK_CTS_DATE = 14,
  DLPACK_CTS_QUANTIZED = 15, /* integers that stand for other numbers */
  DLPACK_CTS_TEXT = 16,
  DLPACK_CTS_SCALAR_OBJECT = 17 /* one element: a scalar object of the library, not an array */
};

/* An array that the library has to make. Its element at index i is the element of the backing store at position
 * offset + sum(i[d] * strides[d]). */
typedef struct dlpack_cts_request {
  uint32_t size; /* sizeof(dlpack_cts_request) when the suite was compiled */
  dlpack_cts_dtype dtype;
  int32_t ndim;
  const int64_t* shape;   /* ndim extents */
  const int64_t* strides; /* ndim strides, in elements */
  int64_t offset;         /* of element 0 in the backing store, in elements */
  const uint8_t* backing; /* the whole backing store, native byte order; copy what is needed */
  size_t backing_size;    /* in bytes */
  int32_t read_only;      /* 1: the array must be read-only */
  int32_t making;         /* DLPACK_CTS_FRESH, ... */
  int32_t oddity;         /* DLPACK_CTS_PLAIN, ... */
} dlpack_cts_request;

#define DLPACK_CTS_MAX_DIMS 64

/* What the library reports about an array. The suite passes it filled with zeros, except size and writable = -1. */
typedef struct dlpack_cts_description {
  uint32_t size;                             /* sizeof(dlpack_cts_description) when the suite was compiled */
  const void* data;                          /* address of element 0; NULL if unknown, or with has_data NULL itself */
  dlpack_cts_dtype dtype;                    /* the dtype of the array, not of the imported tensor */
  dlpack_cts_device device;                  /* type 0 if unknown */
  int32_t ndim;                              /* the real number, even if it exceeds DLPACK_CTS_MAX_DIMS */
  int32_t has_strides;                       /* 0: byte_strides is unknown */
  int32_t writable;                          /* 1 yes, 0 no, -1 unknown */
  int64_t shape[DLPACK_CTS_MAX_DIMS];        /* extents */
  int64_t byte_strides[DLPACK_CTS_MAX_DIMS]; /* in bytes */
  int32_t has_data;                          /* 1: `data` is known, even if it is NULL. Added later: check `size` */
} dlpack_cts_description;

/* How change() changes an array in place. */
enum { DLPACK_CTS_RESHAPE = 0, DLPACK_CTS_TRANSPOSE = 1, DLPACK_CTS_RESIZE = 2 };

/* The table. "Needed" functions must not be NULL; of import_tensor and make, one is enough. */
typedef struct dlpack_cts_plugin_table {
  uint32_t abi;  /* DLPACK_CTS_PLUGIN_ABI */
  uint32_t size; /* sizeof(dlpack_cts_plugin_table) when the plug-in was compiled */

  /* Passed as the first argument to functions without an array argument; set by the plug-in, may be NULL. A library
   * with several instances in one process gives each its own table and context. */
  void* context;

  /* Needed. Name and version of the library under test, static strings. */
  const char* (*name)(void);
  const char* (*version)(void);

  /* Needed by the role consumer. The library owns the tensor from the moment of the call, even if it refuses. On
   * success *array owns it, and its deleter is called once, when the last array that uses it is gone. On refusal the
   * deleter is called (once, unless it is NULL) before this returns. The tensor may be anything that a producer can
   * make, and in robustness/ it may be invalid. If the major of a versioned struct is not 1, only its first 32 bytes
   * may be read. */
  int (*import_tensor)(void* context, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
                       dlpack_cts_error* error);

  /* Needed by the role producer. Return DLPACK_CTS_UNSUPPORTED for arrays that the library does not have: examples with
   * them are then skipped. */
  int (*make)(void* context, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error);

  /* Needed by the role producer. Sets *managed to a struct of the kind that options->versioned selects, or refuses;
   * never returns the other kind. The suite owns the struct and calls its deleter once, on any thread, before or after
   * drop(). On refusal *managed stays NULL, and the library keeps nothing alive. */
  int (*export_tensor)(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed,
                       dlpack_cts_error* error);

  /* Needed. */
  int (*describe)(dlpack_cts_array array, dlpack_cts_description* description, dlpack_cts_error* error);

  /* Needed. All elements, row-major, native byte order, by the library's own conversion (not by describe()). Returns
   * their size in bytes, and writes the first `capacity` bytes of them at most; -1 where they cannot be read. */
  int64_t (*values)(dlpack_cts_array array, uint8_t* out, size_t capacity);

  /* Needed. Releases one array. Its exports and views stay valid. */
  void (*drop)(dlpack_cts_array array);

  /* Claim "write", else NULL. Writes the `size` bytes of one element into row-major element `index`. Refuses for
   * read-only arrays. */
  int (*write)(dlpack_cts_array array, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error);

  /* Claim "compute", else NULL. An elementwise equal array, computed by a kernel of the library. */
  int (*compute)(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error);

  /* Claim "view", else NULL. A view with the same elements, which keeps their memory alive after `array` was dropped.
   */
  int (*view)(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error);

  /* Claims "reshape_in_place", "transpose_in_place", "resize_in_place", else NULL. Changes the array itself: to one
   * dimension, to its transpose, to one dimension with one element more. Live exports must not notice. */
  int (*change)(dlpack_cts_array array, int32_t how, dlpack_cts_error* error);

  /* Or NULL. Makes the library run deferred releases now. */
  void (*collect)(void* context);

  /* Or NULL. Number of memory blocks for elements that are alive now. The suite reads it before make() and after the
   * exchange: one block more means that an export or its deleter leaked. Without this function such leaks are not
   * found. */
  int64_t (*live)(void* context);

  /* Claim "close", else NULL. Closes the array, as the library's users free arrays early. drop() is called later. May
   * refuse. The array may be a view, or closed already. */
  int (*close)(dlpack_cts_array array, dlpack_cts_error* error);
} dlpack_cts_plugin_table;

#if defined(_WIN32)
#define DLPACK_CTS_PLUGIN_EXPORT __declspec(dllexport)
#else
#define DLPACK_CTS_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* The one symbol of a plug-in. The table must stay valid as long as the process. A NULL result means
 * that the library cannot be used on this machine.
 *
 *     DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) { return &table; }
 */
typedef const dlpack_cts_plugin_table* (*dlpack_cts_plugin_function)(void);
DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void);

#ifdef __cplusplus
}
#endif

#endif /* DLPACK_CTS_SUBJECT_PLUGIN_H_ */
