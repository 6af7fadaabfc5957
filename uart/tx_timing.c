/* SPDX-License-Identifier: MIT */
/* Whether a transmitter is paced: three bytes are sent and two of them timed. */
#include "uart/tx_timing.h"

#include "uart/uart_regs.h"

#define LONGEST   999999u
#define POLLS     10000000u /* bound of a wait, in case the clock stands still */
#define LEAST     750u  /* thousandths of a character's time: paced from here on */
#define MOST      1500u
#define AT_ONCE   100u  /* thousandths: unpaced below this */

static bool await(const struct uart *u, uint8_t bits, uint64_t (*clock)(void), uint64_t longest)
{
    const uint64_t begin = clock();

    for (uint32_t i = 0; i < POLLS && clock() - begin <= longest; i++)
        if ((uart_status(u) & bits) == bits)
            return true;
    return (uart_status(u) & bits) == bits; /* check once more: the polling may have been delayed */
}

uint32_t uart_thousandths(uint64_t took, uint64_t character)
{
    if (took >= character * (LONGEST / 1000))
        return LONGEST;
    return (uint32_t)((took * 1000 + character / 2) / character);
}

enum uart_pace uart_pace_of(const uint64_t took[2], uint64_t character)
{
    const uint32_t a = uart_thousandths(took[0], character), b = uart_thousandths(took[1], character);

    if (a < AT_ONCE && b < AT_ONCE)
        return UART_UNPACED;
    if (a >= LEAST && a <= MOST && b >= LEAST && b <= MOST)
        return UART_PACED;
    return UART_UNEVEN;
}

enum uart_pace uart_pace(const struct uart *u, uint64_t (*clock)(void), uint64_t character,
                         uint64_t took[2])
{
    const uint64_t longest = character * (UART_FIFO_DEPTH + 1) * 3 / 2;
    uint64_t at;

    took[0] = took[1] = 0;
    if (!await(u, UART_LSR_THRE | UART_LSR_TEMT, clock, longest))
        return UART_STUCK;
    uart_write(u, 0);
    if (!await(u, UART_LSR_THRE, clock, longest))
        return UART_STUCK;
    for (int i = 0; i < 2; i++) {
        at = clock();
        uart_write(u, 0);
        if (!await(u, UART_LSR_THRE, clock, longest))
            return UART_STUCK;
        took[i] = clock() - at;
    }
    return uart_pace_of(took, character);
}

/* Wait for room; `seen`: the clock before and after the look that found it. */
static bool await_seen(const struct uart *u, uint64_t (*clock)(void), uint64_t longest, uint64_t seen[2])
{
    const uint64_t begin = clock();

    seen[0] = begin;
    for (uint32_t i = 0; i < POLLS; i++) {
        const bool room = uart_status(u) & UART_LSR_THRE;

        seen[1] = clock();
        if (room || seen[1] - begin > longest)
            return room;
        seen[0] = seen[1];
    }
    return false;
}

void uart_time_bytes(const struct uart *u, uint64_t (*clock)(void), uint64_t character, uint8_t byte, unsigned bytes,
                     uint64_t bound[2])
{
    const uint64_t longest = character * (UART_FIFO_DEPTH + 1) * 3 / 2;
    uint64_t first[2], last[2];
    bool sent = await(u, UART_LSR_THRE | UART_LSR_TEMT, clock, longest);

    bound[0] = bound[1] = 0;
    for (int i = 0; i < 2 && sent; i++) {
        uart_write(u, byte);
        sent = await_seen(u, clock, longest, first);
    }
    for (unsigned i = 0; i < bytes && sent; i++) {
        uart_write(u, byte);
        sent = await_seen(u, clock, longest, last);
    }
    if (!sent || bytes == 0)
        return;
    bound[0] = last[0] > first[1] ? last[0] - first[1] : 0;
    bound[1] = last[1] - first[0];
}
