/* SPDX-License-Identifier: MIT */
/*
 * From the door to the first task: take over, read the words, find the line,
 * measure the machine, make the tasks, start the tick, become IDLE.
 */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/hw_takeover.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/trap.h"
#include "kernel/io/format.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/serial_device.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/io/stream_uart_report.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/shell/probe_task.h"
#include "kernel/source/calibrate.h"
#include "kernel/tick/entry_cost.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source.h"
#include "kernel/tick/tick_plan.h"
#include "kernel/tick/tick_survey.h"
#include "kernel/tick/window.h"
#include "kernel/workload/work_pacer.h"
#include "kernel/workload/workload.h"
#include "probe/core/splitmix64.h"
#include "probe/stream/crc32.h"
#include "probe/stream/version.h"

static _Noreturn void refuse(const char *why)
{
    log_line(LOG_ERROR, why);
    shutdown(false);
}

static _Noreturn void refuse_config(const struct refusal *why)
{
    char text[REFUSAL_TEXT];

    refuse(refusal_text(why, text));
}

static void open_serial(void)
{
    struct serial_device device;
    bool there = serial_device_find(&run_config()->serial, &device);

    if (there && stream_uart_init(&device, &run_config()->serial)) {
        /* The first byte, long before the clocks are measured: somebody waits for it. */
        log_line(LOG_NOTE, "cpuprobe " CPUPROBE_VERSION ", entered by ", run_state->boot->door, ", speaking at ", stream_uart_name());
        return;
    }
    log_line(LOG_ERROR, "no UART answers at ", device.name,
        there ? ": no byte comes back in its loopback" : ": no serial controller is there");
    shutdown(false);
}

/* The words first, for they say where to complain about the words. */
static void read_words(const struct boot_info *info)
{
    char text[REFUSAL_TEXT];
    struct refusal why;
    struct config asked;
    bool understood;

    config_default(&asked);
    understood = config_parse(&asked, info->words, &why) && config_check(&asked, &why);
    run_state_set_config(&asked);
    open_serial();
    if (!understood)
        log_line(LOG_ERROR, refusal_text(&why, text));
    if (info->words_cut)
        log_line(LOG_ERROR, "the line of words is longer than ", DECIMAL(BOOT_WORDS - 1),
            " characters");
    if (!understood || info->words_cut)
        shutdown(false);
}

/* 63 bits, not 0; where the CPU has no RDRAND, all that is in them is what the clocks stand at. */
static uint64_t any_seed(void)
{
    uint64_t random = 0, seed;

    if (!cpu_random(&random))
        log_line(LOG_NOTE, "this CPU has no RDRAND: the seed is what the TSC and the PIT stand at, and no secret");
    seed = splitmix64_mix(random ^ rdtsc() ^ (uint64_t)pit_read() << 48) >> 1;
    return seed != 0 ? seed : 1;
}

/*
 * With a seed that was asked for, the epoch too comes from nothing but the clock
 * and the words, so that an emulator that repeats itself repeats every byte.
 */
static void draw_seed(void)
{
    struct config c = *run_config();
    char words[CONFIG_LINE];
    uint64_t random = 0;

    if (c.seed == 0)
        cpu_random(&random);
    config_print(&c, words);
    random ^= (uint64_t)crc32_update(0, words, string_length(words)) << 32;
    frame_tx_set_epoch((random ^ rdtsc()) * SPLITMIX64_GAMMA >> 1); /* spreads the clock's low bits */
    sampler_set_seed(c.seed != 0 ? c.seed : any_seed());
    /* Where nobody asked for a run that can be repeated, one that is harder to foretell. */
    if (c.seed == 0 && !config_given(&c, CONFIG_RNG))
        c.rng = RNG_CHACHA8;
    run_state_set_config(&c);
}

static void check_machine(void)
{
    if (lapic_present() && lapic_locked()) {
        log_line(LOG_ERROR, "this CPU's local APIC is locked in x2APIC mode: switch that off in "
            "the firmware's setup");
        shutdown(false);
    }
    if (!pit_is_counting()) {
        log_line(LOG_ERROR, "the 8254 at ports 0x40 to 0x43 does not count: there is no tick");
        shutdown(false);
    }
}

