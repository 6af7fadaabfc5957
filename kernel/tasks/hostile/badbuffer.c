/* SPDX-License-Identifier: MIT */
/*
 * Hands buffers to SYS_PS and SYS_PERF that they must not write, or not past their end: reports how many answers were
 * wrong, and then how many calls there were, each second.
 */
#include "kernel/abi/calls.h"
#include "probe/stats/process_entry.h"

#define DENIED    UINT64_MAX
#define PAGE      4096u
#define SECOND_US 1000000u
#define STACK_TOP 0x00007ffffffff000ull /* USER_STACK_TOP of kernel/mm/paging.h */
#define MARK      0xa5u

int main(void);

/* Two pages in a row, and one behind them. */
static uint8_t pages[3 * PAGE] __attribute__((aligned(PAGE)));
static uint8_t *const second = pages + PAGE, *const end = pages + 2 * PAGE;
static uint64_t calls, wrong;

static uint64_t ask(uint64_t number, uint64_t address, uint64_t bytes)
{
    calls++;
    return call(number, address, bytes);
}

static void expect(int right)
{
    wrong += !right;
}

/* All that is mapped there is not to be written, or nothing is. */
static void ask_where_nothing_can_be(uint64_t address)
{
    expect(ask(SYS_PS, address, UINT64_MAX) == DENIED);
    expect(ask(SYS_PERF, address, UINT64_MAX) == DENIED);
}

static void ask_everywhere(void)
{
    static const uint64_t address[] = {
        0, 8, 0x10000, STACK_TOP, STACK_TOP - 8, 0x0000800000000000, 0x0000ffffffffffff, 0x8000000000000000,
        0xffff800000000000, 0xffffc00000000000, 0xffffffff80100000, UINT64_MAX - 7, UINT64_MAX,
    };

    for (unsigned i = 0; i < sizeof address / sizeof *address; i++)
        ask_where_nothing_can_be(address[i]);
    ask_where_nothing_can_be((uint64_t)main);
}

static int is_marked(const uint8_t *from, const uint8_t *to)
{
    while (from < to && *from == MARK)
        from++;
    return from == to;
}

static void mark(void)
{
    for (uint8_t *at = pages; at < end; at++)
        *at = MARK;
}

/*
 * So many bytes at the end of the first page, or across it: no byte past them, and none where an entry has no room.
 */
static void ask_for(uint64_t bytes, uint8_t *at)
{
    const uint64_t entries = bytes / sizeof(struct process_entry);
    const uint64_t counters = bytes >= sizeof(struct perf_counters) ? sizeof(struct perf_counters) : 0;

    mark();
    expect(ask(SYS_PS, (uint64_t)at, bytes) > entries);
    expect(is_marked(pages, at) && is_marked(at + entries * sizeof(struct process_entry), end));
    mark();
    expect(ask(SYS_PERF, (uint64_t)at, bytes) == 1);
    expect(is_marked(pages, at) && is_marked(at + counters, end));
}

static void ask_at_ends(void)
{
    for (uint64_t bytes = 0; bytes <= 3 * sizeof(struct process_entry); bytes += 7) {
        ask_for(bytes, second - bytes);
        ask_for(bytes, second - bytes / 2);
        ask_for(bytes, end - bytes);
    }
}

int main(void)
{
    for (;;) {
        call(SYS_SLEEP, SECOND_US, 0);
        ask_everywhere();
        ask_at_ends();
        call(SYS_REPORT, wrong, 0);
        call(SYS_REPORT, calls, 0);
    }
}
