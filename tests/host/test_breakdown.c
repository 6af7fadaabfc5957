/* SPDX-License-Identifier: MIT */
/*
 * Profiles by function, line and instruction, over programs that the assembler
 * and the compiler make here.
 */
#include <inttypes.h>

#include "tests/host/listen.h"
#include "tests/host/shell.h"
#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/line_table.h"

static const char program[] =
    "    .file 1 \"program.c\"\n"
    "    .globl _start, work\n"
    "    .type _start, @function\n"
    "_start: .loc 1 3\n"
    "    call work\n"
    "    .loc 1 4\n"
    "    jmp _start\n"
    "    .size _start, . - _start\n"
    "    .balign 32\n"
    "    .type work, @function\n"
    "work: .loc 1 10\n"
    "    mov $1000, %ecx\n"
    "1:  .loc 1 11\n"
    "    dec %ecx\n"
    "    jnz 1b\n"
    "    ret\n"
    "    .size work, . - work\n"
    "    .balign 32\n"
    "    .type twin, @function\n"
    "twin: .loc 1 20\n"
    "    ret\n"
    "    .size twin, . - twin\n"
    "    .balign 32\n"
    "    .section .note.GNU-stack, \"\", @progbits\n";

static const char second[] =
    "    .type twin, @function\n"
    "twin: ret\n"
    "    nop\n"
    "    .size twin, . - twin\n"
    "    .section .note.GNU-stack, \"\", @progbits\n";

static struct symbols symbols;
static struct disassembly code;
static struct code_files files;

static int begin(void **state)
{
    if (shell_begin(state))
        return -1;
    shell_write("program.s", program);
    shell_write("second.s", second);
    shell("gcc -g -ffile-prefix-map=$PWD=. -nostdlib -static -no-pie -Wl,-Ttext=0x401000"
          " program.s second.s -o program.elf");
    if (!symbols_open(&symbols, shell_path("program.elf")))
        return -1;
    files.program = (struct code_file){&symbols, line_table_open(&symbols), &code};
    return disassembly_open(&code, &symbols) ? 0 : -1;
}

static int end(void **state)
{
    line_table_close(files.program.lines);
    disassembly_close(&code);
    symbols_close(&symbols);
    free(said);
    return shell_end(state);
}

#define ATOMS 9

/* By addresses of the listing above: twin is at 0x401040 and 0x401060. */
static struct profile_atom atom[ATOMS] = {
    {0x401000, 0x401001, 1, 1, 0, 0},   {0x401005, 0x401006, 2, 2, 0, 0},   {0x401025, 0x401026, 30, 9, 0, 0},
    {0x401027, 0x401028, 20, 8, 0, 0},  {0x401040, 0x401041, 5, 5, 0, 0},   {0x401060, 0x401061, 6, 6, 0, 0},
    {0x501010, 0x501011, 3, 3, 0, 0},   {0x501f20, 0x501f21, 4, 4, 0, 0},
    {0xffffffff80100000, 0xffffffff80100001, 7, 7, 0, 0},
};

static struct profile profile(void)
{
    return (struct profile){.samples = 1000, .atoms = ATOMS, .atom = atom};
}

static const struct breakdown_row *row_of(const struct breakdown *b, const char *name)
{
    for (size_t r = 0; r < b->rows; r++)
        if (!strcmp(b->row[r].name, name))
            return &b->row[r];
    for (size_t r = 0; r < b->rows; r++)
        print_error("  there is '%s'\n", b->row[r].name);
    fail_msg("there is no row '%s'", name);
    return NULL;
}

static void check_row(const struct breakdown *b, const char *name, uint64_t hits, bool known,
                      uint64_t start, uint64_t end)
{
    const struct breakdown_row *row = row_of(b, name);

    assert_int_equal(row->tally.hits, hits);
    assert_int_equal(row->tally.samples, 1000);
    assert_int_equal(row->known, known);
    assert_int_equal(row->start, start);
    assert_int_equal(row->end, end);
}

static void check_groups(const struct breakdown *b, const struct profile *p)
{
    uint64_t sum = 0;

    for (size_t r = 0; r < b->rows; r++)
        sum += b->row[r].tally.hits;
    for (size_t i = 0; i < p->atoms; i++) {
        assert_true(b->group[i] >= 0 && (size_t)b->group[i] < b->rows);
        sum -= p->atom[i].hits;
    }
    assert_int_equal(sum, 0);
}

