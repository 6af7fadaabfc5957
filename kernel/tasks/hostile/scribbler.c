/* SPDX-License-Identifier: MIT */
/*
 * A program that writes garbage into the pages that it shares with the kernel, random numbers and
 * then numbers that are nearly right, and asks for them to be read: for the tests.
 */
#include "kernel/abi/monitor.h"

#define WORDS  (MONITOR_PAGES * 4096u / 8)
#define HEADER 8u /* words of the page's head */

static uint64_t state = 88172645463325252u;

/* xorshift64 (Marsaglia, "Xorshift RNGs", 2003). */
static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void scribble(volatile uint64_t *to, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        to[i] = draw();
}

/* Records of the past, of the future and of now, more than there is room for. */
static void nearly_right(volatile struct monitor_page *page)
{
    const uint64_t kind = draw();

    page->limit = UINT64_MAX;
    page->away = draw();
    for (uint64_t i = 0; i < kind % (3 * MONITOR_RECORDS); i++) {
        volatile struct monitor_record *const record = &page->record[page->put % MONITOR_RECORDS];

        record->time = monitor_tsc() + (kind >> 32 & 3 ? 0 : (draw() & 0xffffff) - 0x800000);
        record->code = draw();
        page->put++;
    }
}

int main(void)
{
    volatile struct monitor_page *const page = (volatile struct monitor_page *)(uint64_t)MONITOR_PAGE;

    for (;;) {
        scribble((volatile uint64_t *)page, draw() & 1 ? WORDS : HEADER);
        call(SYS_MONITOR, 0, 0);
        page->put = 0;
        call(SYS_MONITOR, 0, 0);
        nearly_right(page);
        call(SYS_MONITOR, draw(), draw());
    }
}
