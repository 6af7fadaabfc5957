/* SPDX-License-Identifier: MIT */
/* A recorded world, from the log of an image. */
#include "tests/host/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/records/transitions.h"
#include "tools/stream/stream_reader.h"

#define BUCKETS 65536u

static bool refuse(const char *why)
{
    fprintf(stderr, "recorded world: %s\n", why);
    return false;
}

/* Its number, made if it is new; CELLS_MAX: there are too many. */
static unsigned cell_of(struct recorded *w, const struct transition *t)
{
    unsigned c = MASKED_CELL + 1;

    while (c < w->cells && (w->cell[c].id != t->id || w->cell[c].mode != t->mode))
        c++;
    if (c == w->cells && c < CELLS_MAX)
        w->cell[w->cells++] = (struct recorded_cell){t->id, t->mode};
    return c;
}

static const char *add(struct recorded *w, const struct transition *t, int64_t *now)
{
    const unsigned cell = t->monitor ? 0 : cell_of(w, t);
    const uint64_t before = w->segments ? w->segment[w->segments - 1].end : 0;

    if (t->monitor) {
        /* A tick that tore a way out of the kernel is logged in two stretches with no time between them. */
        if (!w->ticks || w->tick[w->ticks - 1] != (uint64_t)*now) {
            w->tick[w->ticks++] = (uint64_t)*now;
            w->handled[w->ticks] = w->handled[w->ticks - 1];
        }
        w->handled[w->ticks] += (uint64_t)t->time;
        return NULL;
    }
    if (!t->known)
        return "a task of the log has no id";
    if (cell == CELLS_MAX)
        return "there are more cells than fit";
    *now += t->time;
    if (*now <= (int64_t)before) { /* what goes below 0 is taken off what follows */
        w->apart |= before > 0 && w->segment[w->segments - 1].cell != cell;
        return NULL;
    }
    if (before > 0 && !w->apart && w->segment[w->segments - 1].cell == cell &&
        w->segment[w->segments - 1].masked == t->masked)
        w->segments--; /* a tick interrupted it */
    w->segment[w->segments++] = (struct segment){(uint64_t)*now, cell, t->masked};
    w->apart = false;
    return NULL;
}

static void index_segments(struct recorded *w)
{
    uint64_t sum[CELLS_MAX] = {0}, from = 0;
    size_t next = 0;

    w->grain = w->length / BUCKETS + 1;
    w->bucket = xrealloc_array(NULL, BUCKETS + 1, sizeof(*w->bucket));
    w->sum = xrealloc_array(NULL, (size_t)(BUCKETS + 1) * CELLS_MAX, sizeof(*w->sum));
    for (uint32_t b = 0; b <= BUCKETS; b++) {
        while (next + 1 < w->segments && w->segment[next].end <= b * w->grain) {
            const struct segment *s = &w->segment[next++];

            sum[s->masked ? MASKED_CELL : s->cell] += s->end - from;
            from = s->end;
        }
        w->bucket[b] = (uint32_t)next;
        memcpy(w->sum + (size_t)b * CELLS_MAX, sum, sizeof(sum));
    }
}

/* The changes of a dump, from its frames. */
struct adding {
    struct recorded *world;
    struct transition_rows rows;
    int64_t now;
    const char *why; /* it cannot be a world; NULL: it can */
};

static void take_frame(void *context, const struct stream_event *event)
{
    struct adding *a = context;
    struct transition one;

    if (event->kind != STREAM_RECORD || event->reader.type != WIRE_TRANSITIONS)
        return;
    transition_rows_frame(&a->rows, event->reader);
    while (transition_rows_next(&a->rows, &one) && !a->why)
        a->why = add(a->world, &one, &a->now);
}

bool recorded_from(struct recorded *w, const struct epoch *e, const char *path)
{
    static struct frame_decoder stream;
    const struct transitions *t = e->transitions;
    struct adding a = {.world = w, .rows.meaning = t};

    *w = (struct recorded){.cells = MASKED_CELL + 1};
    if (!t || !t->count || !e->has_hello)
        return refuse("there is no log of changes");
    if (t->lost || !t->told || transitions_missing(t))
        return refuse("the log of changes is not whole");
    w->segment = xrealloc_array(NULL, t->count, sizeof(*w->segment));
    w->tick = xrealloc_array(NULL, t->count, sizeof(*w->tick));
    w->handled = xrealloc_array(NULL, t->count + 1, sizeof(*w->handled));
    w->handled[0] = 0;
    w->late = e->hello.late - e->hello.floor;
    w->halt_late = e->hello.halt_late - e->hello.halt_floor;
    stream_decode(path, &stream, take_frame, &a);
    if (a.why)
        return refuse(a.why);
    if (!w->segments)
        return refuse("nothing goes on in it");
    w->length = w->segment[w->segments - 1].end;
    index_segments(w);
    return true;
}

void recorded_free(struct recorded *w)
{
    free(w->segment);
    free(w->tick);
    free(w->handled);
    free(w->bucket);
    free(w->sum);
}

size_t recorded_find(const struct recorded *w, uint64_t at)
{
    size_t s = w->bucket[at / w->grain];

    while (w->segment[s].end <= at)
        s++;
    return s;
}

void recorded_time(const struct recorded *w, uint64_t at, uint64_t time[CELLS_MAX])
{
    const uint64_t b = at / w->grain;
    size_t s = w->bucket[b];
    uint64_t from = s ? w->segment[s - 1].end : 0;

    for (unsigned c = 0; c < CELLS_MAX; c++)
        time[c] += w->sum[b * CELLS_MAX + c];
    while (from < at) {
        const uint64_t end = w->segment[s].end < at ? w->segment[s].end : at;

        time[w->segment[s].masked ? MASKED_CELL : w->segment[s].cell] += end - from;
        from = end;
        s++;
    }
}

unsigned recorded_sample(const struct recorded *w, uint64_t *at)
{
    const uint64_t expiry = *at;
    size_t s = recorded_find(w, expiry);
    const struct segment *next;
    bool halted;

    while (w->segment[s].masked && s + 1 < w->segments)
        *at = w->segment[s++].end;
    next = &w->segment[s];
    halted = !next->masked && w->cell[next->cell].id == ROW_IDLE;
    if (*at - expiry > w->late && (!halted || *at - expiry > w->halt_late))
        return MASKED_CELL;
    return next->cell;
}

bool machine_from(struct machine *m, const char *path)
{
    static struct frame_decoder stream;
    const struct epoch *e;

    m->model = (struct model){0};
    model_read(path, &stream, &m->model);
    e = model_choose(&m->model, 0);
    if (!e || !recorded_from(&m->world, e, path)) {
        model_free(&m->model);
        return false;
    }
    m->epoch = e;
    m->unit = e->hello.unit;
    m->rearm = m->unit ? 0 : e->hello.handler - e->hello.lead;
    m->handler = m->world.ticks ? m->world.handled[m->world.ticks] / m->world.ticks : 0;
    return true;
}

void machine_free(struct machine *m)
{
    recorded_free(&m->world);
    model_free(&m->model);
}