static void check_order(const struct breakdown *b)
{
    for (size_t r = 1; r < b->rows; r++)
        assert_true(b->row[r].tally.hits <= b->row[r - 1].tally.hits);
}

static void test_functions(void **state)
{
    struct profile p = profile();
    struct breakdown b;

    (void)state;
    assert_true(breakdown_make(&b, &p, &files, BREAKDOWN_FUNCTION));
    assert_int_equal(b.rows, 5);
    check_row(&b, "work", 50, true, 0x401020, 0x40102a);
    check_row(&b, "_start", 3, true, 0x401000, 0x401007);
    check_row(&b, "twin", 11, true, 0x401040, 0x401062); /* both */
    check_row(&b, "0x501000 (no symbol)", 7, false, 0x501000, 0x502000);
    check_row(&b, "0xffffffff80100000 (no symbol)", 7, false, 0xffffffff80100000,
              0xffffffff80101000);
    assert_string_equal(row_of(&b, "work")->symbol->name, "work");
    check_groups(&b, &p);
    check_order(&b);
    breakdown_free(&b);
}

static void test_lines(void **state)
{
    struct profile p = profile();
    struct breakdown b;

    (void)state;
    assert_true(breakdown_make(&b, &p, &files, BREAKDOWN_LINE));
    check_row(&b, "program.c:11", 50, true, 0x401025, 0x401028);
    check_row(&b, "program.c:3", 1, true, 0x401000, 0x401001);
    check_row(&b, "program.c:4", 2, true, 0x401005, 0x401006);
    check_row(&b, "0x501000 (no symbol)", 7, false, 0x501000, 0x502000);
    check_groups(&b, &p);
    check_order(&b);
    breakdown_free(&b);
}

static void test_instructions(void **state)
{
    struct profile p = profile();
    struct breakdown b;

    (void)state;
    assert_true(breakdown_make(&b, &p, &files, BREAKDOWN_INSTRUCTION));
    assert_int_equal(b.rows, ATOMS);
    check_row(&b, "work+0x5", 30, true, 0x401025, 0x401027);
    assert_string_equal(row_of(&b, "work+0x5")->text, "dec ecx");
    assert_string_equal(row_of(&b, "work+0x7")->text, "jne 0x401025");
    check_row(&b, "0x501010 (no symbol)", 3, false, 0x501010, 0x501011);
    assert_null(row_of(&b, "0x501010 (no symbol)")->text);
    for (size_t r = 1; r < b.rows; r++)
        assert_true(b.row[r].start > b.row[r - 1].start);
    check_groups(&b, &p);
    breakdown_free(&b);
}

/* Without any file all rows are addresses. */
static void test_no_files(void **state)
{
    struct profile p = profile();
    struct code_files none = {0};
    struct breakdown b;

    (void)state;
    for (int by = BREAKDOWN_FUNCTION; by <= BREAKDOWN_INSTRUCTION; by++) {
        assert_true(breakdown_make(&b, &p, &none, (enum breakdown_by)by));
        assert_int_equal(b.rows, by == BREAKDOWN_INSTRUCTION ? ATOMS : 3);
        for (size_t r = 0; r < b.rows; r++)
            assert_false(b.row[r].known);
        check_groups(&b, &p);
        breakdown_free(&b);
    }
}

static void test_nothing(void **state)
{
    struct profile p = {.samples = 1000};
    struct breakdown b;

    (void)state;
    assert_true(breakdown_make(&b, &p, &files, BREAKDOWN_FUNCTION));
    assert_int_equal(b.rows, 0);
    breakdown_free(&b);
}

/* Task 1 runs the program, task 2 one that no file names. */
static void choose(void *chooser, uint32_t task)
{
    struct code_files *f = chooser;
    const struct code_file none = {0};

    f->task = task;
    f->program = task == 1 ? files.program : none;
    strcpy(f->name, task == 1 ? "ONE" : task == 2 ? "TWO" : "MASKED");
}

