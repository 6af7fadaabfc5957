/* SPDX-License-Identifier: MIT */
/* Places are a list of indexes; those that are none are looked for in groups. */
#include "probe/stream/sample_unpack.h"

#include "probe/coding/column_unpack.h"
#include "probe/schedule/memory.h"

_Static_assert(SAMPLE_FRAME_MAX <= INDEX_FRAME_MAX && SAMPLE_PLACES_MAX == DICTIONARY_MAX,
               "places are indexes of such a list");

bool sample_is_place(uint64_t task, uint64_t mode)
{
    return task <= UINT32_MAX && mode <= SAMPLE_DELAY_STEP * DELAY_HANDLER;
}

bool sample_unpack_full(struct leb128_bytes *from, struct sample_location *where)
{
    uint64_t task, pc;
    uint8_t mode;

    if (from->at == from->end)
        return false;
    mode = *from->at++;
    if (!leb128_get(from, &task) || !leb128_get(from, &pc))
        return false;
    *where = (struct sample_location){
        .pc = (uint64_t)wire_unzigzag(pc), .task = (uint32_t)task, .mode = mode,
    };
    return sample_is_place(task, mode);
}

/* Places that are looked at together for one that is no index. */
#define LOOK_AT 8u

_Static_assert((SAMPLE_PLACES_MAX & (SAMPLE_PLACES_MAX - 1)) == 0, "a bit of its own tells what is no index");

/* Whether these LOOK_AT places are indexes. */
static inline bool are_indexes(const uint16_t *place)
{
    const uint64_t no_index = 0x0001000100010001ull * (UINT16_MAX & ~(SAMPLE_PLACES_MAX - 1));
    uint64_t word[2];

    memcpy(word, place, sizeof word);
    return ((word[0] | word[1]) & no_index) == 0;
}

/* Read the places that stand in full; false if there is neither such a place nor an index. */
static bool get_fulls(struct sample_batch *b, const struct index_list *list, struct leb128_bytes *fulls)
{
    for (uint32_t i = 0; i < b->count; i++) {
        while (i + LOOK_AT <= b->count && are_indexes(b->place + i))
            i += LOOK_AT;
        if (i == b->count || b->place[i] < SAMPLE_PLACES_MAX)
            continue;
        if (!index_is_full(list, i) || !sample_unpack_full(fulls, &b->full[b->fulls]))
            return false;
        b->place[i] = (uint16_t)(SAMPLE_PLACES_MAX + b->fulls++);
    }
    return true;
}

bool sample_unpack_places(struct sample_batch *b, struct leb128_bytes codes)
{
    struct index_list list = {.index = b->place, .count = b->count};

    if (!index_unpack(&list, &codes) || list.form > 1)
        return false;
    b->runs = list.form == 1;
    return (list.all < SAMPLE_PLACES_MAX || get_fulls(b, &list, &codes)) && codes.at == codes.end;
}

/* ---- steps ---- */

bool sample_unpack_run(struct leb128_bytes *steps, uint32_t *length, int64_t *step)
{
    static const int64_t near[] = {[SAMPLE_STEP_NONE] = 0, [SAMPLE_STEP_UP] = 1, [SAMPLE_STEP_DOWN] = -1};
    uint64_t far;
    unsigned kind;

    if (steps->at == steps->end)
        return false;
    kind = *steps->at % 4;
    *length = *steps->at++ / 4 + 1u;
    *step = near[kind];
    if (kind == SAMPLE_STEP_NONE)
        return *length == PACK_RUN_MAX + 1;
    if (kind != SAMPLE_STEP_FAR)
        return true;
    if (!leb128_get(steps, &far))
        return false;
    *step = wire_unzigzag(far);
    return true;
}