/*
 * What the system clock ticks by: the local APIC's timer, unless clock=rtc.  Where
 * there is none it is the RTC, and all words must agree with that.
 */
static void choose_clock(void)
{
    struct config c = *run_config();
    struct refusal why;

    if (!lapic_in_use() && c.clock != CLOCK_RTC) {
        if (config_given(&c, CONFIG_CLOCK)) {
            log_line(LOG_ERROR, "clock=", DECIMAL(c.clock), ": this CPU has no local APIC, and only its "
                "timer has such rates: clock=rtc does without");
            shutdown(false);
        }
        c.clock = CLOCK_RTC;
        run_state_set_config(&c);
        log_line(LOG_NOTE, "this CPU has no local APIC: clock=rtc");
        if (!config_check(&c, &why))
            refuse_config(&why);
    }
    timer_choose(c.clock == CLOCK_RTC ? &clock_rtc : &clock_lapic, (uint32_t)c.clock);
}

static void tell_rate(const struct source *s, uint64_t before)
{
    if (run_config()->rate != before)
        log_line(LOG_NOTE, "tick=", s->name, ": rate=", DECIMAL(run_config()->rate));
}

/* Monitors want to know how many ticks a second there will be, before a source is looked for. */
static void foresee_rate(void)
{
    struct config c = *run_config();
    const struct source *s = source_named(config_value_name(&c, CONFIG_TICK));
    const uint64_t before = c.rate;

    if (s == 0)
        return;
    tick_plan_default_rate(&c, s);
    run_state_set_config(&c);
    tell_rate(s, before);
}

static void find_clock(const struct calibration *c)
{
    const char *why = timer_calibrate(&c->rate);

    if (why != 0) {
        log_line(LOG_ERROR, "the system clock: ", why);
        shutdown(false);
    }
    if (timer_is_periodic())
        log_line(LOG_NOTE, "the system clock is the RTC at ", DECIMAL(timer_hz()),
            " Hz: sleeps are rounded up to its ticks");
}

static void tell_clock(const struct calibration *c)
{
    if (!cpu.invariant_tsc)
        log_line(LOG_WARNING, "this CPU does not promise a TSC of constant rate: exact times "
            "hold only while its clock does not change");
    if (c->tsc_stops)
        log_line(LOG_WARNING, "the TSC stops in HLT: the exact time of IDLE is too short");
}

static enum account_kind account_kind(void)
{
    static const enum account_kind kinds[] = {
        [CONFIG_ACCOUNT_ON] = ACCOUNT_KEPT, [CONFIG_ACCOUNT_OFF] = ACCOUNT_OFF, [CONFIG_ACCOUNT_LOG] = ACCOUNT_LOGGED,
    };

    return kinds[run_config()->account];
}

/* What is measured writes into it already. */
static void prepare_log(void)
{
    const uint64_t bytes = account_log_size(page_alloc_longest_run() * PAGE_SIZE);

    if (account_kind() != ACCOUNT_LOGGED)
        return;
    if (bytes == 0)
        refuse("account=log: there is not enough memory for a log");
    account_log_begin(phys_to_virt(page_alloc_run(bytes / PAGE_SIZE)), bytes);
}

/* With the account that will be kept, or as if one were. */
static void measure_entries(struct calibration *c)
{
    const enum account_kind kind = account_kind();
    struct entry_costs costs;

    if (!entry_cost_measure(&costs, kind != ACCOUNT_OFF ? kind : ACCOUNT_KEPT))
        refuse("out of memory: the cost of system calls cannot be measured");
    c->empty_interrupt = costs.empty;
    c->entry_cost = costs.entry;
    c->exit_cost = costs.exit;
    c->tick_exit_cost = costs.tick_exit;
    account_entry_cost = c->entry_cost;
    account_exit_cost = c->exit_cost;
    account_tick_exit_cost = c->tick_exit_cost;
}

