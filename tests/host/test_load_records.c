/* SPDX-License-Identifier: MIT */
/*
 * The records of the load meters (the rules of probe/stream/wire.h): what is right is kept and notes nothing, what
 * contradicts itself or the record before is noted, alone, and dropped.  And what a reader of tables of processes
 * remembers (probe/stats/process_collection.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/monitor_print.h"
#include "probe/stats/process_collection.h"
#include "tests/host/dumped.h"

#define EPOCH 1
#define WORDS "rate=120 seed=7 monitor=system,idletask,perfcall,proctable output=frames"

/* The first record of each kind is right; the second one is what a case makes of it. */
static struct wire_idletask counts;
static struct wire_idletask_row count;
static struct wire_perfcall perf;
static struct wire_proctable table;
static struct wire_proctable_row process;

static void put(void)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_IDLETASK, &counts);
    wire_row(&w, WIRE_IDLETASK, &count);
    dump_end_frame(&d, &w);
    dump_head(&d, WIRE_PERFCALL, &perf);
    wire_begin(&w, WIRE_PROCTABLE, &table);
    wire_row(&w, WIRE_PROCTABLE, &process);
    dump_end_frame(&d, &w);
}

static void decode_with(void (*by)(void))
{
    d.length = 0;
    d.sequence = 0;
    counts = (struct wire_idletask){EPOCH, 1};
    count = (struct wire_idletask_row){9, 100, 100, 1000, 450, 2000, 2000};
    perf = (struct wire_perfcall){EPOCH, 1, 100, 1000, 900, 300, 500, 100};
    table = (struct wire_proctable){EPOCH, 1, 1000, 50, 1};
    process = (struct wire_proctable_row){2, 100, 20, 10, wire_zigzag(-1), 1, 1};
    dump_hello(&d, EPOCH, WORDS);
    dump_snapshot(&d, EPOCH, 1, true, 1);
    put();
    counts.serial = perf.serial = table.serial = 2;
    count.end = perf.end = table.time = 2000;
    perf.time = 1900;
    perf.idle = 1300;
    by();
    put();
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
}

static void right(void) { }
static void count_task(void) { count.task = 0; }
static void count_ends(void) { count.end = 99; }
static void count_alone(void) { count.calibrated = 0; }
static void count_took(void) { count.took = 0; }
static void count_back(void) { count.count = 449; }
static void count_other(void) { count.calibrated = 2001; }
static void counts_serial(void) { counts.serial = 0; }
static void counts_again(void) { counts.serial = 1; }
static void perf_serial(void) { perf.serial = 0; }
static void perf_sum(void) { perf.interrupt = 101; }
static void perf_idle(void) { perf.idle = 1901; }
static void perf_time(void) { perf.time = 1901; }
static void perf_back(void) { perf.busy = 499, perf.interrupt = 101; }
static void table_serial(void) { table.serial = 0; }
static void table_back(void) { table.passes = 49; }
static void process_number(void) { process.task = 0; }
static void process_priority(void) { process.priority = wire_zigzag(2); }
static void process_state(void) { process.state = 3; }
static void process_flags(void) { process.flags = 2; }
static void process_passes(void) { process.system = 31; }
static void process_many(void) { table.tasks = 0; }

static const struct {
    void (*make)(void);
    enum violation rule;
} wrong[] = {
    {count_task, VIOLATION_VALUE}, {count_ends, VIOLATION_VALUE}, {count_alone, VIOLATION_VALUE},
    {count_took, VIOLATION_VALUE},
    {count_back, VIOLATION_BACKWARD}, {count_other, VIOLATION_BACKWARD}, {counts_serial, VIOLATION_VALUE},
    {counts_again, VIOLATION_BACKWARD}, {perf_serial, VIOLATION_VALUE},
    {perf_sum, VIOLATION_VALUE}, {perf_idle, VIOLATION_VALUE},
    {perf_time, VIOLATION_VALUE},
    {perf_back, VIOLATION_BACKWARD}, {table_serial, VIOLATION_VALUE}, {table_back, VIOLATION_BACKWARD},
    {process_number, VIOLATION_VALUE}, {process_priority, VIOLATION_VALUE}, {process_state, VIOLATION_VALUE},
    {process_flags, VIOLATION_VALUE}, {process_passes, VIOLATION_VALUE}, {process_many, VIOLATION_VALUE},
};

static const struct violations *noted(void)
{
    return got.model.epoch[0]->violations;
}

static uint64_t all_noted(void)
{
    uint64_t all = 0;

    for (unsigned i = 0; noted() && i < VIOLATIONS; i++)
        all += noted()->of[i].count;
    return all;
}

static void what_is_right_is_kept(void **state)
{
    const struct wire_perfcall *last;
    const struct epoch *e;

    (void)state;
    decode_with(right);
    e = got.model.epoch[0];
    assert_int_equal(all_noted(), 0);
    assert_int_equal(epoch_kept(e, WIRE_IDLETASK)->row.count, 2);
    assert_int_equal(record_last_rows(epoch_kept(e, WIRE_IDLETASK)), 1);
    assert_int_equal(epoch_kept(e, WIRE_PERFCALL)->head.count, 1);
    last = record_last(epoch_kept(e, WIRE_PERFCALL));
    assert_int_equal(last->time, 1900);
    assert_int_equal(epoch_kept(e, WIRE_PROCTABLE)->head.count, 2);
    assert_int_equal(epoch_kept(e, WIRE_PROCTABLE)->row.count, 2);
}

