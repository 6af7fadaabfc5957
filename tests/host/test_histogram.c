/* SPDX-License-Identifier: MIT */
/*
 * The histogram: Crowe's Figures 4 and 5 letter by letter, bars worked out by
 * hand, addresses, counts and widths at their ends.  --write makes the golden
 * texts again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/histogram.h"

#define GOLDEN "tests/golden/"

struct text {
    char all[65536];
    size_t length, widest;
};

static void take_line(void *context, const char *line)
{
    struct text *t = context;
    size_t length = strlen(line);

    if (length > t->widest)
        t->widest = length;
    assert_true(t->length + length + 2 < sizeof(t->all));
    memcpy(t->all + t->length, line, length);
    memcpy(t->all + t->length + length, "\n", 2);
    t->length += length + 1;
}

static const char *print(struct text *t, const struct histogram *h,
                         const struct histogram_options *o)
{
    memset(t, 0, sizeof(*t));
    histogram_print(h, o, take_line, t);
    return t->all;
}

/* ---- the paper's figures ---- */

static size_t read_slots(const char *path, struct histogram_slot *slots, char (*functions)[64])
{
    FILE *file = fopen(path, "r");
    char line[256];
    size_t n = 0;

    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        unsigned long address, hits;
        int fields = sscanf(line, "%lo,%lu,%63[^\n]", &address, &hits, functions[n]);

        if (fields >= 2)
            slots[n++] = (struct histogram_slot){address, hits, hits};
    }
    fclose(file);
    return n;
}

/*
 * The paper's symbol table has starts only.  Where a function ends before the
 * next begins is taken from its headings: dbmap, for one, is not named over slot
 * 025360, though dbunma begins at 025362.
 */
static const struct histogram_symbol symbols5[] = {
    {"dbwrit", 024230, 025276}, {"dbmap", 025276, 025360},  {"dbunma", 025362, 025420},
    {"cpybuf", 032142, 032460}, {"re|sp", 033354, 033472},  {"sz|kp", 033472, 033620},
    {"c$mul", 042300, 042410},  {"c$sav", 042410, 042426},  {"c$ret", 042426, 042436},
    {"c$rets", 042436, 042460}, {"emt", 042462, 042500},
};

#define SYMBOLS5 (sizeof(symbols5) / sizeof(symbols5[0]))

static bool symbol5(void *context, uint64_t from, struct histogram_symbol *to)
{
    (void)context;
    for (size_t i = 0; i < SYMBOLS5; i++)
        if (symbols5[i].end > from) {
            *to = symbols5[i];
            return true;
        }
    return false;
}

static struct histogram_slot slots[600];
static char functions[600][64];

/* Two of the 1860 hits stand in no row of the paper. */
static struct histogram figure4(void)
{
    return (struct histogram){
        .task = "ROGUE", .mode = MODE_USER, .samples = 21598, .active = 1860, .above = 2,
        .base = 0, .high = 0200000, .slot = 0200,
        .estimator = {PAIR_NEVER, 0.0, "fixed ticks", 0}, .slots = slots,
        .count = read_slots(GOLDEN "figure4.csv", slots, functions),
    };
}

/* Five of the 2717 hits stand in no row of the paper. */
static struct histogram figure5(void)
{
    return (struct histogram){
        .task = "ROGUE", .mode = MODE_USER, .samples = 43198, .active = 2717, .above = 5,
        .base = 025200, .high = 042600, .slot = 020,
        .estimator = {PAIR_NEVER, 0.0, "fixed ticks", 0}, .slots = slots,
        .count = read_slots(GOLDEN "figure5.csv", slots, functions),
    };
}

static const struct histogram_options paper4 = {.octal = true, .wald = true};
static const struct histogram_options paper5 = {
    .octal = true, .wald = true, .symbol = symbol5,
};

static bool writing; /* --write: make the golden texts */

