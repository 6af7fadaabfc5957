/* SPDX-License-Identifier: MIT */
/* Reads and sets any rate of a serial line by termios2. */
#include "tools/stream/line_rate.h"

#include <asm/termbits.h>
#include <errno.h>
#include <sys/ioctl.h>

#define PARTS 40 /* one of these, 2.5 %, is how far a rate may be off */

unsigned long line_rate(int line)
{
    struct termios2 now;

    return ioctl(line, TCGETS2, &now) ? 0 : now.c_ospeed;
}

bool line_rate_set(int line, unsigned long baud)
{
    struct termios2 now;
    unsigned long off;

    if (ioctl(line, TCGETS2, &now))
        return false;
    now.c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
    now.c_cflag |= BOTHER | BOTHER << IBSHIFT;
    now.c_ispeed = now.c_ospeed = (speed_t)baud;
    if (ioctl(line, TCSETS2, &now) || ioctl(line, TCGETS2, &now))
        return false;
    off = now.c_ospeed > baud ? now.c_ospeed - baud : baud - now.c_ospeed;
    errno = EINVAL;
    return off <= baud / PARTS;
}