static void what_is_wrong_is_noted_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        decode_with(wrong[i].make);
        if (all_noted() != 1 || noted()->of[wrong[i].rule].count != 1)
            fail_msg("case %zu: %d violations", i, (int)all_noted());
        end(NULL);
    }
}

/* No image has more tasks, and a report shows each. */
static void no_more_tasks_than_any_image_has(void **state)
{
    const struct wire_idletask head = {EPOCH, 1};
    struct wire_idletask_row row = {.id = 100, .begin = 100, .end = 1000, .calibrated = 1, .took = 1};
    struct wire_writer w;

    (void)state;
    d.length = 0;
    d.sequence = 0;
    dump_hello(&d, EPOCH, WORDS);
    dump_snapshot(&d, EPOCH, 1, true, 1);
    wire_begin(&w, WIRE_IDLETASK, &head);
    for (row.task = 1; row.task <= RECORD_ROWS + 1; row.task++)
        if (!wire_row(&w, WIRE_IDLETASK, &row)) {
            dump_end_frame(&d, &w);
            wire_begin(&w, WIRE_IDLETASK, &head);
            wire_row(&w, WIRE_IDLETASK, &row);
        }
    dump_end_frame(&d, &w);
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    assert_int_equal(epoch_kept(got.model.epoch[0], WIRE_IDLETASK)->row.count, RECORD_ROWS);
    assert_true(all_noted() == 1 && noted()->of[VIOLATION_VALUE].count == 1);
}

/* ---- the collection ---- */

static struct process_collection collection;
static char printed[1024];

static void read_table(const struct process_entry *entry, unsigned entries)
{
    process_collection_begin(&collection);
    for (unsigned i = 0; i < entries; i++)
        assert_true(process_collection_add(&collection, &entry[i]));
    process_collection_end(&collection);
}

static const struct process *found(uint64_t task)
{
    for (uint32_t i = 0; i < collection.count; i++)
        if (collection.process[i].entry.task == task)
            return &collection.process[i];
    return NULL;
}

static void differences_and_marks(void **state)
{
    const struct process_entry first[] = {{.task = 1, .system = 50}, {.task = 2, .user = 30, .system = 10},
                                          {.task = 3, .user = 5}};
    const struct process_entry second[] = {{.task = 1, .system = 60}, {.task = 2, .user = 40, .system = 10},
                                           {.task = 4, .user = 10, .system = 20, .flags = PROCESS_OWNS_SYSTEM}};

    (void)state;
    memset(&collection, 0, sizeof collection);
    read_table(first, 3);
    assert_int_equal(collection.total, 95);
    assert_false(found(2)->fresh || found(2)->gone);
    read_table(second, 3);
    assert_int_equal(collection.total, 10 + 10 + 30); /* without what 3 used until it ended */
    assert_int_equal(process_collection_busy(&collection), 40);
    assert_int_equal(found(2)->user, 10);
    assert_true(found(4)->fresh && found(3)->gone);
    assert_int_equal(process_own(found(4)), 30); /* its system time is its own */
    assert_int_equal(collection.process[0].entry.task, 4);
    assert_int_equal(collection.process[3].entry.task, 3);
    read_table(second, 3);
    assert_null(found(3)); /* told once */
    assert_int_equal(collection.total, 0);
}

static void put_line(void *unused, const char *text)
{
    (void)unused;
    strcat(strcat(printed, text), "\n");
}

/* As the image and the host print it. */
static void columns_never_touch(void **state)
{
    const struct process_entry entry[] = {
        {.task = 1, .user = 9999999999, .system = 2, .name = "IDLE"},
        {.task = 12345678, .system = UINT64_MAX, .priority = 1, .state = PROCESS_RUNNING, .name = "FOURTEEN-LONG"},
    };

    (void)state;
    memset(&collection, 0, sizeof collection);
    read_table(entry, 2);
    process_collection_print(&collection, put_line);
    assert_string_equal(printed,
        "    Number Name            Priority  State          User               System  Usage%\n"
        "         1 IDLE            regular   ready    9999999999                    2  100.00\n"
        "  12345678 FOURTEEN-LONG   critical  runs              0 18446744073709551615    0.00\n");
}

static void no_more_than_there_is_room(void **state)
{
    (void)state;
    memset(&collection, 0, sizeof collection);
    process_collection_begin(&collection);
    for (uint64_t i = 1; i <= PROCESSES_MAX; i++)
        assert_true(process_collection_add(&collection, &(struct process_entry){.task = i}));
    assert_false(process_collection_add(&collection, &(struct process_entry){.task = PROCESSES_MAX + 1}));
    process_collection_end(&collection);
}

static void loads(void **state)
{
    (void)state;
    assert_true(idle_task_busy(&(struct wire_idletask_row){.end = 1000, .count = 250, .calibrated = 2000,
                                                           .took = 2000}) == 75.0);
    assert_true(idle_task_busy(&(struct wire_idletask_row){.end = 0}) == 0.0);
    assert_true(load_percent(1, 8) == 12.5);
    assert_true(load_percent(0, 0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_right_is_kept, end), cmocka_unit_test(what_is_wrong_is_noted_alone),
        cmocka_unit_test_teardown(no_more_tasks_than_any_image_has, end), cmocka_unit_test(differences_and_marks),
        cmocka_unit_test(columns_never_touch),
        cmocka_unit_test(no_more_than_there_is_room), cmocka_unit_test(loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
