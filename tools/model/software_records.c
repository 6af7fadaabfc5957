/* SPDX-License-Identifier: MIT */
/* The records of the software monitors. */
#include "tools/model/software_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/* An interrupt may end a halt a little after the reading of the clock that closed the window. */
static bool is_possible(const struct wire_idle *i)
{
    return i->begin <= i->end && i->idle <= i->end - i->begin && i->io <= i->idle;
}

/* Cumulative, of one beginning. */
static bool follows(const struct wire_idle *i, const struct wire_idle *before)
{
    return i->begin == before->begin && i->end >= before->end && i->idle >= before->idle && i->io >= before->io && i->halts >= before->halts &&
           i->idle - before->idle <= i->end - before->end;
}

size_t software_add_idle(struct software_records *s, const struct wire_idle *from, struct violations **v)
{
    if (!is_possible(from)) {
        violation_note(v, VIOLATION_VALUE, "IDLE of snapshot %" PRIu64, from->serial);
        return 0;
    }
    if (s->idle_count && !follows(from, &s->idle[s->idle_count - 1])) {
        violation_note(v, VIOLATION_BACKWARD, "IDLE of snapshot %" PRIu64, from->serial);
        return 0;
    }
    GROW(s->idle, s->idle_count);
    s->idle[s->idle_count++] = *from;
    return sizeof(*from);
}

static bool disk_follows(const struct wire_disk *d, const struct wire_disk *before)
{
    return d->time >= before->time && d->requests >= before->requests && d->done >= before->done &&
           d->refused >= before->refused && d->blocks >= before->blocks && d->busy >= before->busy &&
           d->queue >= before->queue && d->waits >= before->waits && d->longest >= before->longest;
}

size_t software_add_disk(struct software_records *s, const struct wire_disk *from, struct violations **v)
{
    if (from->done > from->requests || from->busy > from->time) {
        violation_note(v, VIOLATION_VALUE, "DISK");
        return 0;
    }
    if (s->disk_count && !disk_follows(from, &s->disk[s->disk_count - 1])) {
        violation_note(v, VIOLATION_BACKWARD, "DISK");
        return 0;
    }
    GROW(s->disk, s->disk_count);
    s->disk[s->disk_count++] = *from;
    return sizeof(*from);
}

void software_records_free(struct software_records *s)
{
    free(s->idle);
    free(s->disk);
    memset(s, 0, sizeof(*s));
}
