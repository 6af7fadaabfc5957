/* SPDX-License-Identifier: MIT */
/* Tests text that is made of a report by a template. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/json/report_json.h"

static const char report[] =
    "{\"name\": \"IDLE\", \"none\": \"\", \"count\": 9007199254740993, \"zero\": 0, \"below\": -3, \"real\": 2.5,"
    " \"small\": 0.0, \"missing\": null, \"yes\": true, \"no\": false, \"empty\": [], \"list\": [4, 5, 6],"
    " \"map\": {\"user\": 7, \"kernel\": 8},"
    " \"rows\": [{\"a\": 1, \"of\": {\"b\": \"x\"}}, {\"a\": null, \"of\": {\"b\": \"y\"}}]}";

static const struct {
    const char *text, *printed;
} cases[] = {
    {"no value\n", "no value\n"},
    /* values */
    {"{name} {count} {real|.1f}", "IDLE 9007199254740993 2.5"},
    {"<{name|-6s}|{name|6s}|{name|-6.2s}>", "<IDLE  |  IDLE|ID    >"},
    {"<{zero|4d} {below|4d} {real|+7.2f} {real|-5.1f} {real|.3g}>", "<   0   -3   +2.50 2.5   2.5>"},
    {"{real|t} {small|t}", "   2.50 s     0.00 ns"},
    {"{list.1} {map.kernel} {rows.1.of.b}", "5 8 y"},
    /* what is missing */
    {"{missing} <{missing|6.2f}> <{missing|-6s|n.a.}> <{missing|3d|}> {nothing} {map.nothing.more}",
     "- <     -> <n.a.  > <   > - -"},
    /* sums */
    {"{map.user+map.kernel} {real*100|.1f} {map.user/map.kernel|.3f} {real/zero|.1f} {real+missing|.1f}",
     "15 250.0 0.875 0.0 -"},
    {"[yes+no?a][no+no?b]{yes+yes} {real|8.2r} {missing|6.2r|n.a.} {real/4*1000000000000000000|.0f}",
     "a2     2.50   n.a. 625000000000000000"},
    {"{map.kernel-map.user/map.user*100|+.1f} {100-map.user|d}", "+14.3 93"},
    /* parts */
    {"[name?a][none?b][count?c][zero?d][below?e][real?f][small?g][missing?h][yes?i][no?j][empty?k][list?l][map?m]",
     "acfgilm"},
    {"[name!a][none!b][count!c][zero!d][below!e][real!f][small!g][missing!h][yes!i][no!j][empty!k][list!l][map!m]",
     "bdehjk"},
    {"[name=IDLE?a][name=IDLER?b][name=IDL?c][name=IDLE!d][name=MASK!e][missing=IDLE?f]", "ae"},
    {"[map.kernel-map.user?more][map.user-map.kernel?less]", "more"},
    {"[yes?a[no?b[yes?c]]d[yes?e]]f", "adef"},
    /* items */
    {"[list: {.}]; [list:{,} {.}]; [empty: {.}]", " 4 5 6;  4, 5, 6; "},
    {"[map:{#}={.};] [map:<{#|-7s}>]", "user=7;kernel=8; <user   ><kernel >"},
    {"[rows:[yes?{name}{of.b}] ][list:[rows:{a}]]", "IDLEx IDLEy 1-1-1-"}, /* members of what is around */
    {"[rows:{a|2d}{of.b}[a?!]\n]", " 1x!\n -y\n"},
    {"[missing:{a}][name:{a}]", ""},
};

static void test_templates(void **state)
{
    json_t *const of = json_loads(report, 0, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *printed = NULL;
        size_t length;
        FILE *const out = open_memstream(&printed, &length);

        report_text(of, cases[i].text, out);
        fclose(out);
        assert_string_equal(printed, cases[i].printed);
        free(printed);
    }
    json_decref(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_templates)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
