/* SPDX-License-Identifier: MIT */
/* Names of Linux's system calls, against the header that this machine's compiler has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/linux/call_names.c"

#define HEADER "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
#define LAST   450u /* of Linux 6.1; a newer header has more */
#define NEWER  335u /* that came since between the old ones: uretprobe, of Linux 6.11 */

static void test_as_in_the_header(void **state)
{
    FILE *const header = fopen(HEADER, "r");
    char line[256], name[64];
    unsigned number, found = 0;

    (void)state;
    if (!header)
        skip();
    while (fgets(line, sizeof line, header)) {
        if (sscanf(line, "#define __NR_%63s %u", name, &number) != 2 || number > LAST || number == NEWER)
            continue;
        assert_string_equal(linux_call_name(number), name);
        found++;
    }
    fclose(header);
    assert_int_equal(found, COUNT(own) + COUNT(common));
}

static void test_no_call(void **state)
{
    (void)state;
    assert_string_equal(linux_call_name(NEWER), "");
    assert_string_equal(linux_call_name(423), "");
    assert_string_equal(linux_call_name(451), "");
    assert_string_equal(linux_call_name(UINT64_MAX), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_in_the_header),
        cmocka_unit_test(test_no_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
