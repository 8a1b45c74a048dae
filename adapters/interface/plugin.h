// adapters/interface/plugin.h: the plug-in ABI, a table of C functions through which dlpack-cts drives a native
// library.
//
// Plain C99, needs nothing but this file. A plug-in is a shared object that exports one symbol, dlpack_cts_plugin (see
// the end of this file). docs/plugins.md shows how to write one, examples/cpp-plugin/ is one.
//
// Rules for all functions:
//   - Threads. Functions are called from any thread. Where a recipe has several lanes, calls come from several threads
//   at
//     once, though never two with the same array; so do the deleters of tensors that the library exported.
//   - Processes. The process may be forked after the plug-in was opened, and every child goes on alone. A library that
//     keeps threads of its own has to say fork_safe = false in library.toml.
//   - Errors. A function that fails returns another code than DLPACK_CTS_OK and writes error->text, and the library
//     stays usable. No exception may leave it: one that does ends the process, and the case that ran is a CRASH.
//   - Ownership. Pointers that the suite passes are valid during the call only, except for tensors that are given away
//     to import_tensor().
//   - Growth. A struct of the suite begins with its size as the suite was compiled. A field that lies behind that size
//     does not exist. New fields come at the end, without another ABI version.
//   - Units. The comment of each field names its unit: requests count strides in elements, descriptions in bytes.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_PLUGIN_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rises whenever the meaning of a field or function changes. New functions are added at the end of the table without a
 * rise: `size` tells which ones a plug-in has. */
#define DLPACK_CTS_PLUGIN_ABI 2

/* An array of the library. Made by import_tensor(), make(), compute() and view(); valid until drop(). Never NULL. */
typedef void* dlpack_cts_array;

enum {
  DLPACK_CTS_OK = 0,
  DLPACK_CTS_REFUSED = 1,     /* the data cannot be exchanged; what Python libraries say with BufferError */
  DLPACK_CTS_INVALID = 2,     /* the arguments are wrong, whatever the data */
  DLPACK_CTS_UNSUPPORTED = 3, /* the library has nothing of the kind: no such type, no such operation */
  DLPACK_CTS_FAILED = 4       /* anything else, such as no memory */
};

/* Text of a failure. The suite passes it emptied; `text` has to be ended with a zero byte and is shown to people. */
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

/* Wishes of an import. */
typedef struct dlpack_cts_import_options {
  uint32_t size;      /* sizeof(dlpack_cts_import_options) as the suite was compiled */
  int32_t versioned;  /* 1: `managed` is a DLManagedTensorVersioned*; 0: a DLManagedTensor* */
  int32_t copy;       /* 1: copy; 0: never copy, refuse instead; -1: as the library likes */
  int32_t has_device; /* 1: the array has to live on `device`; refuse where that is impossible */
  dlpack_cts_device device;
} dlpack_cts_import_options;

/* Wishes of an export. */
typedef struct dlpack_cts_export_options {
  uint32_t size;     /* sizeof(dlpack_cts_export_options) as the suite was compiled */
  int32_t versioned; /* 1: make a DLManagedTensorVersioned; 0: a DLManagedTensor */
  int32_t copy;      /* 1: export a copy; 0: never copy, refuse instead; -1: as the library likes */
} dlpack_cts_export_options;

/* Where the array comes from. */
enum {
  DLPACK_CTS_FRESH = 0,   /* memory of the library's own */
  DLPACK_CTS_VIEW = 1,    /* a view of a larger array */
  DLPACK_CTS_REEXPORT = 2 /* imported from a tensor that the library itself exported */
};

/* Peculiar arrays. A plug-in that does not claim "oddities" sees only DLPACK_CTS_PLAIN. */
enum {
  DLPACK_CTS_PLAIN = 0,
  DLPACK_CTS_FOREIGN_BYTE_ORDER = 1,
  DLPACK_CTS_LONG_DOUBLE = 2,
  DLPACK_CTS_COMPLEX_LONG_DOUBLE = 3,
  DLPACK_CTS_OBJECT = 4,
  DLPACK_CTS_UNALIGNED_STRIDE = 5, /* byte strides that are no multiple of the item size */
  DLPACK_CTS_CONJUGATE = 6,
  DLPACK_CTS_NEGATED = 7,
  DLPACK_CTS_SPARSE = 8,
  DLPACK_CTS_REQUIRES_GRAD = 9,
  DLPACK_CTS_META = 10,
  DLPACK_CTS_SUBCLASS = 11,
  DLPACK_CTS_IDLE_STRIDE = 12, /* in dimensions of one element, byte strides that are no multiple of the item size */
  DLPACK_CTS_ZEROS = 13,       /* elements that lie in no memory, and are 0 */
  /* Elements of types that DLPack lacks, whatever dtype the request has; describe gives them no dtype. */
  DLPACK_CTS_DATE = 14,
  DLPACK_CTS_QUANTIZED = 15, /* integers that stand for other numbers */
  DLPACK_CTS_TEXT = 16,
  DLPACK_CTS_SCALAR_OBJECT = 17 /* one element: an object of the library's for single elements, that is no array */
};

/* An array that the library shall make. Its element at index i is the element of the backing store at position
 * offset + sum(i[d] * strides[d]). */
