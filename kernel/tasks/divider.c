/* SPDX-License-Identifier: MIT */
/*
 * Crowe's example of a short operation that is timed by samples ("Applications of CPU probes"): an emulated division
 * of 32 bits, done as often as the argument says.  Reports the sum of the quotients.
 */
#include "kernel/abi/calls.h"

#define WAIT_US   1000000u /* until other tasks run */
#define FACTOR    1664525u /* of the operands: next = FACTOR * last + STEP, as in Numerical Recipes */
#define STEP      1013904223u
#define DIVISOR   12       /* a divisor has so many bits fewer than a dividend */

/* By shift and subtract, a bit of the quotient at a time, as a machine without such an instruction does. */
__attribute__((noipa)) static uint32_t divide(uint32_t dividend, uint32_t divisor)
{
    uint64_t rest = 0;
    uint32_t quotient = dividend;

    for (int bit = 0; bit < 32; bit++) {
        rest = rest << 1 | quotient >> 31;
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    return quotient;
}

int main(uint64_t divisions)
{
    uint32_t operand = 1;
    uint64_t sum = 0;

    call(SYS_SLEEP, WAIT_US, 0);
    for (; divisions > 0; divisions--) {
        const uint32_t dividend = operand = FACTOR * operand + STEP;

        operand = FACTOR * operand + STEP;
        sum += divide(dividend, operand >> DIVISOR | 1);
    }
    call(SYS_REPORT, sum, 0);
    return 0;
}
