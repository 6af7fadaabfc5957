/* SPDX-License-Identifier: MIT */
/*
 * From the door to the first task: read the configuration, open the serial line, take
 * over and measure the machine, make the tasks, start the tick, become IDLE.
 */
#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/control_registers.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/firmware/hw_takeover.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/keyboard.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/io/serial_auto.h"
#include "kernel/io/serial_device.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/load/loads.h"
#include "kernel/mm/free_regions.h"
#include "kernel/mm/module_files.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/monitor/intercept.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/shell/shell.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/tick_plan.h"
#include "kernel/tick/tick_survey.h"
#include "kernel/tick/trace_control.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/tick/window.h"
#include "kernel/trace/trace.h"
#include "kernel/trap/dispatch.h"
#include "kernel/trap/exception.h"
#include "kernel/workload/workload.h"
#include "probe/coding/crc32.h"
#include "probe/schedule/splitmix64.h"
#include "probe/stream/version.h"

#define PPM 1000000u

/* The rate, and how far the divisor's is from it. */
static void put_rate(struct text_buf *to, const struct serial_spec *line)
{
    const uint64_t bit = (uint64_t)SERIAL_BIT * serial_spec_divisor(line->baud, line->clock), made = bit * line->baud;
    const uint64_t off = line->clock > made ? line->clock - made : made - line->clock;

    buf_parts(to, ", ", DECIMAL(line->baud), " bit/s");
    if (off != 0)
        buf_parts(to, " (made ", DECIMAL(mul_div64(off, PPM, made)),
                  line->clock > made ? " ppm fast)" : " ppm slow)");
    buf_parts(to, ", clock ", DECIMAL(line->clock), " Hz");
}

/* Told before the clocks are measured: whoever started the image waits for a first byte. */
static void greet(const struct serial_choice *choice)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf places = TEXT_BUF(text);

    if (stream_uart_found()) {
        buf_parts(&places, stream_uart_name(), ", named by ", choice->named_by);
        put_rate(&places, &choice->line);
    }
    if (screen_in_use()) {
        buf_text(&places, stream_uart_found() ? " and on the screen (" : "the screen (");
        screen_put_name(&places);
        buf_text(&places, ")");
    }
    log_line(LOG_NOTE, "cpuprobe " CPUPROBE_VERSION ", entered by ", run_state->boot->door, ", speaking at ", text);
}

/* Frames have no reader where there is no line. */
static void leave_frames(void)
{
    struct config c = *run_config();
    struct refusal why;

    if (!run_in_frames() || stream_uart_found())
        return;
    log_line(LOG_WARNING, "output=frames: there is no line for frames, and the run goes on with output=text");
    c.output = OUTPUT_TEXT;
    run_state_set_config(&c);
    if (!config_check(&c, &why))
        fatal_refusal(&why);
}

/* The UART that serial= names; false where it does not answer. */
static bool open_named(struct serial_choice *choice)
{
    struct text_buf passed = TEXT_BUF(choice->passed);
    struct serial_device device;
    const char *wrong = serial_device_find(&choice->line, &device);

    if (wrong == 0 && stream_uart_init(&device, &choice->line))
        return true;
    if (wrong == 0)
        wrong = choice->line.trust ? "its transmitter does not become empty" : "no byte comes back in its loopback";
    buf_parts(&passed, device.name, ": ", wrong);
    return false;
}

/* The rate of the line is known from here on. */
static bool open_line(const struct boot_info *info, struct serial_choice *choice)
{
    struct config c = *run_config();
    bool answers;

    *choice = (struct serial_choice){ .line = c.serial, .named_by = "serial=" };
    if (c.serial.place != SERIAL_AUTO)
        return open_named(choice);
    answers = serial_auto_find(info, c.serial.baud, choice);
    c.serial = choice->line;
    run_state_set_config(&c);
    return answers;
}

