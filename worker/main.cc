// worker/main.cc: the program dlpack-cts-worker. All of its code is in the library that an interpreter can load, too.
#include "worker/entry.h"

int main(int argc, char** argv) { return dlpack_cts_worker_program(argc, argv); }
