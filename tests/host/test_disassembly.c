/* SPDX-License-Identifier: MIT */
/*
 * Instructions by address against objdump: where each one begins, at each
 * address of the image and of a program; texts, stripped files, odd bytes.
 */
#include <inttypes.h>

#include "tests/host/shell.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/elf_file.h"
#include "tools/symbols/symbols.h"

static const char source[] =
    ".intel_syntax noprefix\n.globl _start\n"
    ".type _start, @function\n_start: mov rax, 1000\nagain: dec rax\n jnz again\n"
    " lea rsi, [rip + data]\n rep movsb\n ret\n.size _start, . - _start\n"
    " .p2align 4\n"
    "odd: .byte 0x06, 0x90, 0x0f\n"  /* no instruction, one, and the first byte of one */
    "next: nop\n"
    " .skip 2\n"
    ".data\ndata: .quad 0\n.section .note.GNU-stack,\"\",@progbits\n";

static void make(const char *name)
{
    shell_write("d.s", source);
    shell("gcc -nostdlib -static -no-pie -Wl,-Ttext=0x401000,--build-id d.s -o %s", name);
}

static void open_both(const char *name, struct symbols *s, struct disassembly *d)
{
    assert_true(symbols_open(s, shell_path(name)));
    assert_true(disassembly_open(d, s));
}

static void close_both(struct symbols *s, struct disassembly *d)
{
    disassembly_close(d);
    symbols_close(s);
}

static void check(struct disassembly *d, uint64_t address, uint64_t start, unsigned length,
                  const char *text)
{
    struct instruction i;

    assert_true(disassembly_find(d, address, &i));
    assert_int_equal(i.start, start);
    assert_int_equal(i.length, length);
    assert_string_equal(i.text, text);
}

static void check_texts(struct disassembly *d)
{
    check(d, 0x401000, 0x401000, 7, "mov rax, 0x3e8");
    check(d, 0x401006, 0x401000, 7, "mov rax, 0x3e8");
    check(d, 0x401007, 0x401007, 3, "dec rax");
    check(d, 0x401009, 0x401007, 3, "dec rax");
    check(d, 0x40100a, 0x40100a, 2, "jne 0x401007");
    check(d, 0x401013, 0x401013, 2, "rep movsb byte ptr [rdi], byte ptr [rsi]");
    check(d, 0x401015, 0x401015, 1, "ret");
    check(d, 0x401001, 0x401000, 7, "mov rax, 0x3e8"); /* back again */
}

static void test_texts(void **state)
{
    struct disassembly d;
    struct symbols s;

    (void)state;
    make("texts");
    open_both("texts", &s, &d);
    check_texts(&d);
    close_both(&s, &d);
}

static void test_odd(void **state)
{
    struct instruction i = {0};
    struct disassembly d;
    struct symbols s;

    (void)state;
    make("odd");
    open_both("odd", &s, &d);
    check(&d, 0x401020, 0x401020, 1, ".byte 0x06");
    check(&d, 0x401021, 0x401021, 1, "nop");
    check(&d, 0x401022, 0x401022, 1, ".byte 0x0f"); /* and none of the next function */
    check(&d, 0x401023, 0x401023, 1, "nop");
    check(&d, 0x401024, 0x401024, 2, "add byte ptr [rax], al");
    assert_false(disassembly_find(&d, 0x401026, &i));
    assert_false(disassembly_find(&d, 0x401016, &i)); /* filling belongs to no function */
    assert_false(disassembly_find(&d, 0x400fff, &i));
    assert_false(disassembly_find(&d, 0, &i));
    assert_false(disassembly_find(&d, UINT64_MAX, &i));
    assert_false(disassembly_next(&d, &i));
    close_both(&s, &d);
}

static void test_next(void **state)
{
    static const uint64_t starts[] = {0x401007, 0x40100a, 0x40100c, 0x401013, 0x401015, 0x401016,
                                      0x401020, 0x401021, 0x401022, 0x401023, 0x401024};
    struct instruction i;
    struct disassembly d;
    struct symbols s;

    (void)state;
    make("next");
    open_both("next", &s, &d);
    assert_true(disassembly_find(&d, 0x401000, &i));
    for (size_t k = 0; k < sizeof(starts) / sizeof(starts[0]); k++) {
        assert_true(disassembly_next(&d, &i));
        assert_int_equal(i.start, starts[k]);
    }
    assert_false(disassembly_next(&d, &i)); /* the section ends */
    close_both(&s, &d);
}

/* The stripped file has the code, its debug file the names. */
static void test_separate(void **state)
{
    struct disassembly d;
    struct symbols s;

    (void)state;
    make("whole");
    shell("objcopy --only-keep-debug whole whole.debug && strip -o bare whole &&"
          " objcopy --add-gnu-debuglink=whole.debug bare");
    open_both("bare", &s, &d);
    check_texts(&d);
    close_both(&s, &d);
    assert_true(symbols_open(&s, shell_path("whole.debug")));
    assert_false(disassembly_open(&d, &s));
    symbols_close(&s);
}

