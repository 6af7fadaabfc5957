/* SPDX-License-Identifier: MIT */
/* The line of progress of a reading. */
#include "tools/stream/read_progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/pager.h"

#define SILENT_S 1.0 /* a shorter reading needs no line */
#define EVERY_S  0.2
#define BAR      30

void read_progress_begin(struct read_progress *p, int file)
{
    struct stat what;

    *p = (struct read_progress){.terminal = pager_terminal(), .began = monotonic_seconds()};
    p->due = p->began + SILENT_S;
    if (file >= 0 && !fstat(file, &what) && S_ISREG(what.st_mode) && what.st_size > 0)
        p->size = (uint64_t)what.st_size;
}

/* A file may grow while it is read. */
static double fraction(const struct read_progress *p)
{
    return p->read < p->size ? (double)p->read / (double)p->size : 1.0;
}

void read_progress_print(const struct read_progress *p, double seconds, char line[READ_PROGRESS_LINE])
{
    const double f = fraction(p);
    char bar[BAR + 1];

    if (!p->size) {
        snprintf(line, READ_PROGRESS_LINE, "reading: %.0f MB in %.0f s", (double)p->read * 1e-6, seconds);
        return;
    }
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(f * BAR));
    bar[BAR] = '\0';
    snprintf(line, READ_PROGRESS_LINE, "reading [%s] %3.0f %%, %.0f s left", bar, 100.0 * f,
             p->read ? seconds * (1.0 - f) / f : 0.0);
}

/*
 * The cursor returns to the first column, so that a message replaces the line.
 * A terminal that is gone matters to nobody.
 */
static void show(struct read_progress *p, double now)
{
    char line[READ_PROGRESS_LINE];

    read_progress_print(p, now - p->began, line);
    p->due = now + EVERY_S;
    p->shown = dprintf(p->terminal, "\r\033[K%s\r", line) > 0;
}

void read_progress_add(struct read_progress *p, size_t bytes)
{
    double now;

    p->read += bytes;
    if (p->terminal < 0)
        return;
    now = monotonic_seconds();
    if (now >= p->due)
        show(p, now);
}

void read_progress_end(struct read_progress *p)
{
    if (p->shown)
        dprintf(p->terminal, "\r\033[K");
    p->shown = false;
    p->terminal = -1;
}
