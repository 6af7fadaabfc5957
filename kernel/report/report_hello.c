/* SPDX-License-Identifier: MIT */
/* The frames HELLO and PROGRAMS: who sends, and which programs the tasks run. */
#include "drivers/io.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/mm/elf_loader.h"
#include "kernel/mm/module_files.h"
#include "kernel/mm/programs.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/coding/loaded_hash.h"
#include "probe/stats/hello.h"
#include "probe/text/text_buf.h"

static char words[CONFIG_LINE];    /* task PROBE */

extern const uint8_t build_id[]; /* linker.ld: the note that ld made */

#define NOTE_HEAD 16 /* bytes of an ELF note before the hash: sizes, type, "GNU\0" */
#define HEX_ID    (2 * ELF_BUILD_ID)

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, string_length(t) };
}

static struct wire_text hexadecimal(char hex[HEX_ID], const uint8_t id[ELF_BUILD_ID])
{
    for (unsigned i = 0; i < ELF_BUILD_ID; i++) {
        hex[2 * i] = "0123456789abcdef"[id[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
    }
    return (struct wire_text){ hex, HEX_ID };
}

static bool is_run(uint32_t number)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].program == number)
            return true;
    return false;
}

/* `hash`: of what it loads, where it has no build id. */
static void put_program(uint32_t number, const char *name, const void *bytes, uint64_t size, uint64_t hash)
{
    struct wire_programs_row row = { .number = number, .name = text(name) };
    uint8_t id[ELF_BUILD_ID];
    char hex[HEX_ID];

    if (!is_run(number))
        return;
    row.build = elf_build_id(bytes, size, id)
                    ? hexadecimal(hex, id) : text(format_base(hex, LOADED_HASH_PREFIX, hash, 4, LOADED_HASH_DIGITS));
    frame_tx_row(&row);
}

/* The programs that tasks run, of the image and of files.  */
static void put_programs(uint64_t epoch)
{
    const struct module_file *f;
    const struct program *p;

    frame_tx_begin(WIRE_PROGRAMS, &(struct wire_programs){ .epoch = epoch });
    for (uint32_t i = 0; (p = program_at(i)) != 0; i++)
        put_program(i + 1, p->name, p->begin, (uint64_t)(p->end - p->begin), 0);
    for (uint32_t i = 0; (f = module_file_at(i)) != 0; i++)
        put_program(programs_carried() + i + 1, f->name, f->bytes, f->size, f->hash);
    frame_tx_end();
}

/* The words that are not the standard, and that of the policy, which a host wants to be told. */
static void print_changed(const struct config *c)
{
    static struct config standard;
    enum config_key keys[CONFIG_KEYS + 1];
    unsigned count = 0;

    config_default(&standard);
    for (enum config_key key = 0; key < CONFIG_KEYS; key++)
        if (key == CONFIG_INTERVAL || !config_same(c, &standard, key))
            keys[count++] = key;
    keys[count] = CONFIG_KEYS;
    config_print_some(c, keys, words);
}

static void put_hello(const struct sampler *sampler, void (*print)(const struct config *c))
{
    const struct tick_facts *f = &tick_facts;
    const struct calibration *c = &f->calibration;
    struct wire_hello hello = hello_of(sampler->probe, sampler->epoch, sampler->seed);
    char build[HEX_ID];

    print(sampler->config);
    hello.build = hexadecimal(build, build_id + NOTE_HEAD);
    hello.words = text(words);
    hello.clock_hz = c->rate.clock_hz;
    hello.clock_notes = (cpu.steady_tsc ? 0 : 1) | (c->tsc_stops ? 2 : 0);
    hello.source_hz = sampler->facts->hz_milli;
    hello.source_clock = sampler->facts->clock_65536;
    hello.minimum = sampler->cost->minimum;
    hello.handler = sampler->cost->handler;
    hello.lead = sampler->probe->relative ? sampler->cost->lead : 0;
    hello.entry = c->empty_interrupt;
    hello.stub = c->entry_cost;
    hello.now = rdtsc() - run_state->start;
    hello.source = text(f->ticks ? sampler->source->name : "none");
    hello.door = text(run_state->boot->door);
    hello.machine = text(cpu.brand);
    hello.line = text(stream_uart_name());
    hello.stamp = report_sample_time_unit();
    hello.thin = monitors_thin();
    hello.clock_period = timer_period();
    hello.port_read = f->access.port_read;
    hello.port_write = f->access.port_write;
    hello.lapic_access = f->access.lapic;
    if (f->ticks) {
        hello.tick = sampler->cost->tick;
        hello.tick_share = sampler->cost->share;
    }
    hello.clock_origin = timer_origin() != 0 ? timer_origin() - run_state->start : 0;
    frame_tx_send_head(WIRE_HELLO, &hello);
}

static void print_all(const struct config *c)
{
    config_print(c, words);
}

void report_hello(void)
{
    for (unsigned i = 0; i < samplers(); i++) {
        const struct sampler sampler = sampler_at(i);

        put_hello(&sampler, print_all);
    }
}

void report_hello_short(void)
{
    const struct sampler sampler = sampler_at(0);

    put_hello(&sampler, print_changed);
}

void report_programs(void)
{
    for (unsigned i = 0; i < samplers(); i++)
        put_programs(sampler_at(i).epoch);
}
