/* SPDX-License-Identifier: MIT */
/*
 * The file perf.data (Linux, tools/perf/Documentation/perf.data-file-format.txt, linux/perf_event.h): a sample of
 * the event cpu-clock for each sample.  A task is a process that has its program and the image mapped as they were
 * loaded, so that perf takes names, lines and code from the files; a row as MASKED is a thread of the task whose code
 * ran.  All of it is user code to perf, which would look up kernel addresses in the kernel of its own machine.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/export/export.h"

#define HEAD_BYTES      104u
#define ATTRIBUTE_BYTES 64u /* of its first version */
#define SECTION_BYTES   16u
#define SAMPLE_BYTES    48u
#define RECORD_HEAD     8u
#define ALIGNED         8u
#define FEATURES        4u  /* words, of which none is set */

enum record_type { RECORD_MMAP = 1, RECORD_COMM = 3, RECORD_SAMPLE = 9, RECORD_LOST_SAMPLES = 13 };
enum record_misc { MISC_NONE = 0, MISC_USER = 2 };
enum sample_part { PART_IP = 1 << 0, PART_TID = 1 << 1, PART_TIME = 1 << 2, PART_CPU = 1 << 7, PART_PERIOD = 1 << 8 };

enum attribute_flag { NO_KERNEL = 1 << 5, NO_HYPERVISOR = 1 << 6, WITH_MAPS = 1 << 8, WITH_NAMES = 1 << 9,
                      NO_GUEST = 1 << 20 };

#define SOFTWARE_EVENT 1u
#define CPU_CLOCK      0u
#define NOT_KNOWN      UINT64_MAX

struct perf_thread {
    uint32_t task, code; /* row ids */
    bool known;
};

struct perf_data {
    const struct export_run *run;
    FILE *out;
    struct perf_thread *thread; /* number 1 is the first: to perf number 0 is idle */
    size_t threads;
    struct index thread_of;
    uint64_t period;
};

/* The number of a thread: of a task itself where the code is its own. */
static uint32_t thread_of(struct perf_data *p, uint32_t task, uint32_t code, bool known)
{
    const uint64_t key = known ? (uint64_t)task << 32 | code : NOT_KNOWN;
    const struct perf_thread fresh = {task, code, known},
                             *const found = INDEX_ROW(&p->thread_of, key, p->thread, p->threads, &fresh);

    return (uint32_t)(found - p->thread) + 1;
}

static uint32_t process_of(struct perf_data *p, const struct perf_thread *t)
{
    return thread_of(p, t->code, t->code, t->known);
}

static void find_threads(struct perf_data *p)
{
    const struct stacks *s = &p->run->stacks;

    thread_of(p, 0, 0, false);
    for (size_t i = 0; i < s->count; i++) {
        const struct sample_where *const at = &s->stack[i].at;

        thread_of(p, at->code, at->code, at->known);
        thread_of(p, at->task, at->code, at->known);
    }
}

/* ---- records before the samples ---- */

static void put_record(FILE *out, enum record_type type, enum record_misc misc, size_t bytes)
{
    export_number(out, type, 4);
    export_number(out, misc, 2);
    export_number(out, RECORD_HEAD + bytes, 2);
}

static size_t text_bytes(const char *text)
{
    return (strlen(text) + ALIGNED) / ALIGNED * ALIGNED;
}

static void put_text(FILE *out, const char *text)
{
    fputs(text, out);
    export_number(out, 0, (unsigned)(text_bytes(text) - strlen(text)));
}

static void put_thread(struct perf_data *p, FILE *out, size_t i)
{
    const struct perf_thread t = p->thread[i];
    char name[NAME_SIZE] = "[not known]";

    if (t.known)
        epoch_name_of(p->run->epoch, t.task, name);
    put_record(out, RECORD_COMM, MISC_NONE, 8 + text_bytes(name));
    export_number(out, process_of(p, &t), 4);
    export_number(out, i + 1, 4);
    put_text(out, name);
}

