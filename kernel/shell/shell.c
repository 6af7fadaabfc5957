/* SPDX-License-Identifier: MIT */
/* The shell: passes lines from the editor to the parser, and commands to those who execute them. */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/tick/window.h"
#include "probe/command/line_edit.h"

static void put(void *context, const char *bytes, unsigned length)
{
    (void)context;
    console_put(bytes, length);
}

/* What Tab completes: the command, and the task that it takes. */
static const char *name_at(const char *line, unsigned word, unsigned index)
{
    if (line[word] == '-' || (word != 0 && !command_takes_task(line)))
        return 0;
    if (word == 0)
        return command_name(index);
    return index < TASKS_MAX && tasks[index].state != TASK_FREE ? tasks[index].name : 0;
}

static struct line_edit edit = {.put = put, .prompt = "cpuprobe> ", .name = name_at}; /* task PROBE */
static struct {
    uint64_t asked, began, ended; /* TSC; the last byte of its line, its first line, its last */
} answer_before; /* task PROBE */

static void put_line(const char *text)
{
    console_line(0, text);
}

/* The rest of a command: a snapshot is printed page by page. */
static void finish(enum command_followup after)
{
    if (after == AFTER_SNAPSHOT)
        report_text(report_peek(), console_line);
    else
        command_complete(after, false);
}

static uint64_t microseconds(uint64_t clocks)
{
    return mul_div64(clocks, 1000000, tick_facts.calibration.rate.clock_hz);
}

/* How long the last answer took: the response time under this load. */
static void tell_answer(void)
{
    const uint64_t asked = answer_before.asked;

    if (asked == 0 || answer_before.began < asked)
        return;
    put_line(JOINED("answers: the last one began after ",
                    MILLI(microseconds(answer_before.began - asked)), " ms and was whole after ",
                    MILLI(microseconds(answer_before.ended - asked)), " ms"));
}

static void carry_out(const struct command *c)
{
    static const struct command_asker asker = {.line = console_line, .shell = true};
    struct command_result answer = {.after = AFTER_NOTHING};
    char text[REFUSAL_TEXT];

    if (c->verb == COMMAND_PAGE)
        console_rows(c->number);
    else if (c->verb == COMMAND_TOP)
        answer.refused = !shell_top(c, &answer.why);
    else if (c->verb == COMMAND_PAT || c->verb == COMMAND_PLT || c->verb == COMMAND_MPS)
        answer.refused = !shell_measure(c, &answer.why);
    else
        answer = command_execute(c, &asker);
    if (answer.refused)
        put_line(refusal_text(&answer.why, text));
    if (c->verb == COMMAND_STATUS)
        tell_answer();
    if (!answer.refused)
        finish(answer.after);
}

static void run_line(const char *line)
{
    static struct command c; /* task PROBE */
    const uint64_t asked = stream_uart_rx_time();
    struct refusal why;
    char text[REFUSAL_TEXT];

    _Static_assert(EDIT_LINE == COMMAND_LINE, "what can be typed can be read");
    console_begin();
    if (command_parse(&c, line, &why))
        carry_out(&c);
    else
        put_line(refusal_text(&why, text));
    answer_before.asked = asked;
    answer_before.began = console_began();
    answer_before.ended = rdtsc();
}

static void show_prompt(void)
{
    line_edit_show(&edit);
}

static void begin(uint64_t *end)
{
    console_until(end);
    screen_hold_page(true);
    console_begin();
    line_edit_init(&edit);
    if (!config_given(run_config(), CONFIG_SECONDS) && *end != UINT64_MAX) {
        *end = UINT64_MAX;
        put_line("the run goes on until it is ended by the command end");
    }
    put_line("help lists the commands");
}

static bool goes_on(uint64_t end)
{
    if (rdtsc() >= end || probe.close == PROBE_STOPPED)
        run_conclude();
    screen_hold_page(run_config()->output == OUTPUT_TEXT);
    return run_config()->output == OUTPUT_TEXT;
}

void shell_run(uint64_t *end, const char *first)
{
    uint8_t key;

    begin(end);
    run_line(first);
    show_prompt();
    while (goes_on(*end)) {
        if (!console_key(*end, &key, show_prompt))
            continue;
        switch (line_edit_byte(&edit, key)) {
        case EDIT_READY:
            run_line(edit.line);
            show_prompt();
            break;
        case EDIT_TOO_LONG:
            put_line(JOINED("the line is longer than ", DECIMAL(EDIT_LINE - 1), " characters: nothing was done"));
            show_prompt();
            break;
        case EDIT_INTERRUPTED:
            show_prompt();
            break;
        case EDIT_MORE:
            break;
        }
    }
}
