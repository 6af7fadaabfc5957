/* SPDX-License-Identifier: MIT */
/* Buckets without a hit between others are drawn too, so that the scale is even. */
#include "tools/view/duration_view.h"

#include <inttypes.h>

#include "tools/analysis/execution_time.h"
#include "tools/draw/chart.h"
#include "tools/draw/svg.h"

#define BESIDE 36 /* columns of the numbers */
#define HEIGHT 340.0

static uint64_t most_hits(const struct duration_histogram *h)
{
    uint64_t most = 0;

    for (unsigned b = 0; b < DURATION_BUCKETS; b++)
        if (h->bucket[b] > most)
            most = h->bucket[b];
    return most;
}

static void print_bar(uint64_t hits, uint64_t most, unsigned columns, FILE *out)
{
    const unsigned length = most ? (unsigned)((double)hits / (double)most * columns + 0.5) : 0;

    for (unsigned i = 0; i < length || (hits && !i); i++)
        fputc('*', out);
}

static void print_bucket(const struct duration_view *v, unsigned b, uint64_t most, FILE *out)
{
    const struct duration_histogram *h = v->histogram;
    const unsigned bar = v->columns > BESIDE + 10 ? v->columns - BESIDE : 10;

    duration_print((double)duration_histogram_from(h, b) / v->hz, out);
    if (b + 1 < DURATION_BUCKETS) {
        fputs(" -", out);
        duration_print((double)duration_histogram_from(h, b + 1) / v->hz, out);
    } else {
        fputs(" and more   ", out);
    }
    fprintf(out, " %10" PRIu64 " ", h->bucket[b]);
    print_bar(h->bucket[b], most, bar, out);
    fputc('\n', out);
}

void duration_view_print(const struct duration_view *v, FILE *out)
{
    const struct duration_histogram *h = v->histogram;
    const uint64_t most = most_hits(h);
    unsigned first, end;

    fprintf(out, "%s: %" PRIu64 " times", v->title, h->count);
    if (h->count) {
        fputs(", in all ", out);
        duration_print((double)h->total / v->hz, out);
        fputs(", mean ", out);
        duration_print((double)h->total / v->hz / (double)h->count, out);
        fputs(", least ", out);
        duration_print((double)h->least / v->hz, out);
        fputs(", greatest ", out);
        duration_print((double)h->greatest / v->hz, out);
        fprintf(out, " at %.9f s", (double)h->greatest_at / v->hz);
    }
    fputs("\n\n", out);
    duration_histogram_range(h, &first, &end);
    for (unsigned b = first; b < end; b++)
        print_bucket(v, b, most, out);
}

/* ---- SVG ---- */

static void draw_bars(const struct duration_view *v, const struct chart *c, double unit, unsigned first, unsigned end)
{
    struct svg_box box[DURATION_BUCKETS];
    size_t boxes = 0;

    for (unsigned b = first; b < end; b++) {
        const double low = (double)duration_histogram_from(v->histogram, b) / v->hz / unit;
        const double high = (double)duration_histogram_from(v->histogram, b + 1) / v->hz / unit;
        const double left = scale_place(&c->x, low > c->x.low ? low : c->x.low), right = scale_place(&c->x, high);
        const double top = scale_place(&c->y, (double)v->histogram->bucket[b]);

        if (v->histogram->bucket[b])
            box[boxes++] = (struct svg_box){left + 0.5, top, right - left - 1.0, c->y.from - top};
    }
    if (boxes)
        svg_boxes(c->out, box, boxes, svg_fill(0));
}

bool duration_view_svg(const void *view, FILE *out)
{
    const struct duration_view *v = view;
    const struct duration_histogram *h = v->histogram;
    unsigned first, end;
    struct time_unit unit;
    double low, high;
    char name[32];

    duration_histogram_range(h, &first, &end);
    high = (double)duration_histogram_from(h, end ? end : 1) / v->hz;
    low = h->width ? (double)duration_histogram_from(h, first) / v->hz
                   : (double)duration_histogram_from(h, first ? first : 1) / v->hz;
    if (!(low < high))
        high = 2.0 * low;
    unit = time_unit_of(high);
    snprintf(name, sizeof(name), "duration, %s", unit.name);
    {
        struct chart c = {
            .out = out, .width = v->width, .height = HEIGHT, .title = v->title, .note = "", .x_name = name,
            .y_name = "times", .left = 40.0,
            .x = {.low = low / unit.seconds, .high = high / unit.seconds, .logarithmic = !h->width},
            .y = {.low = 0.0, .high = scale_top((double)most_hits(h))},
        };

        chart_begin(&c);
        chart_x_axis(&c);
        chart_y_axis(&c);
        draw_bars(v, &c, unit.seconds, first, end);
        return chart_end(&c);
    }
}