static void check_golden(const char *path, const char *text)
{
    static char wanted[65536];
    FILE *file = fopen(path, writing ? "w" : "r");

    assert_non_null(file);
    if (writing)
        fputs(text, file);
    else
        wanted[fread(wanted, 1, sizeof(wanted) - 1, file)] = '\0';
    fclose(file);
    if (!writing)
        assert_string_equal(text, wanted);
}

static struct text text;

static void test_figure4(void **state)
{
    struct histogram h = figure4();

    (void)state;
    check_golden(GOLDEN "figure4.txt", print(&text, &h, &paper4));
    assert_non_null(strstr(text.all, "\n002200:   23: *-|-\n"));
    assert_non_null(strstr(text.all, "\n032000:   37: ***-|-\n"));
}

static void test_figure5(void **state)
{
    struct histogram h = figure5();

    (void)state;
    check_golden(GOLDEN "figure5.txt", print(&text, &h, &paper5));
}

/* The heading over a row: the names in it, as the CSV of the paper has them. */
static void names_over(const char *row, char names[128])
{
    const char *line = row;

    do { /* back to the line that has a dash after its address */
        for (line--; line > text.all && line[-1] != '\n'; line--)
            ;
    } while (line[6] != '-');
    *names = '\0';
    for (const char *end = strchr(line, '\n'); line < end; line++) {
        const char *name = line + 7;

        line = name + strcspn(name, " \n");
        sprintf(names + strlen(names), "%s%.*s", *names ? " " : "", (int)(line - name), name);
    }
}

static void test_headings(void **state)
{
    struct histogram h = figure5();

    (void)state;
    print(&text, &h, &paper5);
    for (size_t i = 0; i < h.count; i++) {
        char row[32], names[128];

        sprintf(row, "\n%06o:", (unsigned)slots[i].address);
        assert_non_null(strstr(text.all, row));
        names_over(strstr(text.all, row) + 1, names);
        assert_string_equal(names, functions[i]);
    }
}

/* ---- bars ---- */

static const char *bar(double low, double hits, double high, double scale)
{
    static char text[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text);
    struct histogram_range range = {low, hits, high};

    histogram_bar(&l, &range, scale);
    return text;
}

static void test_bars(void **state)
{
    (void)state;
    assert_string_equal(bar(0, 0, 0, 10), "|");
    assert_string_equal(bar(4.9, 4.9, 4.9, 10), "|");
    assert_string_equal(bar(5, 5, 5, 10), "*|");
    assert_string_equal(bar(14, 24, 36, 10), "*-|--");
    assert_string_equal(bar(30, 40, 50, 10), "***-|-");
    assert_string_equal(bar(300, 400, 500, 100), "***-|-");
}

/* 10, else two digits and noughts; the longest always fits, and never by half the room less. */
static void test_scale(void **state)
{
    (void)state;
    assert_true(histogram_scale(500, 50) == 10);
    assert_true(histogram_scale(501, 50) == 11);
    assert_true(histogram_scale(50000, 50) == 1100 || histogram_scale(50000, 50) == 1000);
    assert_true(histogram_scale(5, 0) == 10);
    for (double longest = 1; longest < 2e19; longest *= 1.37)
        for (unsigned room = 2; room < 250; room += 7) {
            double scale = histogram_scale(longest, room);

            assert_true(longest / scale <= room * (1 + 1e-12));
            assert_true(scale == 10 || longest / scale > room * 0.9);
        }
}

/* The interval of a share, in hits; what was lost goes to the upper end. */
static void test_range(void **state)
{
    struct histogram_rule rule = {{PAIR_STRATUM, 0, NULL, 0}, false, 1000, 0};
    struct tally t = {100, 1000, 40};
    struct confidence i = confidence_of(&rule.estimator, &t, LEVEL_95);
    struct histogram_range r = histogram_range(&rule, 100, 40), lost;

    (void)state;
    assert_true(r.low == i.low * 1000 && r.hits == 100 && r.high == i.high * 1000);
    rule.lost = 30;
    lost = histogram_range(&rule, 100, 40);
    assert_true(lost.low == r.low && lost.hits == 100 && lost.high > r.high + 29);
    rule.lost = 5000; /* more than there can be */
    assert_true(histogram_range(&rule, 100, 40).high <= 1000);
    rule.estimator.reason = "fixed ticks";
    r = histogram_range(&rule, 100, 40);
    assert_true(r.low == 100 && r.high == 100);
    assert_string_equal(histogram_method(&rule), "fixed ticks");
    rule.wald = true;
    assert_true(histogram_range(&rule, 1, 1).low == 0);
}