typedef struct dlpack_cts_request {
  uint32_t size; /* sizeof(dlpack_cts_request) as the suite was compiled */
  dlpack_cts_dtype dtype;
  int32_t ndim;
  const int64_t* shape;   /* ndim extents */
  const int64_t* strides; /* ndim strides, in elements */
  int64_t offset;         /* of element 0 in the backing store, in elements */
  const uint8_t* backing; /* the whole backing store, native byte order; copy what is needed */
  size_t backing_size;    /* in bytes */
  int32_t read_only;      /* 1: the array has to be read-only */
  int32_t making;         /* DLPACK_CTS_FRESH, ... */
  int32_t oddity;         /* DLPACK_CTS_PLAIN, ... */
} dlpack_cts_request;

#define DLPACK_CTS_MAX_DIMS 64

/* What the library says of an array. The suite passes it filled with zeros, but for size and writable = -1. */
typedef struct dlpack_cts_description {
  uint32_t size;                             /* sizeof(dlpack_cts_description) as the suite was compiled */
  const void* data;                          /* address of element 0; NULL where the library does not tell */
  dlpack_cts_dtype dtype;                    /* as the library has it now, not as it was imported */
  dlpack_cts_device device;                  /* type 0 where the library does not tell */
  int32_t ndim;                              /* the real number, even when only the first dimensions fit below */
  int32_t has_strides;                       /* 0: the library does not tell strides */
  int32_t writable;                          /* 1 yes, 0 no, -1 the library does not tell */
  int64_t shape[DLPACK_CTS_MAX_DIMS];        /* extents */
  int64_t byte_strides[DLPACK_CTS_MAX_DIMS]; /* in bytes */
} dlpack_cts_description;

/* How change() shall change an array in place. */
enum { DLPACK_CTS_RESHAPE = 0, DLPACK_CTS_TRANSPOSE = 1, DLPACK_CTS_RESIZE = 2 };

/* The table. "Needed" functions must not be NULL; of import_tensor and make, one is enough. */
typedef struct dlpack_cts_plugin_table {
  uint32_t abi;  /* DLPACK_CTS_PLUGIN_ABI */
  uint32_t size; /* sizeof(dlpack_cts_plugin_table) as the plug-in was compiled */

  /* Handed back as the first argument of the functions that know no array; the plug-in's own, or NULL. A library of
   * which several instances live in one process gives each a table with a context of its own. */
  void* context;

  /* Needed. Name and version of the library under test, static strings. */
  const char* (*name)(void);
  const char* (*version)(void);

  /* Needed by the role consumer. Takes the tensor in any case: it is the library's from the moment of the call. On
   * success *array owns it, and its deleter is called once, when the last array that uses it is gone. On refusal the
   * deleter was called (once, unless it is NULL) before this returns. The tensor may be anything a producer can make,
   * and in robustness/ anything that memory can hold: a versioned struct whose major is not 1 may be read no further
   * than its first 32 bytes. */
  int (*import_tensor)(void* context, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
                       dlpack_cts_error* error);

  /* Needed by the role producer. DLPACK_CTS_UNSUPPORTED for what the library has not: the examples that ask for it are
   * then left out. */
  int (*make)(void* context, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error);

  /* Needed by the role producer. Sets *managed to a struct of the kind that options->versioned names, or refuses: never
   * the other kind. The struct is the suite's, which calls its deleter once, on any thread, before or after the array
   * was dropped. On refusal *managed stays NULL and nothing is held. */
  int (*export_tensor)(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed,
                       dlpack_cts_error* error);

  /* Needed. */
  int (*describe)(dlpack_cts_array array, dlpack_cts_description* description, dlpack_cts_error* error);

  /* Needed. All elements, row-major, native byte order, by the library's own conversion (not by describe()). Returns
   * their size in bytes, and writes the first `capacity` bytes of them at most; -1 where they cannot be read. */
  int64_t (*values)(dlpack_cts_array array, uint8_t* out, size_t capacity);

  /* Needed. Gives up one array. Its exports and views go on. */
  void (*drop)(dlpack_cts_array array);

  /* Claim "write", else NULL. Writes the `size` bytes of one element into row-major element `index`. Refuses for arrays
   * that are read-only. */
  int (*write)(dlpack_cts_array array, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error);

  /* Claim "compute", else NULL. An elementwise equal array, computed by a kernel of the library. */
  int (*compute)(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error);

  /* Claim "view", else NULL. A view with the same elements, which keeps their memory alive after `array` was dropped.
   */
  int (*view)(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error);

  /* Claims "reshape_in_place", "transpose_in_place", "resize_in_place", else NULL. Changes the array itself: to one
   * dimension, to its transpose, to one dimension with one element more. Live exports must not notice. */
  int (*change)(dlpack_cts_array array, int32_t how, dlpack_cts_error* error);

  /* Or NULL. Lets the library release now what it would release later. */
  void (*collect)(void* context);

  /* Or NULL. Number of blocks of element memory that the library keeps alive now. It is read before make() and when a
   * life is over: a block more tells that an export or its deleter leaked. Without it such leaks are not seen. */
  int64_t (*live)(void* context);
} dlpack_cts_plugin_table;

#if defined(_WIN32)
#define DLPACK_CTS_PLUGIN_EXPORT __declspec(dllexport)
#else
#define DLPACK_CTS_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* The one symbol of a plug-in. The table is static: it lives as long as the process. A NULL result means that the
 * library cannot be used here.
 *
 *     DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) { return &table; }
 */
typedef const dlpack_cts_plugin_table* (*dlpack_cts_plugin_function)(void);
DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void);

#ifdef __cplusplus
}
#endif

#endif /* DLPACK_CTS_ADAPTERS_INTERFACE_PLUGIN_H_ */