/* Each address between two starts belongs to the first of both. */
static size_t compare(struct disassembly *d, FILE *starts)
{
    uint64_t start, next;
    size_t compared = 0;
    struct instruction i;

    if (fscanf(starts, "%" SCNx64, &start) != 1)
        return 0;
    for (; fscanf(starts, "%" SCNx64, &next) == 1; start = next, compared++) {
        const struct symbol *f = symbols_find(d->symbols, start);

        if (!f || f != symbols_find(d->symbols, next))
            continue;
        for (uint64_t at = start; at < next && at < start + 15; at++) {
            assert_true(disassembly_find(d, at, &i));
            if (i.start != start || i.start + i.length != next)
                fail_msg("at %" PRIx64 ": objdump from %" PRIx64 " to %" PRIx64
                         ", here from %" PRIx64 ", %u bytes: %s",
                         at, start, next, i.start, i.length, i.text);
        }
    }
    return compared;
}

/* All that the C compiler made; the assembler gives no sizes, and some of its code runs in 32 bits. */
static void test_oracle(void **state)
{
    char *image = realpath("build/cpuprobe.elf", NULL);
    struct disassembly d;
    struct symbols s;
    FILE *starts;

    (void)state;
    if (!image)
        skip();
    shell("nm -S --defined-only %s | awk 'NF == 4 { print $1 }' | sort >sized &&"
          " objdump -d -w --no-show-raw-insn %s | awk 'NR == FNR { sized[$1] = 1; next }"
          " /^[0-9a-f]+ <.*>:$/ { c = $1 in sized } c && sub(/^ *[0-9a-f]+:/, \"&\") "
          "{ print substr($1, 1, length($1) - 1) }' sized - >starts", image, image);
    assert_true(symbols_open(&s, image));
    assert_true(disassembly_open(&d, &s));
    starts = fopen(shell_path("starts"), "r");
    assert_true(compare(&d, starts) > 1000);
    fclose(starts);
    close_both(&s, &d);
    free(image);
}

/* Bytes at random: each step takes some, and the same whichever way one comes. */
static void test_random(void **state)
{
    uint64_t starts[1000];
    struct instruction i;
    struct disassembly d;
    struct symbols s;
    size_t count = 0;

    (void)state;
    shell_write("r.s", ".globl _start\n_start: .incbin \"random\"\n"
                       ".section .note.GNU-stack,\"\",@progbits\n");
    shell("openssl rand 900 >random 2>/dev/null || head -c 900 /dev/urandom >random;"
          " gcc -nostdlib -static -no-pie -Wl,-Ttext=0x401000 r.s -o random.elf");
    open_both("random.elf", &s, &d);
    assert_true(disassembly_find(&d, 0x401000, &i));
    do {
        assert_in_range(i.length, 1, 15);
        starts[count++] = i.start;
    } while (disassembly_next(&d, &i));
    assert_int_equal(i.start + i.length, 0x401000 + 900);
    for (uint64_t at = 0x401000 + 900; at-- > 0x401000;) {
        if (starts[count - 1] > at)
            count--;
        assert_true(disassembly_find(&d, at, &i));
        assert_int_equal(i.start, starts[count - 1]);
    }
    close_both(&s, &d);
}

/* Without section headers the segments tell where the code is. */
static void test_segments(void **state)
{
    struct disassembly d;
    struct symbols s;

    (void)state;
    make("whole");
    shell("objcopy --only-keep-debug whole whole.debug && strip -o bare whole &&"
          " id=$(readelf -n whole | sed -n 's/.*Build ID: //p') &&"
          " mkdir -p .build-id/$(echo $id | cut -c 1-2) &&"
          " cp whole.debug .build-id/$(echo $id | cut -c 1-2)/$(echo $id | cut -c 3-).debug &&"
          /* e_shoff, e_shnum and e_shstrndx are zero */
          " printf '\\0\\0\\0\\0\\0\\0\\0\\0' | dd of=bare bs=1 seek=40 conv=notrunc 2>/dev/null &&"
          " printf '\\0\\0\\0\\0' | dd of=bare bs=1 seek=60 conv=notrunc 2>/dev/null");
    {
        const char *folder = shell_folder, *why;
        struct debug_places places = {&folder, 1, NULL};

        assert_true(symbols_open_quietly(&s, shell_path("bare"), &places, &why));
    }
    assert_true(disassembly_open(&d, &s));
    check_texts(&d);
    close_both(&s, &d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),    cmocka_unit_test(test_odd),
        cmocka_unit_test(test_next),     cmocka_unit_test(test_separate),
        cmocka_unit_test(test_oracle),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_segments),
    };
    return cmocka_run_group_tests(tests, shell_begin, shell_end);
}
