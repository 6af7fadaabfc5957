/* SPDX-License-Identifier: MIT */
/* The RTC's line through an I/O APIC or through the 8259. */
#include "kernel/source/rtc_line.h"

#include "kernel/cpu/cpu.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/firmware/gsi.h"
#include "kernel/cpu/irq.h"

#define PROOF_PART 500u /* of a second: 16 periods at the highest rate, in which the request reaches both */

bool rtc_line_by_input;            /* legend in rtc_line.h */
static const char *why; /* not by the input; at the start, as the next two */
static bool tried;
static unsigned gsi;

/* Of one proof.  The handlers leave register C alone: with its line the request at the other would vanish. */
static volatile bool by_8259, by_input, input_first;

static void note_8259(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    (void)now;
    by_8259 = true;
    pic_eoi(RTC_IRQ);
}

static void note_input(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    (void)now;
    input_first = input_first || !by_8259;
    by_input = true;
    lapic_eoi();
}

/* One edge at both, and the line stays up until both were served. */
static void prove(uint64_t clock_hz)
{
    const uint64_t begin = rdtsc();

    by_8259 = by_input = input_first = false;
    rtc_start_periodic(RTC_HZ_MOST);
    while (rdtsc() - begin < clock_hz / PROOF_PART)
        continue;
    cpu_take_pending();
    rtc_stop();
    cpu_take_pending();
}

/* NULL: it works. */
static const char *try_input(uint64_t clock_hz)
{
    for (unsigned i = 0; i < RTC_LINE_PROOFS; i++) {
        prove(clock_hz);
        if (!by_input)
            return "the I/O APIC does not bring its interrupt";
        if (!input_first)
            return "the local APIC has requests of the 8259 come first, and so the line's";
    }
    return 0;
}

static const char *look(uint64_t clock_hz)
{
    const struct madt_line *const told = &firmware_tables()->madt.isa[RTC_IRQ];
    const char *wrong;

    gsi = gsi_of_irq(RTC_IRQ);
    if (!lapic_in_use())
        return "there is no local APIC";
    if (told->active_low || told->level)
        return "firmware tells of IRQ 8 that it is active low or level-triggered";
    irq_register_tick(PIC_SLAVE_VECTOR, note_8259, false);
    irq_register_tick(RTC_VECTOR, note_input, false);
    if (!gsi_open(gsi, RTC_VECTOR))
        return "no I/O APIC has its interrupt";
    pic_unmask(RTC_IRQ);
    wrong = try_input(clock_hz);
    gsi_mask(gsi);
    pic_mask(RTC_IRQ);
    return wrong;
}

void rtc_line_choose(uint64_t clock_hz)
{
    tried = true;
    why = look(clock_hz);
    irq_register_tick(PIC_SLAVE_VECTOR, 0, false);
    irq_register_tick(RTC_VECTOR, 0, false);
    rtc_line_by_input = why == 0;
}

void rtc_line_use_8259(void)
{
    rtc_line_by_input = false;
    why = "too few interrupts come by the I/O APIC";
}

void rtc_line_open(void)
{
    if (rtc_line_by_input)
        gsi_open(gsi, RTC_VECTOR);
    else
        pic_unmask(RTC_IRQ);
}

/*
 * The second 8259 keeps a request whose line rtc_stop() has lowered, and so does the first one: masked instead of let
 * in it would come as a spurious IRQ 15.  The local APIC keeps its own, too.
 */
void rtc_line_close(void)
{
    cpu_take_pending();
    if (rtc_line_by_input)
        gsi_mask(gsi);
    else
        pic_mask(RTC_IRQ);
}

void rtc_line_put(struct text_buf *b)
{
    if (!tried)
        buf_text(b, "not tried");
    else if (rtc_line_by_input)
        buf_parts(b, "through interrupt ", DECIMAL(gsi), " of the I/O APIC: 1 port access a tick");
    else
        buf_parts(b, "through the 8259: ", why, ": ", DECIMAL(2 + !pic_automatic), " port accesses a tick");
}
