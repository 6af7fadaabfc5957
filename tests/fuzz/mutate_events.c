/* SPDX-License-Identifier: MIT */
/*
 * Makes events and classes of states by the image's own encoders: codes that every decoder takes, of a run that no
 * machine has: calls that do not return, tasks that wake twice, steps of nothing and of days.
 */
#include "tests/fuzz/mutate.h"

#include <string.h>

#include "probe/core/mode.h"
#include "probe/stream/class_encode.h"
#include "probe/stream/event_encode.h"

#define EVENTS_MOST 400
#define TASKS       6 /* so few that they come again */

/* Where the frames go. */
struct sink {
    struct fuzz_item *item;
    size_t count, most;
    struct fuzz_output *arena;
};

static void take(void *context, struct wire_writer *w)
{
    struct sink *const to = context;
    const size_t start = to->arena->length;

    if (to->count == to->most)
        return;
    fuzz_put(to->arena, w->bytes + 3, w->length - 3);
    to->item[to->count++] = (struct fuzz_item){w->bytes[0], to->arena->bytes + start, to->arena->length - start};
}

/* Mostly short ones, of one run in four also days. */
static uint64_t some_step(bool days)
{
    switch (fuzz_draw(days ? 12 : 10)) {
    case 0: return 0;
    case 1: return fuzz_draw(10);
    case 2: return fuzz_draw(100000000);
    case 10: return UINT64_C(86400000000000) * (1 + fuzz_draw(30));
    case 11: return UINT64_C(1) << fuzz_draw(58);
    default: return fuzz_draw(20000);
    }
}

static uint64_t some_task(const uint64_t *id)
{
    const uint32_t n = fuzz_draw(TASKS);

    return trace_task((uint32_t)id[n], n + fuzz_draw(2) * fuzz_draw(300));
}

static uint64_t some_argument(unsigned class, const uint64_t *id)
{
    if (!fuzz_draw(30))
        return fuzz_some_number(0, TRACE_ARGUMENT_MAX) & TRACE_ARGUMENT_MAX;
    switch (class) {
    case TRACE_SWITCH: case TRACE_READY: case TRACE_SLEEP: case TRACE_WAKE: case TRACE_START: case TRACE_END:
    case TRACE_CONTINUE: return some_task(id);
    case TRACE_IRQ_EXIT: case TRACE_SYSCALL_EXIT: case TRACE_SERVICE_EXIT: case TRACE_RESUME:
        return trace_exit(fuzz_draw(8), fuzz_draw(fuzz_draw(8) ? 2 * MODES : 256));
    case TRACE_USER: case TRACE_IO_START: case TRACE_IO_END: return fuzz_draw(4) | fuzz_draw(20) << 8;
    default: return fuzz_draw(8);
    }
}

/* An exit follows its entry more often than chance has it. */
static unsigned some_class(unsigned before)
{
    switch (fuzz_draw(3) ? 0 : before) {
    case TRACE_IRQ_ENTER: case TRACE_SYSCALL_ENTER: case TRACE_SERVICE_ENTER: case TRACE_IO_START: case TRACE_MASK:
    case TRACE_TICK_ENTER: case TRACE_PAUSE: return before + 1;
    case TRACE_SLEEP: case TRACE_READY: return TRACE_SWITCH;
    case TRACE_SWITCH: return TRACE_RESUME;
    default: return 1 + fuzz_draw(TRACE_CLASSES_END - 1);
    }
}

static void make_events(struct sink *to, uint64_t epoch, uint64_t time, const uint64_t *id)
{
    static const uint64_t units[] = {1, 1, 1000, 0, UINT64_C(1) << 40};
    static struct event_encoder encoder;
    const struct event_encoder_request request = {epoch, units[fuzz_draw(5)], take, to};
    const bool days = !fuzz_draw(4);
    unsigned class = 0;

    event_encoder_begin(&encoder, &request, some_task(id));
    for (uint32_t n = 1 + fuzz_draw(EVENTS_MOST); n; n--) {
        class = some_class(class);
        time += some_step(days);
        event_encoder_put(&encoder, &(struct trace_event){
            .time = time, .argument = some_argument(class, id), .class = (uint8_t)class,
        });
        if (!fuzz_draw(60))
            event_encoder_skip_to(&encoder, encoder.number + fuzz_draw(100), some_task(id));
        if (!fuzz_draw(60))
            event_encoder_lost(&encoder, encoder.lost + fuzz_draw(100), time);
        if (!fuzz_draw(60))
            event_encoder_flush(&encoder);
    }
    event_encoder_end(&encoder);
}

static void make_states(struct sink *to, uint64_t epoch, uint64_t time)
{
    static struct class_encoder encoder;
    const struct class_encoder_request request = {epoch, fuzz_draw(2) ? 1 : 1000, take, to};
    const bool days = !fuzz_draw(4);

    class_encoder_begin(&encoder, &request);
    for (uint32_t n = 1 + fuzz_draw(EVENTS_MOST); n; n--) {
        struct class_stretch run = {.begin = time, .attributed = fuzz_draw(3), .attribute = fuzz_draw(20)};

        run.code = (uint8_t)fuzz_draw(fuzz_draw(4) ? 5 : CLASS_SENT);
        time += some_step(days);
        run.end = time;
        class_encoder_put(&encoder, &run);
        if (!fuzz_draw(60))
            class_encoder_flush(&encoder);
    }
    class_encoder_end(&encoder, time);
}

size_t fuzz_make_items(uint64_t epoch, uint64_t time, const uint64_t *id, struct fuzz_item *item, size_t most,
                       struct fuzz_output *arena)
{
    struct sink to = {item, 0, most, arena};

    if (fuzz_draw(3))
        make_events(&to, epoch, time, id);
    else
        make_states(&to, epoch, time);
    return to.count;
}
