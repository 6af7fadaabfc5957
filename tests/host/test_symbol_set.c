/* SPDX-License-Identifier: MIT */
/*
 * Several files that are asked together: which words of a line are addresses, and
 * whether a kernel is the image that ran.
 */
#include "tests/host/elf.h"
#include "tests/host/listen.h"
#include "tools/symbols/symbols.h"

static void test_annotate(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"rip 0x401012, rsp", "rip 0x401012 <main+0x12>, rsp"},
        {"0x0000000000401041", "0x0000000000401041 <re|sp+0x1>"},
        {"(0x401000)(0x401040)", "(0x401000 <main+0x0>)(0x401040 <re|sp+0x0>)"},
        {"0x402000 0xffffffff80100000", "0x402000 0xffffffff80100000"},
        {"0x12 0x 0 x401000 401000 0x0x401000", "0x12 0x 0 x401000 401000 0x0x401000 <main+0x0>"},
        {"0x00000000000401000", "0x00000000000401000"}, /* 17 digits */
        {"0xffffffffffffffffffffffff401000", "0xffffffffffffffffffffffff401000"},
        {"", ""},
    };
    struct symbol_set set = {0};

    (void)state;
    write_file(&(struct file[]){make(TEXT, TWO_ROWS, 2)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t size;
        char *text = symbol_set_annotate(&set, rows[i].text, strlen(rows[i].text), &size);

        assert_string_equal(text, rows[i].want);
        assert_int_equal(size, strlen(rows[i].want));
        free(text);
    }
    symbol_set_free(&set);
}

/* Two tasks' programs at the same addresses, and the kernel at its own. */
static void test_several(void **state)
{
    static const struct row other[] = {FUNCTION("spin", TEXT + 0x10, 0x10)};
    static const struct row kernel[] = {FUNCTION("kernel_main", KERNEL, 0x100)};
    struct symbol_set set = {0};
    char *name;

    (void)state;
    write_file(&(struct file[]){make(TEXT, TWO_ROWS, 2)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    unlink(path); /* an open file stays as it was */
    write_file(&(struct file[]){make(TEXT, other, 1)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    unlink(path);
    write_file(&(struct file[]){make(KERNEL, kernel, 1)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    assert_true(symbols_is_kernel(&set.file[2]));
    name = symbol_set_name(&set, TEXT + 0x12);
    assert_string_equal(name, "main+0x12 or spin+0x2");
    free(name);
    name = symbol_set_name(&set, KERNEL + 0xff);
    assert_string_equal(name, "kernel_main+0xff");
    free(name);
    assert_null(symbol_set_name(&set, KERNEL + 0x100));
    symbol_set_free(&set);
}

/* What is said of the file at `path`, were the image of build id `id` the one that ran. */
static void compare_build(const struct file *f, const char *id, const char *want)
{
    struct symbol_set set = {0};
    FILE *before;

    write_file(f, sizeof(*f));
    assert_true(symbol_set_add(&set, path));
    before = listen();
    symbol_set_compare(&set, id);
    listen_no_more(before);
    if (want)
        assert_non_null(strstr(said, want));
    else
        assert_string_equal(said, "");
    symbol_set_free(&set);
}

static void test_build(void **state)
{
    static const struct row rows[] = {FUNCTION("kernel_main", KERNEL, 0x100)};
    const struct file task = make(TEXT, TWO_ROWS, 2);
    struct file kernel = make(KERNEL, rows, 1);

    (void)state;
    compare_build(&kernel, BUILD, NULL);
    compare_build(&kernel, "0123abcd", "is not the image that ran: its build id, " BUILD ",");
    compare_build(&kernel, "", "is not the image that ran");
    compare_build(&task, "0123abcd", NULL);
    kernel.note.head.n_type = 0;
    compare_build(&kernel, BUILD, "has no build id");
}

static int quiet(void **state)
{
    free(said);
    return end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_annotate),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_build),
    };
    return cmocka_run_group_tests(tests, begin, quiet);
}
