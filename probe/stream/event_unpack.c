/* SPDX-License-Identifier: MIT */
/* Keys and times of a frame are lists of indexes; what has none follows its list. */
#include "probe/stream/event_unpack.h"

#include "probe/coding/index_unpack.h"
#include "probe/coding/step_unpack.h"

#define LIST_ROOM (EVENT_FRAME_MAX + EVENT_FRAME_MAX % 2)

_Static_assert(EVENT_FRAME_MAX <= INDEX_FRAME_MAX && EVENT_TIME_MAX == STEP_END,
               "a frame's events are one list, and times end with steps");

bool event_unpack_key(struct event_sent *e, struct leb128_bytes *codes)
{
    e->index = DICTIONARY_NONE;
    if (codes->at == codes->end)
        return false;
    e->class = *codes->at++;
    return leb128_get(codes, &e->argument) && e->argument <= TRACE_ARGUMENT_MAX;
}

static bool get_keys(struct event_batch *b, struct leb128_bytes *codes, uint8_t *form)
{
    uint16_t index[LIST_ROOM];
    struct index_list list = {.index = index, .count = b->count};

    if (!index_unpack(&list, codes) || list.form >= STEP_FORMS)
        return false;
    *form = list.form;
    for (uint32_t i = 0; i < b->count; i++) {
        b->event[i] = (struct event_sent){.index = index[i]};
        if (index[i] >= DICTIONARY_MAX && !(index_is_full(&list, i) && event_unpack_key(&b->event[i], codes)))
            return false;
    }
    return true;
}

/* From the second event on. */
static bool add_steps(struct event_batch *b, uint64_t time, const int64_t *step)
{
    b->event[0].time = time;
    for (uint32_t i = 1; i < b->count; i++) {
        if (!step_add(&time, step[i - 1], b->unit))
            return false;
        b->event[i].time = time;
    }
    return true;
}

static bool get_times(struct event_batch *b, uint64_t time, uint8_t form, struct leb128_bytes *codes)
{
    int64_t step[EVENT_FRAME_MAX];
    const uint32_t count = b->count - 1;

    step[0] = 0;
    if (time == 0)
        return form == STEP_NUMBERS;
    return step_list_read(step, count, form, codes) && add_steps(b, time, step);
}

bool event_unpack(struct event_batch *b, uint64_t time, struct leb128_bytes codes)
{
    uint8_t form;

    return get_keys(b, &codes, &form) && get_times(b, time, form, &codes) && codes.at == codes.end;
}