static void open_serial(const struct boot_info *info)
{
    static struct serial_choice choice;
    const bool answers = open_line(info, &choice), named = run_config()->serial.place != SERIAL_AUTO;

    if (run_config()->screen == CONFIG_SCREEN_ON || (run_config()->screen == CONFIG_SCREEN_AUTO && !answers))
        screen_use();
    if (answers || screen_in_use())
        greet(&choice);
    if (answers && choice.tell)
        log_line(LOG_NOTE, "serial=auto: not used: ", choice.passed);
    if (answers)
        return;
    if (!screen_in_use())
        fatal("no UART answers", named ? " at " : ": ", choice.passed);
    log_line(LOG_WARNING, "no UART answers", named ? " at " : ": ", choice.passed,
             "; the text of the run is on the screen");
}

/* The configuration comes first, because it tells where errors are printed. */
static void read_words(const struct boot_info *info)
{
    char text[REFUSAL_TEXT];
    const char *const refused = screen_init(info);
    struct refusal why;
    struct config asked;
    bool understood;

    config_default(&asked);
    understood = config_parse(&asked, info->words, &why) && config_check(&asked, &why);
    run_state_set_config(&asked);
    open_serial(info);
    if (refused != 0)
        log_line(LOG_WARNING, "the framebuffer that the door tells of is not used: ", refused);
    if (!understood)
        log_line(LOG_ERROR, refusal_text(&why, text));
    if (info->words_cut)
        log_line(LOG_ERROR, "the line of words is longer than ", DECIMAL(BOOT_WORDS - 1),
                 " characters");
    if (!understood || info->words_cut)
        shutdown(false);
    leave_frames();
}

/* A file that is refused is one that no word can name. */
static void take_files(const struct boot_info *info)
{
    char text[REFUSAL_TEXT];
    struct refusal why;

    for (uint32_t i = 0; i < info->modules; i++)
        if (!module_file_take(&info->module[i], &why))
            log_line(LOG_WARNING, "file ", DECIMAL(i + 1), " of the loader is not taken: ", refusal_text(&why, text));
    if (info->modules_left != 0)
        log_line(LOG_WARNING, DECIMAL(info->modules_left), " files of the loader are not taken: there is room for ",
                 DECIMAL(BOOT_MODULES));
}

/* 63 bits, not 0.  Without RDRAND they depend only on the counts of two clocks. */
static uint64_t any_seed(void)
{
    uint64_t random = 0, seed;

    if (!cpu_random(&random))
        log_line(LOG_NOTE, "this CPU has no RDRAND: the seed is what the TSC and the PIT stand at, and no secret");
    seed = splitmix64_mix(random ^ rdtsc() ^ (uint64_t)pit_read() << 48) >> 1;
    return seed != 0 ? seed : 1;
}

/*
 * With a given seed the epoch, too, depends only on the clock and the configuration, so
 * that a deterministic emulator repeats every byte of the stream.
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
    /* Without a given seed the run need not be repeatable, and ChaCha8 is harder to predict. */
    if (c.seed == 0 && !config_given(&c, CONFIG_RNG))
        c.rng = RNG_CHACHA8;
    run_state_set_config(&c);
}

static void tell_clock(const struct calibration *c)
{
    if (!cpu.steady_tsc)
        log_line(LOG_WARNING, "this CPU does not promise a TSC of constant rate: exact times "
                 "hold only while its clock does not change");
    if (c->tsc_stops)
        log_line(LOG_WARNING, "the TSC stops in HLT: the exact time of IDLE is too short");
}

#define RESETS(seconds) " and will reset this machine, in ", DECIMAL(seconds), " seconds or a little later"

static void tell_watchdog(const struct calibration *c)
{
    uint32_t left = 0;

    switch (watchdog_look(c->rate.clock_hz, run_config()->watchdog == WATCHDOG_STOP, &left)) {
    case WATCHDOG_NONE:
        break;
    case WATCHDOG_RUNS:
        log_line(LOG_WARNING, "the chipset's watchdog runs", RESETS(left), "; watchdog=stop stops it");
        break;
    case WATCHDOG_STOPPED:
        log_line(LOG_NOTE, "the chipset's watchdog ran; it is stopped");
        break;
    case WATCHDOG_LOCKED:
        log_line(LOG_WARNING, "the chipset's watchdog is locked: watchdog=stop does not stop it. It runs",
                 RESETS(left));
        break;
    }
}

