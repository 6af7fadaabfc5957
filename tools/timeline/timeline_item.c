/* SPDX-License-Identifier: MIT */
/* What all items of a timeline have. */
#include "tools/timeline/timeline.h"

int64_t timeline_item_begin(const struct timeline_item *item)
{
    switch (item->kind) {
    case TIMELINE_STEP: return item->step.begin;
    case TIMELINE_EVENT: return item->event.time;
    case TIMELINE_CLASS: return item->class.begin;
    default: return item->gap.begin;
    }
}

int64_t timeline_item_end(const struct timeline_item *item)
{
    switch (item->kind) {
    case TIMELINE_STEP: return item->step.begin + item->step.length;
    case TIMELINE_EVENT: return item->event.time;
    case TIMELINE_CLASS: return item->class.begin + item->class.length;
    default: return item->gap.end;
    }
}

const char *gap_cause_text(enum gap_cause cause)
{
    static const char *const text[] = {
        [GAP_FRAMES] = "frames did not arrive",
        [GAP_OVERWRITTEN] = "later ones replaced them in the image",
        [GAP_NO_ROOM] = "the image had no room for them",
        [GAP_PAUSED] = "recording was paused",
        [GAP_CUT] = "the stream ends before them",
        [GAP_BACKWARDS] = "the time went back",
        [GAP_UNKNOWN] = "the image did not know the state that its tree asks for",
    };

    return text[cause];
}
