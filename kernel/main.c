/* SPDX-License-Identifier: MIT */
/*
 * From the door to the first task: take over, read the words, find the line,
 * measure the machine, make the tasks, start the tick, become IDLE.
 */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/account.h"
#include "kernel/calibrate.h"
#include "kernel/cpu.h"
#include "kernel/display.h"
#include "kernel/leave.h"
#include "kernel/options.h"
#include "kernel/pace.h"
#include "kernel/pages.h"
#include "kernel/paging.h"
#include "kernel/say.h"
#include "kernel/sched.h"
#include "kernel/serial.h"
#include "kernel/serial_device.h"
#include "kernel/takeover.h"
#include "kernel/text.h"
#include "kernel/tick.h"
#include "kernel/timer.h"
#include "kernel/workload.h"
#include "probe/carta.h"
#include "probe/crc32.h"

struct options options;

static void open_serial(void)
{
    struct serial_device device;
    bool there = serial_device_find(&options.words.line, &device);

    if (there && serial_init(&device, &options.words.line)) {
        /* The first byte, long before the clocks are measured: somebody waits for it. */
        say(SAY_NOTE, "entered by ", options.boot->door, ", speaking at ", serial_name());
        return;
    }
    say(SAY_ERROR, "no UART answers at ", device.name,
        there ? ": no byte comes back in its loopback" : ": no serial controller is there");
    leave(false);
}

/* The words first, for they say where to complain about the words. */
static void read_words(const struct boot_info *info)
{
    char sentence[WORDS_SENTENCE];
    bool understood;

    words_default(&options.words);
    understood = words_parse(&options.words, info->words, sentence);
    open_serial();
    if (!understood)
        say(SAY_ERROR, sentence);
    if (info->words_cut)
        say(SAY_ERROR, "the line of words is longer than ", DECIMAL(BOOT_WORDS - 1),
            " characters");
    if (!understood || info->words_cut)
        leave(false);
}

/*
 * With a seed that was asked for, the epoch too comes from nothing but the clock
 * and the words, so that an emulator that repeats itself repeats every byte.
 */
static void draw_seed(void)
{
    char words[WORDS_LINE];
    uint64_t random = 0;

    if (options.words.seed == 0)
        cpu_random(&random);
    words_print(&options.words, words);
    random ^= (uint64_t)crc32_update(0, words, text_length(words)) << 32;
    /* The golden ratio spreads the clock's low bits over all of them. */
    options.epoch = (random ^ rdtsc()) * 0x9e3779b97f4a7c15ull >> 1;
    options.seed = (uint32_t)options.words.seed;
    if (options.seed == 0)
        options.seed = carta_seed(options.epoch ^ pit_left());
}

static void check_machine(void)
{
    if (!lapic_present()) {
        say(SAY_ERROR, "this CPU has no local APIC: the system clock needs one");
        leave(false);
    }
    if (lapic_locked()) {
        say(SAY_ERROR, "this CPU's local APIC is locked in x2APIC mode: switch that off in "
            "the firmware's setup");
        leave(false);
    }
    if (!pit_counts()) {
        say(SAY_ERROR, "the 8254 at ports 0x40 to 0x43 does not count: there is no tick");
        leave(false);
    }
}

static void tell_clock(const struct calibration *c)
{
    if (!cpu.invariant_tsc)
        say(SAY_WARNING, "this CPU does not promise a TSC of constant rate: exact times "
            "hold only while its clock does not change");
    if (c->tsc_stops)
        say(SAY_WARNING, "the TSC stops in HLT: the exact time of IDLE is too short");
}

static void measure(struct display_facts *f)
{
    pic_unmask(0);
    if (!calibrate(&f->calibration)) {
        say(SAY_ERROR, "the 8254 counts, but its interrupt (IRQ 0) does not arrive");
        leave(false);
    }
    account_stub = f->calibration.stub;
    account_tail = f->calibration.tail;
    pace_set_unit(f->calibration.unit_q32);
    tick_set_clock(f->calibration.per_65536, f->calibration.behind,
                   cpu.invariant_tsc && !f->calibration.tsc_stops);
    probe.running = f->calibration.running;
    probe.halted = f->calibration.halted;
    probe.monitor_system = options.words.monitor == MONITOR_SYSTEM;
}

static void refuse_schedule(const char *why, const struct handler_cost *cost,
                            uint32_t handler)
{
    say(SAY_ERROR, "rate=", DECIMAL(options.words.rate), " interval=",
        words_name(&options.words, "interval"), ": ", why, " (handler ", DECIMAL(handler),
        ", smallest count ", DECIMAL(cost->minimum), ", mean interval ",
        DECIMAL(display_facts.mean >> 16), " counts of the PIT)");
    leave(false);
}

/* Lay the schedule down from what was measured, or refuse it with the numbers. */
static void prepare_schedule(struct display_facts *f)
{
    struct schedule_request request = { .policy = words_name(&options.words, "interval") };
    const char *why;

    f->ticks = options.words.tick != TICK_NONE;
    f->source = f->ticks ? "pit" : "none";
    if (!f->ticks)
        return;
    f->mean = ((uint64_t)PIT_HZ_NOMINAL << 16) / options.words.rate;
    calibrate_handler(&f->calibration, &f->cost);
    f->minimum = f->cost.minimum;
    request.mean = f->mean;
    request.minimum = f->minimum;
    request.handler = calibrate_counts(&f->calibration, f->cost.handler);
    request.spread = (uint32_t)options.words.spread;
    request.seed = options.seed;
    why = schedule_init(&probe.schedule, &request);
    if (why != 0)
        refuse_schedule(why, &f->cost, request.handler);
    probe.goal = options.words.samples != 0 ? options.words.samples : UINT64_MAX;
}

static void make_tasks(void)
{
    if (!workload_start(options.words.tasks))
        leave(false);
    if (!display_start()) {
        say(SAY_ERROR, "out of memory: the task PROBE cannot be made");
        leave(false);
    }
}

/* From each door, interrupts off, on the boot stack. */
_Noreturn void kernel_main(const struct boot_info *info)
{
    options.start = rdtsc();
    options.boot = info;
    options.has_vga_text = info->has_vga_text;
    cpu_init();
    read_words(info);
    pages_init(info);
    paging_init();
    check_machine();
    takeover();
    draw_seed();
    sched_init();
    measure(&display_facts);
    prepare_schedule(&display_facts);
    tell_clock(&display_facts.calibration);
    account_on = options.words.account == SWITCH_ON;
    make_tasks();
    serial_start();
    options.begin = rdtsc();
    if (display_facts.ticks)
        tick_begin();
    else
        tick_begin_none();
    /* Last: tick_begin() lets interrupts in, and none of them may switch tasks yet. */
    timer_start(&display_facts.calibration.rate, (uint32_t)options.words.clock);
    account_unmasked();
    sched_idle_loop();
}