static void measure(struct tick_facts *f)
{
    struct calibration *const c = &f->calibration;
    const char *why;

    sampler_set_sources(0, 0); /* the interrupt of the 8254 has its handler */
    pic_unmask(0);
    if (run_config()->second_tick != TICK_AUTO)
        idt_set_common(TICK_VECTOR); /* as it will run: kernel/source/dual_source.c */
    why = calibrate_clocks(c);
    if (why != 0)
        refuse(why);
    find_clock(c);
    why = calibrate_latencies(c);
    if (why != 0)
        refuse(why);
    measure_entries(c);
    account_cli_cost = c->cli_cost;
    account_sti_cost = c->sti_cost;
    work_pacer_set_unit(c->unit_q32);
    stream_uart_test_irq(c->rate.clock_hz);
    stream_uart_report_start();
    foresee_rate();
}

/* The deliveries, as far as somebody wants them, and the handler's cost by each. */
static void measure_ticks(const struct calibration *c, const struct monitor_plan *m, bool all)
{
    const bool via_nmi = config_via_nmi(run_config());

    monitors_apply(m);
    for (int d = 0; d < 2; d++)
        if (all || d == via_nmi)
            survey_measure_delivery(d, c, tick_facts.ticks ? m : 0);
    if (via_nmi && survey_delivery(true)->why != 0)
        refuse(sentence("delivery=nmi: ", survey_delivery(true)->why));
    survey_set_delivery(via_nmi);
}

/* From the words to a tick, by what is measured, or refused with the numbers. */
static void prepare_tick(struct tick_facts *f)
{
    static struct tick_plan a; /* large */
    const struct calibration c = f->calibration;
    const bool all = run_config()->health != HEALTH_OFF;
    const uint64_t rate = run_config()->rate;
    struct refusal why;

    f->ticks = run_config()->tick != TICK_NONE;
    monitors_measure_cost();
    a.words = *run_config();
    a.seed = sampler_seed();
    if (!monitors_plan(&a.monitoring, &a.words, &why))
        refuse_config(&why);
    monitors_report(&a.monitoring);
    measure_ticks(&c, &a.monitoring, all && f->ticks);
    sampler_set_sources(0, 0);
    if (!f->ticks)
        return;
    if (!tick_plan_make(&a, &why) || (a.words.second_tick != TICK_AUTO && !tick_plan_second(&a, &why)))
        refuse_config(&why);
    survey_detect_all(all);
    tick_plan_apply(&a);
    tell_rate(a.source, rate);
}

static void make_tasks(void)
{
    struct monitor_plan m;
    struct refusal why;

    if (!workload_start(run_config()->tasks))
        shutdown(false);
    if (!probe_task_start()) {
        log_line(LOG_ERROR, "out of memory: the task PROBE cannot be made");
        shutdown(false);
    }
    if (!monitors_plan(&m, run_config(), &why) || !monitors_resolve_tasks(&m, run_config(), &why))
        refuse_config(&why);
    monitors_apply(&m);
}

/* From each door, interrupts off, on the boot stack. */
_Noreturn void kernel_main(const struct boot_info *info)
{
    run_state_init(info, rdtsc());
    cpu_init();
    read_words(info);
    page_alloc_init(info);
    paging_init();
    check_machine();
    hw_takeover();
    choose_clock();
    draw_seed();
    sched_init();
    prepare_log();
    measure(&tick_facts);
    prepare_tick(&tick_facts);
    tell_clock(&tick_facts.calibration);
    machine_report_collect();
    machine_report_log();
    account_on = account_kind();
    tick_attach();
    make_tasks();
    survey_close();
    stream_uart_start();
    run.begin = rdtsc();
    if (tick_facts.ticks)
        window_begin();
    else
        window_begin_without_ticks();
    /* Last: window_begin() lets interrupts in, and none of them may switch tasks yet. */
    timer_start();
    account_sti();
    sched_idle_loop();
}
