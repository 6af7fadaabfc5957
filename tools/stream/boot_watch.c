/* SPDX-License-Identifier: MIT */
/* Tells the boots of a board apart. */
#include "tools/stream/boot_watch.h"

#include "probe/stream/wire_fields.h"

static bool take_hello(struct boot_watch *b, const struct wire_hello *hello)
{
    const bool boots = !b->epoch || hello->now < b->now ||
                       (hello->epoch != b->epoch && (b->greeted || hello->now == b->now));

    *b = (struct boot_watch){.epoch = hello->epoch, .now = hello->now};
    return boots;
}

/* A HELLO may be seconds old; a snapshot tells the time too. */
static void take_time(struct boot_watch *b, uint64_t end)
{
    if (end > b->now)
        b->now = end;
}

bool boot_watch_event(struct boot_watch *b, const struct stream_event *event)
{
    struct wire_reader r = event->reader;
    union wire_head head;

    if (event->kind != STREAM_RECORD || !wire_read_head(&r, &head))
        return false;
    switch (r.type) {
    case WIRE_HELLO:
        return take_hello(b, &head.hello);
    case WIRE_TEXT:
        b->greeted |= head.text_record.epoch == 0;
        return false;
    case WIRE_SNAPSHOT:
        take_time(b, head.snapshot.end);
        return false;
    case WIRE_DELTA:
        take_time(b, head.delta.end);
        return false;
    default:
        return false;
    }
}