/* ---- what stands above ---- */

static struct histogram plain(const struct histogram_slot *s, size_t count)
{
    return (struct histogram){
        .task = "AU", .mode = MODE_USER, .samples = 1000, .active = 100, .changes_active = 50,
        .below = 7, .above = 3, .base = 0x401000, .high = 0x402000, .slot = 8,
        .estimator = {PAIR_STRATUM, 0, NULL, 0}, .slots = s, .count = count,
    };
}

static const struct histogram_slot three[] = {
    {0x401000, 60, 30}, {0x401008, 0, 0}, {0x401010, 25, 13}, {0x401018, 5, 3},
};

static void test_sums(void **state)
{
    struct histogram h = plain(three, 4);
    struct histogram_options o = {.min = 10};

    (void)state;
    print(&text, &h, &o);
    assert_non_null(
        strstr(text.all, "Task AU was active in user mode for 100 of 1000 samples (10.0%)."));
    assert_non_null(strstr(text.all, "Hits: 90 here, 7 below, 3 above. Lost: 0.\n"));
    assert_non_null(strstr(text.all, "Not shown: 5 hits in 1 row of fewer than 10.\n"));
    assert_non_null(strstr(text.all, "\n0x401000:   60: "));
    assert_non_null(strstr(text.all, "\n. . .\n0x401010:"));
    assert_null(strstr(text.all, "0x401018:"));
    h.lost = 12;
    h.task = NULL;
    print(&text, &h, &o);
    assert_non_null(strstr(text.all, "Any task was active"));
    assert_non_null(strstr(text.all, "Lost: 12, which may belong anywhere.\n"));
}

static void test_method(void **state)
{
    struct histogram h = plain(three, 4);
    struct histogram_options o = {0};

    (void)state;
    assert_non_null(strstr(print(&text, &h, &o), " % (stratified)."));
    h.estimator.pairing = PAIR_EACH;
    assert_non_null(strstr(print(&text, &h, &o), " % (random)."));
    h.estimator.reason = "fixed ticks";
    assert_non_null(strstr(print(&text, &h, &o), "95 % interval n.a.: fixed ticks."));
    assert_non_null(strstr(text.all, "\n0x401000:   60: ******|\n"));
    o.wald = true;
    assert_non_null(strstr(print(&text, &h, &o), " % (Wald, as in the paper)."));
}

/* Where a maskable tick is blind, and nowhere else. */
static void test_blindness(void **state)
{
    struct histogram h = plain(three, 4);
    struct histogram_options o = {0};

    (void)state;
    for (h.maskable = false;; h.maskable = true) {
        for (unsigned m = 0; m < MODES; m++) {
            h.mode = (enum mode)m;
            print(&text, &h, &o);
            assert_int_equal(strstr(text.all, "interrupts off cannot be seen") != NULL,
                             h.maskable && (m == MODE_KERNEL || m == MODE_INTERRUPT));
        }
        if (h.maskable)
            break;
    }
}

/* ---- the ends of what can be ---- */

static bool no_symbol(void *context, uint64_t from, struct histogram_symbol *to)
{
    (void)context;
    (void)from;
    (void)to;
    return false;
}

/* A symbol of a hundred letters in each 16 bytes, to the last address. */
static bool many_symbols(void *context, uint64_t from, struct histogram_symbol *to)
{
    static char name[101];

    (void)context;
    memset(name, 'x', 100);
    *to = (struct histogram_symbol){name, from & ~15ull, (from & ~15ull) + 16};
    return from < 0xfffffffffffffff0;
}

