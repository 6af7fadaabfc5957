/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share: libFuzzer's interface, which tests/fuzz/replay.c
 * speaks too, silence, and checks that end the run.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/base/subcommand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer's own, and what tests/fuzz/mutate_stream.c gives it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                                 size_t b_size, uint8_t *out, size_t most, unsigned seed);

/*
 * The same of each target.  What reports print is made and thrown away; libFuzzer and
 * the sanitizers do not write by these.
 */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    stdout = fopen("/dev/null", "w");
    stderr = fopen("/dev/null", "w");
    return stdout && stderr ? 0 : -1;
}

/* A finding that no sanitizer sees. */
#define FUZZ_CHECK(holds)                                                                 \
    do {                                                                                  \
        if (!(holds))                                                                     \
            fuzz_fail(__FILE__, __LINE__, #holds);                                        \
    } while (0)

static inline void fuzz_fail(const char *file, int line, const char *what)
{
    dprintf(STDERR_FILENO, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

/* Run command `which`, nothing where there is none, over a stream, as a file in memory. */
static inline void fuzz_run(const struct subcommand *const *fuzzed, size_t count, size_t which, const void *bytes,
                            size_t length)
{
    char path[32];
    char *argv[] = {"cpuprobe", path, NULL};
    int file;

    if (which >= count)
        return;
    file = memfd_create("stream", MFD_CLOEXEC);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    FUZZ_CHECK(write(file, bytes, length) == (ssize_t)length);
    subcommand_run(fuzzed[which], 2, argv);
    close(file);
}

/* A target of texts: the input with an end. */
static inline int fuzz_text(const uint8_t *data, size_t size, void (*check)(const char *text, size_t size))
{
    char *text = malloc(size + 1);

    memcpy(text, data, size);
    text[size] = '\0';
    check(text, size);
    free(text);
    return 0;
}
