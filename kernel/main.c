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
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "kernel/display.h"
#include "kernel/health.h"
#include "kernel/leave.h"
#include "kernel/monitors.h"
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
#include "kernel/source.h"
#include "kernel/source_pit.h"
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
    understood = words_parse(&options.words, info->words, sentence) &&
                 words_agree(&options.words, sentence);
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
    /* Where nobody asked for a run that can be repeated, one that is harder to foretell. */
    if (options.words.seed == 0 && !words_given(&options.words, "rng"))
        options.words.rng = RNG_CHACHA8;
}

static void check_machine(void)
{
    if (lapic_present() && lapic_locked()) {
        say(SAY_ERROR, "this CPU's local APIC is locked in x2APIC mode: switch that off in "
            "the firmware's setup");
        leave(false);
    }
    if (!pit_counts()) {
        say(SAY_ERROR, "the 8254 at ports 0x40 to 0x43 does not count: there is no tick");
        leave(false);
    }
}

/*
 * What the system clock ticks by: the local APIC's timer, unless clock=rtc.  Where
 * there is none it is the RTC, and all words must agree with that.
 */
static void choose_clock(void)
{
    struct words *w = &options.words;
    char sentence[WORDS_SENTENCE];

    if (!lapic_in_use() && w->clock != CLOCK_RTC) {
        if (words_given(w, "clock")) {
            say(SAY_ERROR, "clock=", DECIMAL(w->clock), ": this CPU has no local APIC, and only its "
                "timer has such rates: clock=rtc does without");
            leave(false);
        }
        w->clock = CLOCK_RTC;
        say(SAY_NOTE, "this CPU has no local APIC: clock=rtc");
        if (!words_agree(w, sentence)) {
            say(SAY_ERROR, sentence);
            leave(false);
        }
    }
    timer_choose(w->clock == CLOCK_RTC ? &clock_rtc : &clock_lapic, (uint32_t)w->clock);
}

/* A source that has a rate of its own takes that where none was asked for. */
static void fit_rate(const struct source *s)
{
    struct words *w = &options.words;

    if (s == 0 || s->rate == 0 || words_given(w, "rate") || w->rate == s->rate())
        return;
    w->rate = s->rate();
    say(SAY_NOTE, "tick=", s->name, ": rate=", DECIMAL(w->rate));
}

static void find_clock(const struct calibration *c)
{
    const char *why = timer_find(c);

    if (why != 0) {
        say(SAY_ERROR, "the system clock: ", why);
        leave(false);
    }
    if (timer_rounds())
        say(SAY_NOTE, "the system clock is the RTC at ", DECIMAL(timer_hz()),
            " Hz: sleeps are rounded up to its ticks");
}

static void tell_clock(const struct calibration *c)
{
    if (!cpu.invariant_tsc)
        say(SAY_WARNING, "this CPU does not promise a TSC of constant rate: exact times "
            "hold only while its clock does not change");
    if (c->tsc_stops)
        say(SAY_WARNING, "the TSC stops in HLT: the exact time of IDLE is too short");
}

/* delivery=nmi, or refused with what arrived. */
static void unmask(struct calibration *c)
{
    struct nmi_proof proof;

    if (calibrate_unmasked(c, &proof))
        return;
    if (!lapic_in_use())
        say(SAY_ERROR, "delivery=nmi: this CPU has no local APIC that would bring it");
    else if (proof.pins == 0)
        say(SAY_ERROR, "delivery=nmi: no I/O APIC answers at 0xfec00000");
    else
        say(SAY_ERROR, "delivery=nmi: of ", DECIMAL(NMI_PROOFS), " one-shots of the PIT ",
            DECIMAL(proof.arrived[0]), " came as NMI through pin ", DECIMAL(proof.pin[0]),
            " of the I/O APIC, and ", DECIMAL(proof.arrived[1]), " through pin ",
            DECIMAL(proof.pin[1]));
    leave(false);
}

static void measure(struct display_facts *f)
{
    probe.unmasked = words_unmasked(&options.words);
    pic_unmask(0);
    if (!calibrate(&f->calibration)) {
        say(SAY_ERROR, "the 8254 counts, but its interrupt (IRQ 0) does not arrive");
        leave(false);
    }
    if (probe.unmasked)
        unmask(&f->calibration);
    account_stub = f->calibration.stub;
    account_tail = f->calibration.tail;
    pace_set_unit(f->calibration.unit_q32);
    source_pit_set_clock(f->calibration.per_65536, f->calibration.behind,
                         f->calibration.running.late,
                   cpu.invariant_tsc && !f->calibration.tsc_stops);
    probe.running = f->calibration.running;
    probe.halted = f->calibration.halted;
    find_clock(&f->calibration);
    fit_rate(source_named(words_name(&options.words, "tick")));
    if (!monitors_begin())
        leave(false);
}