/* Late ticks find code of any task: each address is named by the program of its own, with the task before it. */
static void test_several_tasks(void **state)
{
    struct profile_atom late[] = {
        {0x401025, 0x401026, 30, 9, 0, 1}, {0x401025, 0x401026, 20, 8, 0, 2}, {0x401027, 0x401028, 5, 5, 0, 1},
        {0xffffffff80100000, 0xffffffff80100001, 7, 7, 0, ROW_ANY},
    };
    const struct profile p = {.samples = 1000, .atoms = 4, .atom = late, .several = true};
    struct code_files of = {.task = ROW_MASKED, .choose = choose, .chooser = &of};
    struct breakdown b;

    (void)state;
    assert_true(breakdown_make(&b, &p, &of, BREAKDOWN_FUNCTION));
    assert_int_equal(b.rows, 3);
    check_row(&b, "ONE: work", 35, true, 0x401020, 0x40102a);
    check_row(&b, "TWO: 0x401000 (no symbol)", 20, false, 0x401000, 0x402000);
    check_row(&b, "0xffffffff80100000 (no symbol)", 7, false, 0xffffffff80100000, 0xffffffff80101000);
    assert_string_equal(row_of(&b, "ONE: work")->task, "ONE");
    check_groups(&b, &p);
    check_order(&b);
    assert_int_equal(of.task, ROW_MASKED);
    breakdown_free(&b);
    assert_true(breakdown_make(&b, &p, &of, BREAKDOWN_INSTRUCTION));
    assert_int_equal(b.rows, 4);
    check_row(&b, "ONE: work+0x5", 30, true, 0x401025, 0x401027);
    check_row(&b, "TWO: 0x401025 (no symbol)", 20, false, 0x401025, 0x401026);
    check_groups(&b, &p);
    breakdown_free(&b);
}

/* A slot over several functions is told as what it is. */
static void test_slots(void **state)
{
    struct profile_atom slots[] = {
        {0x401000, 0x401040, 9, 4, 0, 0}, {0x401020, 0x401028, 8, 4, 0, 0}, {0x401030, 0x401038, 7, 4, 0, 0},
        {0x401000, 0x401080, 6, 4, 0, 0},
    };
    struct profile p = {.samples = 1000, .atoms = 4, .atom = slots, .slot = 8};
    struct breakdown b;
    FILE *before;

    (void)state;
    assert_true(breakdown_make(&b, &p, &files, BREAKDOWN_FUNCTION));
    assert_int_equal(row_of(&b, "_start or work")->tally.hits, 9);
    assert_null(row_of(&b, "_start or work")->symbol);
    assert_int_equal(row_of(&b, "work")->tally.hits, 8);
    assert_int_equal(row_of(&b, "0x401000 (no symbol)")->tally.hits, 7);
    assert_int_equal(row_of(&b, "_start or work or twin or 1 more")->tally.hits, 6);
    check_groups(&b, &p);
    breakdown_free(&b);
    before = listen();
    assert_false(breakdown_make(&b, &p, &files, BREAKDOWN_LINE));
    assert_false(breakdown_make(&b, &p, &files, BREAKDOWN_INSTRUCTION));
    listen_no_more(before);
    assert_non_null(strstr(said, "instructions can be separated by raw samples"));
}

/* A function that was compiled into another is told apart from it. */
static void test_inlined(void **state)
{
    static const char c[] =
        "static inline __attribute__((always_inline)) void burn(volatile int *p)\n"
        "{ for (int i = 0; i < 99; i++) *p += i; }\n"
        "volatile int x;\n"
        "void _start(void) { x = 1; burn(&x); x = 2; }\n";
    struct symbols s;
    struct code_files here = {0};
    struct profile p = {.samples = 1000};
    struct breakdown b;

    (void)state;
    shell_write("inline.c", c);
    shell("gcc -g -O2 -nostdlib -static -no-pie -Wl,-Ttext=0x401000 inline.c -o inline.elf");
    assert_true(symbols_open(&s, shell_path("inline.elf")));
    here.program = (struct code_file){&s, line_table_open(&s), NULL};
    p.atoms = s.symbol[0].end - s.symbol[0].start;
    p.atom = calloc(p.atoms, sizeof(*p.atom));
    for (size_t i = 0; i < p.atoms; i++)
        p.atom[i] = (struct profile_atom){s.symbol[0].start + i, s.symbol[0].start + i + 1, 1, 1, 0, 0};
    assert_true(breakdown_make(&b, &p, &here, BREAKDOWN_FUNCTION));
    assert_int_equal(b.rows, 2);
    assert_true(row_of(&b, "burn (in _start)")->tally.hits > 4);
    assert_true(row_of(&b, "_start")->tally.hits > 4);
    assert_ptr_equal(row_of(&b, "burn (in _start)")->symbol, &s.symbol[0]);
    check_groups(&b, &p);
    breakdown_free(&b);
    free(p.atom);
    line_table_close(here.program.lines);
    symbols_close(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_several_tasks), cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_slots),
        cmocka_unit_test(test_inlined),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
