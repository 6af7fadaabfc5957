/* SPDX-License-Identifier: MIT */
/* Draws a Kiviat graph: axes and rings first, then a polygon, marks and limits for each run. */

#include "tools/draw/kiviat.h"

#include <math.h>

#include "tools/draw/chart.h"
#include "tools/draw/svg.h"

#define WIDTH  640.0
#define HEIGHT 620.0
#define BESIDE 130.0 /* room for the names of axes, left and right */
#define ABOVE  44.0  /* the same above and below */
#define RINGS  4
#define MARK   3.5   /* half of a run's mark */
#define NAME   22    /* characters of an axis' name that are drawn */
#define APART  4.0   /* px between the error bars of two runs */
#define CELL   21    /* columns of a run in a terminal */

static double greatest(const struct kiviat *k, unsigned axis)
{
    double top = 0.0;

    for (unsigned r = 0; r < k->runs; r++) {
        const struct kiviat_value *v = &k->of[r][axis];

        top = fmax(top, fmax(isfinite(v->value) ? v->value : 0.0, isfinite(v->high) ? v->high : 0.0));
    }
    return top;
}

/* Where an axis ends. */
static double top_of(const struct kiviat *k, unsigned axis)
{
    double top = greatest(k, axis);

    for (unsigned a = 0; a < k->axes && k->one_scale; a++)
        top = fmax(top, greatest(k, a));
    return scale_top(top);
}

/* ---- terminal ---- */

static void print_value(const struct kiviat_value *v, FILE *out)
{
    char text[64] = "n.a.";
    int length = 4;

    if (isfinite(v->value))
        length = snprintf(text, sizeof(text), "%.2f", v->value);
    if (isfinite(v->value) && isfinite(v->low) && isfinite(v->high))
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %.2f-%.2f", v->low, v->high);
    fprintf(out, "  %*s", CELL - 2, text);
}

void kiviat_print(const struct kiviat *k, FILE *out)
{
    for (unsigned r = 0; r < k->runs; r++)
        fprintf(out, "%c  %s\n", 'A' + (char)r, k->run[r]);
    fprintf(out, "\n%-*s", NAME, "Axis");
    for (unsigned r = 0; r < k->runs; r++)
        fprintf(out, "  %*c %%", CELL - 4, 'A' + (char)r);
    fprintf(out, "  %9s\n%-*s", "axis to %", NAME, "====");
    for (unsigned r = 0; r < k->runs; r++)
        fprintf(out, "  %*s", CELL - 2, "===================");
    fprintf(out, "  %9s\n", "=========");
    for (unsigned a = 0; a < k->axes; a++) {
        fprintf(out, "%-*s", NAME, k->axis[a]);
        for (unsigned r = 0; r < k->runs; r++)
            print_value(&k->of[r][a], out);
        fprintf(out, "  %9.4g\n", top_of(k, a));
    }
}

/* ---- SVG ---- */

struct ring {
    struct svg_point centre;
    double radius;
};

/* A place on an axis; the first axis goes up, the others follow clockwise. */
static struct svg_point on_axis(const struct kiviat *k, const struct ring *ring, unsigned axis, double share)
{
    const double angle = 2.0 * M_PI * (double)axis / (double)k->axes;

    return (struct svg_point){ring->centre.x + sin(angle) * share * ring->radius,
                              ring->centre.y - cos(angle) * share * ring->radius};
}

static void put_rings(const struct kiviat *k, const struct ring *ring, FILE *out)
{
    for (unsigned n = 1; n <= RINGS; n++)
        for (unsigned a = 0; a < k->axes; a++)
            svg_line(out, on_axis(k, ring, a, (double)n / RINGS),
                     on_axis(k, ring, (a + 1) % k->axes, (double)n / RINGS), "grid");
    for (unsigned a = 0; a < k->axes; a++)
        svg_line(out, ring->centre, on_axis(k, ring, a, 1.0), "grid");
}

/* The name of an axis and the value at its end, outside of the last ring. */
static void put_names(const struct kiviat *k, const struct ring *ring, FILE *out)
{
    for (unsigned a = 0; a < k->axes; a++) {
        const struct svg_point end = on_axis(k, ring, a, 1.0);
        const double right = end.x - ring->centre.x, below = end.y - ring->centre.y;
        const enum svg_anchor anchor = fabs(right) < 1.0 ? SVG_MIDDLE : right > 0.0 ? SVG_START : SVG_END;
        const double x = end.x + (anchor == SVG_MIDDLE ? 0.0 : right > 0.0 ? 8.0 : -8.0);
        const double y = end.y + (anchor != SVG_MIDDLE ? 0.0 : below > 0.0 ? 16.0 : -20.0);
        char name[NAME + 1], top[32];

        snprintf(name, sizeof(name), "%s", k->axis[a]);
        snprintf(top, sizeof(top), "%.4g %%", top_of(k, a));
        svg_text(out, (struct svg_point){x, y}, anchor, "text", name);
        svg_text(out, (struct svg_point){x, y + 13.0}, anchor, "small", top);
    }
}