static void put_map(struct perf_data *p, FILE *out, const struct stack_code *code)
{
    const uint32_t process = thread_of(p, code->task, code->task, true);
    const char *const path = p->run->stacks.paths.text[code->path];

    put_record(out, RECORD_MMAP, MISC_USER, 8 + 24 + text_bytes(path));
    export_number(out, process, 4);
    export_number(out, process, 4);
    export_number(out, code->start, 8);
    export_number(out, code->length, 8);
    export_number(out, code->offset, 8);
    put_text(out, path);
}

/* Names of threads, files that are mapped, and how many samples did not arrive. */
static void put_records(struct perf_data *p, FILE *out)
{
    const struct stacks *s = &p->run->stacks;

    for (size_t i = 0; i < p->threads; i++)
        put_thread(p, out, i);
    for (size_t i = 0; i < s->codes; i++)
        put_map(p, out, &s->code[i]);
    if (!s->missing)
        return;
    put_record(out, RECORD_LOST_SAMPLES, MISC_NONE, 8);
    export_number(out, s->missing, 8);
}

/* ---- the file ---- */

static void put_section(FILE *out, uint64_t offset, uint64_t bytes)
{
    export_number(out, offset, 8);
    export_number(out, bytes, 8);
}

static void put_head(const struct perf_data *p, uint64_t data)
{
    const uint64_t attribute = ATTRIBUTE_BYTES + SECTION_BYTES, begin = HEAD_BYTES + attribute;
    FILE *const out = p->out;

    fputs("PERFILE2", out);
    export_number(out, HEAD_BYTES, 8);
    export_number(out, attribute, 8);
    put_section(out, HEAD_BYTES, attribute);
    put_section(out, begin, data);
    put_section(out, 0, 0); /* types of events */
    for (unsigned i = 0; i < FEATURES; i++)
        export_number(out, 0, 8);
    export_number(out, SOFTWARE_EVENT, 4);
    export_number(out, ATTRIBUTE_BYTES, 4);
    export_number(out, CPU_CLOCK, 8);
    export_number(out, p->period, 8);
    export_number(out, PART_IP | PART_TID | PART_TIME | PART_CPU | PART_PERIOD, 8);
    export_number(out, 0, 8); /* how to read it */
    export_number(out, NO_KERNEL | NO_HYPERVISOR | NO_GUEST | WITH_MAPS | WITH_NAMES, 8);
    export_number(out, 0, 8); /* when to wake up; no breakpoint */
    export_number(out, 0, 8);
    put_section(out, begin, 0); /* ids of the event: none */
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct perf_data *p = context;
    const struct stack *of = stacks_find(&p->run->stacks, sample);
    const struct sample_where at = of ? of->at : (struct sample_where){0};
    const struct perf_thread thread = {at.task, at.code, at.known};
    FILE *const out = p->out;

    put_record(out, RECORD_SAMPLE, MISC_USER, SAMPLE_BYTES - RECORD_HEAD);
    export_number(out, at.pc, 8);
    export_number(out, process_of(p, &thread), 4);
    export_number(out, thread_of(p, at.task, at.code, at.known), 4);
    export_number(out, export_sample_ns(p->run, sample), 8);
    export_number(out, 0, 8); /* processor */
    export_number(out, p->period, 8);
}

bool export_perf_data(const struct export_run *run, FILE *out)
{
    struct perf_data p = {.run = run, .out = out, .period = export_period(run)};
    char *records = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&records, &bytes);
    bool read;

    if (!to)
        out_of_memory();
    find_threads(&p);
    put_records(&p, to);
    if (fclose(to))
        out_of_memory();
    put_head(&p, bytes + SAMPLE_BYTES * (run->stacks.samples - run->stacks.missing));
    fwrite(records, 1, bytes, out);
    read = epoch_pass_run(run->pass, &(struct epoch_sink){.context = &p, .on_sample = put_sample});
    free(records);
    free(p.thread);
    index_free(&p.thread_of);
    return read && !ferror(out);
}