static void refuse_schedule(const char *why, const struct handler_cost *cost,
                            uint32_t handler)
{
    say(SAY_ERROR, "rate=", DECIMAL(options.words.rate), " interval=",
        words_name(&options.words, "interval"), ": ", why, " (handler ", DECIMAL(handler),
        ", smallest count ", DECIMAL(cost->minimum), ", mean interval ",
        DECIMAL(display_facts.source.mean >> 16), " counts of the source)");
    leave(false);
}

/* Whether this source works: NULL, or why not.  One timer has one owner. */
static const char *try_source(const struct source *s, struct display_facts *f)
{
    const bool own_rate = s->rate != 0 && !words_given(&options.words, "rate");
    const char *why;

    if (s->vector == timer_vector())
        return "its timer is the system clock's";
    f->source = (struct source_facts){
        .running = f->calibration.running, .halted = f->calibration.halted,
    };
    tick_source = s;
    why = s->find(&f->source, &f->calibration,
                  own_rate ? s->rate() : (uint32_t)options.words.rate);
    if (why != 0)
        tick_source = 0;
    return why;
}

/* The sources to choose from: one alone comes as NMI. */
static const struct source *candidate(unsigned index)
{
    if (probe.unmasked)
        return index == 0 ? &source_pit_nmi : 0;
    return source_at(index);
}

/* The source of this name, or, for auto, the first that works; else refused with the reason. */
static void choose_source(struct display_facts *f)
{
    const char *name = words_name(&options.words, "tick");
    const bool any = options.words.tick == TICK_AUTO;
    const char *why = "there is none";

    for (unsigned i = 0; tick_source == 0 && candidate(i) != 0; i++) {
        const struct source *s = candidate(i);

        if (any ? !s->by_name : text_equal(s->name, name))
            why = try_source(s, f);
    }
    if (tick_source == 0) {
        say(SAY_ERROR, "tick=", name, " rate=", DECIMAL(options.words.rate), ": ", why);
        leave(false);
    }
    fit_rate(tick_source);
    probe.running = f->source.running;
    probe.halted = f->source.halted;
    probe.repeats = !tick_source->varies && !tick_source->waits;
}

/* A device that repeats one interval has no other policy. */
static void fit_policy(void)
{
    struct words *w = &options.words;

    if (tick_source->varies || w->interval == INTERVAL_FIXED)
        return;
    if (words_given(w, "interval")) {
        say(SAY_ERROR, "tick=", tick_source->name, " repeats one interval: it cannot do interval=",
            words_name(w, "interval"), ", only fixed");
        leave(false);
    }
    w->interval = INTERVAL_FIXED;
}

/* Lay the schedule down from what was measured, or refuse it with the numbers. */
static void prepare_schedule(struct display_facts *f)
{
    struct schedule_request request;
    const char *why;
    uint64_t room;

    f->ticks = options.words.tick != TICK_NONE;
    if (!f->ticks)
        return;
    calibrate_handler(&f->cost);
    tick_source = 0;
    choose_source(f);
    fit_policy();
    /* An NMI sends a reading of the account's clock back, and leaves it time to get done. */
    room = f->cost.handler - f->cost.lead + (probe.unmasked ? f->calibration.tail : 0);
    f->cost.minimum = calibrate_counts(f->source.clock_65536, room) + 1;
    request = (struct schedule_request){
        .policy = words_name(&options.words, "interval"),
        .rng = words_name(&options.words, "rng"),
        .mean = f->source.mean, .minimum = f->cost.minimum,
        .handler = calibrate_counts(f->source.clock_65536, f->cost.handler),
        .spread = (uint32_t)options.words.spread, .seed = options.seed,
    };
    why = schedule_init(&probe.schedule, &request);
    if (why != 0)
        refuse_schedule(why, &f->cost, request.handler);
    why = display_imprecise();
    if (why != 0) {
        say(SAY_ERROR, "precision= needs an interval, and there is none: ", why);
        leave(false);
    }
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
    if (!monitors_find_tasks())
        leave(false);
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
    choose_clock();
    draw_seed();
    sched_init();
    measure(&display_facts);
    prepare_schedule(&display_facts);
    tell_clock(&display_facts.calibration);
    health_look();
    health_say();
    account_on = options.words.account == SWITCH_ON;
    make_tasks();
    serial_start();
    options.begin = rdtsc();
    if (display_facts.ticks)
        tick_begin();
    else
        tick_begin_none();
    /* Last: tick_begin() lets interrupts in, and none of them may switch tasks yet. */
    timer_start();
    account_unmasked();
    sched_idle_loop();
}
