/* SPDX-License-Identifier: MIT */
/* ELF files of programs: what is loaded where, and the sentence for each kind of file that is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/process/program_file.c"

#define CODE  0x400000ull
#define DATA  0x402000ull
#define PAGES 100u /* of memory that are left */

static struct {
    struct elf_header h;
    struct elf_segment segment[2];
    uint8_t contents[PAGE_SIZE];
} file;

static struct process process;
static const uint8_t *given; /* what is loaded, and its bytes */
static uint64_t given_bytes;
static unsigned mapped;
static uint64_t filled; /* bytes */

uint64_t page_alloc_left(void)
{
    return PAGES;
}

bool process_map(struct process *p, uint64_t from, uint64_t to, uint32_t access)
{
    (void)p;
    assert_true(from < to && (from | to) % PAGE_SIZE == 0 && from >= PROCESS_LOW && to <= PROCESS_HIGH);
    assert_false((access & MEMORY_WRITE) && (access & MEMORY_CODE));
    mapped++;
    return true;
}

bool process_fill(struct process *p, uint64_t address, const void *from, uint64_t bytes)
{
    (void)p;
    (void)address;
    assert_true((const uint8_t *)from >= given);
    assert_true((const uint8_t *)from + bytes <= given + given_bytes);
    filled += bytes;
    return true;
}

static void make(void)
{
    memset(&file, 0, sizeof file);
    file.h = (struct elf_header){
        .magic = ELF_MAGIC, .class = ELF_CLASS_64, .type = ELF_TYPE_EXEC, .machine = ELF_X86_64,
        .entry = CODE + 0x10, .phoff = sizeof file.h, .phentsize = sizeof(struct elf_segment), .phnum = 2,
    };
    file.segment[0] = (struct elf_segment){ .type = PT_LOAD, .flags = PF_R | PF_X, .vaddr = CODE, .filesz = 0x100,
                                            .memsz = 0x100 };
    file.segment[1] = (struct elf_segment){
        .type = PT_LOAD, .flags = PF_R | PF_W, .offset = 0x100, .vaddr = DATA, .filesz = 0x80, .memsz = 0x4000,
    };
    mapped = 0;
    filled = 0;
    given = (const uint8_t *)&file;
    given_bytes = sizeof file;
}

static const char *load(uint64_t bytes)
{
    static char text[REFUSAL_TEXT];
    struct program_start start;
    struct refusal why;

    return program_load(&process, &file, bytes, &start, &why) ? "" : refusal_text(&why, text);
}

static void refused(const char *sentence, uint64_t bytes)
{
    assert_string_equal(load(bytes), sentence);
    assert_int_equal(mapped, 0);
    make();
}

static void test_loaded(void **state)
{
    struct program_start start;
    struct refusal why;

    (void)state;
    make();
    assert_true(program_load(&process, &file, sizeof file, &start, &why));
    assert_int_equal(mapped, 2);
    assert_int_equal(filled, 0x180);
    assert_int_equal(start.entry, CODE + 0x10);
    assert_int_equal(start.segments, CODE + sizeof file.h);
    assert_int_equal(process.heap_from, DATA + 0x4000);
}

static void test_relocated(void **state)
{
    struct program_start start;
    struct refusal why;

    (void)state;
    make();
    file.h.type = ELF_TYPE_DYN;
    assert_true(program_load(&process, &file, sizeof file, &start, &why));
    assert_int_equal(start.base, PROGRAM_PIE_BASE);
    assert_int_equal(start.entry, PROGRAM_PIE_BASE + CODE + 0x10);
}

static void test_kinds(void **state)
{
    (void)state;
    make();
    refused("it is no ELF file", sizeof file.h - 1);
    file.h.magic++;
    refused("it is no ELF file", sizeof file);
    file.h.class = ELF_CLASS_32;
    refused("it is a program of 32 bits: compile it for x86-64", sizeof file);
    file.h.machine = 183;
    refused("it is not for x86-64", sizeof file);
    file.h.type = 1;
    refused("it is no program: an object file, or a core", sizeof file);
    file.h.phoff = UINT64_MAX - 7;
    refused("its table of segments runs past the end of the file", sizeof file);
    file.h.phnum = 0xffff;
    refused("its table of segments runs past the end of the file", sizeof file);
    file.segment[1].type = PT_INTERP;
    refused("it is dynamically linked: link it with -static or -static-pie", sizeof file);
    file.segment[0].type = file.segment[1].type = PT_NOTE;
    refused("it has no segments to load", sizeof file);
}

static void test_segments(void **state)
{
    (void)state;
    make();
    file.segment[1].filesz = 0x4001;
    refused("a segment runs past the end of the file", sizeof file);
    file.segment[1].offset = UINT64_MAX;
    refused("a segment runs past the end of the file", sizeof file);
    file.segment[1].vaddr = UINT64_MAX - 0x1000;
    refused("a segment lies outside the addresses of a program", sizeof file);
    file.segment[1].memsz = UINT64_MAX - DATA;
    refused("a segment lies outside the addresses of a program", sizeof file);
    file.segment[0].vaddr = 0;
    refused("a segment lies outside the addresses of a program", sizeof file);
    file.segment[1].vaddr = CODE + 0x80;
    refused("two segments share a page, or stand in no order", sizeof file);
    file.segment[0].flags |= PF_W;
    refused("a segment is both writable and code", sizeof file);
    file.segment[1].memsz = 4ull << 30;
    refused("it needs 4194308 KiB of memory, and 400 KiB are free", sizeof file);
    file.h.entry = DATA;
    refused("its entry lies outside its code", sizeof file);
    file.h.entry = CODE + 0x100;
    refused("its entry lies outside its code", sizeof file);
}

/* A file that ends anywhere, in memory that ends there too: refused, or loaded from what there is. */
static void test_truncated(void **state)
{
    unsigned loaded = 0;

    (void)state;
    for (uint64_t bytes = 0; bytes <= sizeof file; bytes += 8) {
        uint8_t *const copy = malloc(bytes + 1);
        struct program_start start;
        struct refusal why;

        make();
        memcpy(copy, &file, bytes);
        given = copy;
        given_bytes = bytes;
        loaded += program_load(&process, copy, bytes, &start, &why);
        free(copy);
    }
    assert_int_equal(loaded, (sizeof file - 0x180) / 8 + 1); /* from the end of the last segment on */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded), cmocka_unit_test(test_relocated), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_segments), cmocka_unit_test(test_truncated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