static enum account_kind account_kind(void)
{
    static const enum account_kind kinds[] = {
        [CONFIG_ACCOUNT_ON] = ACCOUNT_KEPT, [CONFIG_ACCOUNT_OFF] = ACCOUNT_OFF, [CONFIG_ACCOUNT_LOG] = ACCOUNT_LOGGED,
    };

    if (run_config()->monitor & MONITOR_TRACED && kinds[run_config()->account] == ACCOUNT_KEPT)
        return ACCOUNT_TRACED;
    return kinds[run_config()->account];
}

static const struct sched_policy *sched_policy(void)
{
    static const struct sched_policy *const policies[] = {
        [SCHED_RR] = &sched_rr, [SCHED_DECAY] = &sched_decay, [SCHED_DECAY_WAKE] = &sched_decay_wake,
    };

    return policies[run_config()->sched];
}

/* The measurements of the start write into it already. */
static void prepare_log(void)
{
    const uint64_t bytes = account_log_size(page_alloc_longest_run() * PAGE_SIZE);

    if (account_kind() != ACCOUNT_LOGGED)
        return;
    if (bytes == 0)
        fatal("account=log: there is not enough memory for a log");
    account_log_begin(phys_to_virt(page_alloc_run(bytes / PAGE_SIZE)), bytes);
}

/* The measurements of the start take the events that it needs. */
static void plan_tree(void)
{
    struct refusal why;

    if (!trace_tree_plan(run_config(), &why))
        fatal_refusal(&why);
    trace_tree_apply(run_config());
}

static void make_tasks(void)
{
    struct monitor_plan m;
    struct refusal why;

    if (!workload_start(run_config()->tasks))
        shutdown(false);
    if (!probe_task_start())
        fatal("out of memory: the task PROBE cannot be made");
    if (!monitors_plan(&m, run_config(), &why) || !monitors_resolve_tasks(&m, run_config(), &why) ||
        !trace_control_resolve(run_config(), &why))
        fatal_refusal(&why);
    monitors_apply(&m);
}

/* Of a device that a table of firmware places below those that are mapped uncached. */
static bool open_registers(uint64_t physical, uint64_t bytes)
{
    return device_place_check(run_state->boot, paging_image_bytes(), physical, bytes) == 0 &&
           paging_uncache(physical);
}

/* Called by each door, interrupts off, on the boot stack. */
_Noreturn void kernel_main(const struct boot_info *info)
{
    run_state_init(info, rdtsc());
    cpu_init();
    machine_check_init();
    control_registers_init();
    read_words(info);
    if (!cpu.vectors)
        fatal("this CPU lacks FXSAVE, SSE or SSE2, which cpuprobe and its tasks need");
    hw_quiesce();
    free_regions_init(info);
    take_files(info);
    paging_init();
    firmware_tables_read(info->rsdp, open_registers);
    hw_takeover();
    draw_seed();
    sched_init(sched_policy());
    prepare_log();
    syscall_way_set(SYSCALL_DISPATCH, syscall_dispatch);
    trace_rules_init();
    plan_tree();
    software_monitors_take_samples();
    tick_start_measure(&tick_facts, account_kind());
    work_pacer_set_unit(tick_facts.calibration.unit_q32);
    tick_start_plan(&tick_facts);
    tell_clock(&tick_facts.calibration);
    tell_watchdog(&tick_facts.calibration);
    machine_report_collect();
    machine_report_log();
    account_on = account_kind();
    tick_set_hooks();
    intercept_init(&interrupt_way);
    software_monitors_init();
    make_tasks();
    if (!workload_prepare())
        shutdown(false);
    survey_close();
    if (tick_facts.ticks)
        window_prepare();
    stream_uart_start();
    if (!stream_uart_found() && !keyboard_start())
        log_line(LOG_NOTE, "no keyboard controller answers: nothing can be typed");
    if (tick_facts.ticks)
        window_begin();
    else
        window_begin_without_ticks();
    /*
     * Last: window_begin() enables interrupts for a moment, and they may not switch tasks yet.  Seconds begin with
     * the clock: PROBE, which wakes at each, then comes with a tick, whatever window_begin() took,
     * and ends nobody's turn.
     */
    run.begin = rdtsc();
    timer_start();
    account_sti();
    sched_idle_loop();
}