static void check_widths(const struct histogram *h, const struct histogram_options *from)
{
    for (unsigned columns = HISTOGRAM_NARROW; columns < TEXT_BUF_SIZE; columns++) {
        struct histogram_options o = *from;

        o.columns = columns;
        print(&text, h, &o);
        assert_true(text.widest <= columns);
    }
}

static void test_widths(void **state)
{
    static const struct histogram_slot ends[] = {
        {0xffffffff80100000, 1ull << 63, 1ull << 62}, {0xffffffff80100004, 1, 1},
        {0xfffffffffffffffe, 77, 77},                 {0xffffffffffffffff, 4, 4},
    };
    struct histogram h = plain(ends, 4);
    struct histogram_options o = {0};

    (void)state;
    h.samples = ~0ull;
    h.active = (1ull << 63) + 82;
    h.mode = MODE_KERNEL;
    h.maskable = true;
    h.base = 0xffffffff80100000;
    h.high = ~0ull;
    h.slot = 1;
    for (unsigned way = 0; way < 8; way++) {
        o.octal = way & 1;
        o.wald = way & 2;
        o.symbol = way & 4 ? many_symbols : NULL;
        check_widths(&h, &o);
        assert_non_null(strstr(text.all, "slot size"));
        assert_non_null(strstr(text.all, o.octal ? "1777777777777777777777: "
                                                 : "0xffffffffffffffff: "));
        assert_non_null(strstr(text.all, " 9223372036854775808: *"));
    }
}

/* The whole lower half in 512 slots of 2^38 bytes, each over thousands of functions. */
static void test_wide_slots(void **state)
{
    static const struct histogram_slot wide[] = {
        {0, 40, 20}, {1ull << 38, 30, 15}, {511ull << 38, 20, 10},
    };
    struct histogram h = plain(wide, 3);
    struct histogram_options o = {0};

    (void)state;
    h.base = 0;
    h.high = 1ull << 47;
    h.slot = 1ull << 38;
    print(&text, &h, &o);
    assert_non_null(strstr(text.all, "slot size 0x4000000000\n"));
    assert_non_null(strstr(text.all, "0x000000000000:   40: "));
    assert_non_null(strstr(text.all, "\n0x004000000000:   30: "));
    assert_non_null(strstr(text.all, ". . .\n0x7fc000000000:   20: "));
    assert_string_not_equal(text.all + text.length - 6, ". . .\n");
}

static void test_names(void **state)
{
    struct histogram h = plain(three, 4);
    struct histogram_options o = {.symbol = no_symbol};

    (void)state;
    print(&text, &h, &o);
    assert_non_null(strstr(text.all, "====\nno symbol\n0x401000:"));
    assert_null(strstr(text.all, ". . ."));
    h.slot = 256; /* over 16 functions */
    o.symbol = many_symbols;
    print(&text, &h, &o);
    assert_non_null(strstr(text.all, "0x401000-xxx"));
    assert_non_null(strstr(text.all, "and 8 more\n"));
}

static void test_empty(void **state)
{
    struct histogram h = plain(NULL, 0);
    struct histogram_options o = {0};

    (void)state;
    h.samples = h.active = h.below = h.above = 0;
    print(&text, &h, &o);
    assert_non_null(strstr(text.all, "for 0 of 0 samples (0.0%)."));
    assert_non_null(strstr(text.all, "\n. . .\n"));
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure4), cmocka_unit_test(test_figure5),
        cmocka_unit_test(test_headings), cmocka_unit_test(test_bars),
        cmocka_unit_test(test_scale), cmocka_unit_test(test_range),
        cmocka_unit_test(test_sums), cmocka_unit_test(test_method),
        cmocka_unit_test(test_blindness), cmocka_unit_test(test_widths),
        cmocka_unit_test(test_wide_slots), cmocka_unit_test(test_names),
        cmocka_unit_test(test_empty),
    };

    writing = argc > 1 && !strcmp(argv[1], "--write");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
