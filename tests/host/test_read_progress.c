/* SPDX-License-Identifier: MIT */
/* The line of a long reading: bar, percent and what is left of a file, what was read of a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/stream/progress.h"

static void assert_line(uint64_t read, uint64_t size, double seconds, const char *wanted)
{
    const struct read_progress p = {.read = read, .size = size};
    char line[READ_PROGRESS_LINE];

    read_progress_print(&p, seconds, line);
    assert_string_equal(line, wanted);
}

static void file(void **state)
{
    (void)state;
    assert_line(0, 1000, 1.0, "reading [..............................]   0 %, 0 s left");
    assert_line(250, 1000, 2.0, "reading [#######.......................]  25 %, 6 s left");
    assert_line(1000, 1000, 4.0, "reading [##############################] 100 %, 0 s left");
}

/* It grew after it was opened. */
static void longer_than_it_was(void **state)
{
    (void)state;
    assert_line(3000, 1000, 4.0, "reading [##############################] 100 %, 0 s left");
}

static void pipe_of_unknown_size(void **state)
{
    (void)state;
    assert_line(12400000, 0, 3.0, "reading: 12 MB in 3 s");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(file),
        cmocka_unit_test(longer_than_it_was),
        cmocka_unit_test(pipe_of_unknown_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
