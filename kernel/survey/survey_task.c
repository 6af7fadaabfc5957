/* SPDX-License-Identifier: MIT */
/* The survey: its measurements before the run, and its task. */
#include "kernel/survey/survey_task.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/load/loads.h"
#include "kernel/survey/survey_parts.h"
#include "kernel/tick/window.h"
#include "probe/schedule/splitmix64.h"
#include "uart/tx_timing.h"

#define SLICE_PART  2000u /* of a second: half of a FIFO of received bytes comes in, at 115200 bit/s */
#define READ_SLICES 64u   /* between two readings of the clocks */
#define CHARACTERS  64u   /* that the line's rate is measured by */
#define BYTE_BITS   10u
#define MSR_SMI_COUNT 0x34 /* Intel SDM 4, table 2-3: bits 31:0 */
#define LEAF_VENDOR   0u
#define INTEL_EBX     0x756e6547u /* "Genu" of "GenuineIntel" */

struct survey survey_found;
struct gap_watch survey_watch;

bool survey_smis(uint64_t *count)
{
    uint32_t r[4];

    cpu_identify(LEAF_VENDOR, 0, r);
    if (r[1] != INTEL_EBX || !msr_read_guarded(MSR_SMI_COUNT, count))
        return false;
    *count = (uint32_t)*count;
    return true;
}

static uint64_t clock_now(void)
{
    return rdtsc();
}

/* Zero bytes lie between frames anyway; in a text they are blanks. */
static void time_line(struct wire_survey *h)
{
    const uint64_t hz = tick_facts.calibration.rate.clock_hz;
    uint64_t bound[2];

    if (!stream_uart_found())
        return;
    h->baud = run_config()->serial.baud;
    uart_time_bytes(&stream_uart_device()->uart, clock_now, mul_div64(hz, BYTE_BITS, h->baud),
                    run_in_frames() ? 0 : ' ', CHARACTERS, bound);
    if (!run_in_frames())
        stream_uart_write((const uint8_t *)"\r\n", 2);
    h->characters = bound[1] != 0 ? CHARACTERS : 0;
    h->characters_least = bound[0];
    h->characters_most = bound[1];
}

bool survey_prepare(struct refusal *why)
{
    const uint64_t hz = tick_facts.calibration.rate.clock_hz;

    (void)why;
    survey_found.head.clock_hz = hz;
    latency_survey(&survey_found);
    clock_survey_begin(&survey_found);
    time_line(&survey_found.head);
    gap_watch_begin(&survey_watch, hz);
    return true;
}

bool survey_prepare_smi(struct refusal *why)
{
    if (!smi_detect(why) || !survey_prepare(why))
        return false;
    survey_disturb(&survey_watch, tick_facts.calibration.rate.clock_hz);
    return true;
}

static void read_clocks(void)
{
    irq_disable();
    clock_survey_read();
    irq_enable();
}

/* The edge of the RTC comes once a second; a slice in which it may come looks for nothing else. */
static bool watch_rtc(uint64_t slice)
{
    bool looked;

    irq_disable();
    looked = clock_survey_watch_rtc(rdtsc() + slice);
    irq_enable();
    return looked;
}

void survey_run(void)
{
    const uint64_t slice = tick_facts.calibration.rate.clock_hz / SLICE_PART;

    survey_found.head.smi_known = survey_smis(&survey_found.head.smis);
    for (;;) {
        read_clocks();
        for (unsigned i = 0; i < READ_SLICES; i++)
            if (!watch_rtc(slice))
                gap_watch_slice(&survey_watch, slice);
    }
}

/*
 * SMIs for the survey to find: some keep a period, others do not.  They are due by the clock, and raised by the loop
 * itself between two of its turns, as the only processor must.
 */

#define LONG_US   312u
#define LONG_EACH 250000u /* us */
#define SHORT_US  30u
#define SHORT_EACH 40000u /* us, the mean: from none to twice that */
#define MICRO     1000000u

static struct {
    uint64_t us_q16;           /* clock units in a microsecond, 48.16; set once */
    uint64_t next_long, next_short, state;
    struct survey_disturbed sum;
} disturbance; /* interrupts off */

static uint64_t clocks_of(uint64_t us)
{
    return us * disturbance.us_q16 >> 16;
}

static void raise(uint64_t us)
{
    disturbance.sum.time = smi_raise(clocks_of(us));
    disturbance.sum.count++;
}

static uint64_t drawn(void)
{
    disturbance.state += SPLITMIX64_GAMMA;
    return clocks_of(2ull * SHORT_EACH) * (splitmix64_mix(disturbance.state) >> 48) >> 16;
}

static uint64_t disturb(uint64_t now)
{
    if (disturbance.next_long == 0)
        disturbance.next_long = disturbance.next_short = now;
    if (now >= disturbance.next_long) {
        raise(LONG_US);
        while (disturbance.next_long <= now)
            disturbance.next_long += clocks_of(LONG_EACH);
    } else if (now >= disturbance.next_short) {
        raise(SHORT_US);
        disturbance.next_short = now + drawn();
    }
    return disturbance.next_long < disturbance.next_short ? disturbance.next_long : disturbance.next_short;
}

void survey_disturb(struct gap_watch *w, uint64_t clock_hz)
{
    disturbance.us_q16 = (clock_hz << 16) / MICRO;
    w->disturb = disturb;
    w->disturb_at = 0;
}

struct survey_disturbed survey_disturbed(void)
{
    return disturbance.sum;
}