static struct svg_point place(const struct kiviat *k, const struct ring *ring, unsigned axis, double value)
{
    return on_axis(k, ring, axis, fmin(fmax(value, 0.0) / top_of(k, axis), 1.0));
}

/* Four shapes, so that runs differ without colours too. */
static void put_mark(unsigned run, struct svg_point at, FILE *out)
{
    const struct svg_point up[] = {{at.x, at.y - MARK - 1}, {at.x + MARK + 1, at.y + MARK},
                                   {at.x - MARK - 1, at.y + MARK}},
                           diamond[] = {{at.x, at.y - MARK - 1.5}, {at.x + MARK + 1.5, at.y},
                                        {at.x, at.y + MARK + 1.5}, {at.x - MARK - 1.5, at.y}};
    char class[16];

    snprintf(class, sizeof(class), "f%u", run);
    switch (run % 4) {
    case 0: svg_circle(out, at, MARK, class); break;
    case 1: svg_rect(out, (struct svg_box){at.x - MARK, at.y - MARK, 2 * MARK, 2 * MARK}, class); break;
    case 2: svg_polygon(out, up, 3, class); break;
    default: svg_polygon(out, diamond, 4, class);
    }
}

/* The error bar of a value, a little beside the axis, so that those of two runs do not cover each other. */
static void put_limits(const struct kiviat *k, const struct ring *ring, unsigned run, unsigned axis, FILE *out)
{
    const struct kiviat_value *v = &k->of[run][axis];
    const double angle = 2.0 * M_PI * (double)axis / (double)k->axes, beside = APART * (run - (k->runs - 1) / 2.0);
    struct svg_point low = place(k, ring, axis, v->low), high = place(k, ring, axis, v->high);
    char class[16];

    snprintf(class, sizeof(class), "s%u", run);
    low.x += beside * cos(angle);
    low.y += beside * sin(angle);
    high.x += beside * cos(angle);
    high.y += beside * sin(angle);
    svg_whisker(out, low, high, class);
}

/* The lines of a run; where a value is not known there is none to it. */
static void put_run(const struct kiviat *k, const struct ring *ring, unsigned run, FILE *out)
{
    char class[16];

    snprintf(class, sizeof(class), "s%u", run);
    for (unsigned a = 0; a < k->axes; a++) {
        const unsigned next = (a + 1) % k->axes;
        const struct kiviat_value *v = &k->of[run][a], *w = &k->of[run][next];
        const struct svg_point line[] = {place(k, ring, a, v->value), place(k, ring, next, w->value)};

        if (isfinite(v->value) && isfinite(w->value))
            svg_polyline(out, line, 2, class);
        if (isfinite(v->low) && isfinite(v->high))
            put_limits(k, ring, run, a, out);
        if (isfinite(v->value))
            put_mark(run, line[0], out);
    }
}

bool kiviat_svg(const void *kiviat, FILE *out)
{
    const struct kiviat *const k = kiviat;
    char class[KIVIAT_RUNS][16];
    struct chart_key key[KIVIAT_RUNS];
    struct chart chart = {
        .out = out, .width = WIDTH, .height = HEIGHT, .title = k->title, .note = k->one_scale
            ? "shares in percent; all axes have one scale; an error bar is the interval of 95 %"
            : "shares in percent; each axis ends at the value beside it; an error bar is the interval of 95 %",
        .x_name = "", .y_name = "", .left = BESIDE, .right = BESIDE, .key = key, .keys = k->runs,
    };
    struct ring ring;

    for (unsigned r = 0; r < k->runs; r++) {
        snprintf(class[r], sizeof(class[r]), "f%u", r);
        key[r] = (struct chart_key){k->run[r], class[r]};
    }
    chart_begin(&chart);
    ring.centre = (struct svg_point){chart.plot.x + chart.plot.width / 2, chart.plot.y + chart.plot.height / 2};
    ring.radius = fmin(chart.plot.width / 2, chart.plot.height / 2 - ABOVE);
    put_rings(k, &ring, out);
    put_names(k, &ring, out);
    for (unsigned r = 0; r < k->runs; r++)
        put_run(k, &ring, r, out);
    return svg_end(out);
}
