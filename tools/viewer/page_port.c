/* SPDX-License-Identifier: MIT */
/* The line to an image, as the page gives it: a file that has no end as long as the line is open, and never waits. */
#include "tools/stream/port.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int port_open(const char *name, unsigned long baud, enum port_use use)
{
    return port_try(name, baud, use);
}

int port_try(const char *name, unsigned long baud, enum port_use use)
{
    (void)baud, (void)use;
    return open(name, O_RDWR);
}

bool port_is_line(const char *path)
{
    (void)path;
    return true;
}

int port_read(int port, uint8_t *bytes, int room, int ms, char *why)
{
    const ssize_t got = read(port, bytes, (size_t)room);

    (void)ms;
    if (got > 0 || (got < 0 && errno == EAGAIN))
        return got > 0 ? (int)got : 0;
    snprintf(why, PORT_WHY, "the line ended");
    return -1;
}

bool port_write(int port, const uint8_t *bytes, size_t length, char *why)
{
    if (write(port, bytes, length) == (ssize_t)length)
        return true;
    snprintf(why, PORT_WHY, "the line cannot be written");
    return false;
}
