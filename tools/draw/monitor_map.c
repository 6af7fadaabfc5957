/* SPDX-License-Identifier: MIT */
/* Draws a circle a monitor: finer ones above, longer ones to the right, those with more data larger. */

#include "tools/draw/monitor_map.h"

#include <math.h>
#include <stddef.h>

#include "tools/draw/chart.h"
#include "tools/draw/svg.h"

#define WIDTH  860.0
#define HEIGHT 520.0
#define RADIUS 3.0  /* of a monitor with a byte a second, px */
#define GROWTH 3.0  /* px for ten times as much */
#define CORNERS 48  /* of a ring */
#define LABEL  13.0 /* px from one name to the next below it */
#define MICROSECONDS 1e6 /* in a second */
#define ROUNDING 1e-3 /* px: names so little nearer than LABEL are apart, else one that was moved is moved for ever */
#define DECADE 1.6  /* free room at the ends of a scale, as a factor */

/* The least and the greatest, with room at the ends, at least a decade. */
static struct scale scale_of(const struct monitor_map *m, size_t member, double factor)
{
    struct scale s = {.low = HUGE_VAL, .high = 0.0, .logarithmic = true};

    for (unsigned i = 0; i < m->monitors; i++) {
        const double value = factor * *(const double *)((const char *)&m->monitor[i] + member);

        s.low = fmin(s.low, value);
        s.high = fmax(s.high, value);
    }
    s.low = pow(10.0, floor(log10(s.low / DECADE)));
    s.high = pow(10.0, ceil(log10(s.high * DECADE)));
    return s;
}

static double radius(const struct map_monitor *m)
{
    return RADIUS + GROWTH * fmax(0.0, log10(fmax(m->bytes, 1.0)));
}

static struct svg_point place(const struct chart *c, const struct map_monitor *m)
{
    return (struct svg_point){scale_place(&c->x, m->duration), scale_place(&c->y, MICROSECONDS * m->step)};
}

/* A circle, or a ring, so that one does not hide the other where both are at one place. */
static void put_mark(const struct chart *c, const struct map_monitor *m)
{
    const struct svg_point at = place(c, m);
    struct svg_point ring[CORNERS + 1];

    for (unsigned i = 0; i <= CORNERS; i++) {
        const double angle = 2.0 * M_PI * i / CORNERS;

        ring[i] = (struct svg_point){at.x + radius(m) * cos(angle), at.y + radius(m) * sin(angle)};
    }
    if (m->hardware)
        svg_polyline(c->out, ring, CORNERS + 1, "s1");
    else
        svg_circle(c->out, at, radius(m), "f0");
}

/* Fine monitors are above: the scale begins there. */
static void turn(struct scale *s)
{
    const double from = s->from;

    s->from = s->to;
    s->to = from;
}

/* A name above the circle of a software monitor, below that of another; lower than those that it would cover. */
static void put_name(const struct chart *c, const struct monitor_map *m, unsigned number, struct svg_point *taken)
{
    const struct map_monitor *const monitor = &m->monitor[number];
    const struct svg_point at = place(c, monitor);
    const double width = svg_text_width(monitor->name);
    struct svg_point name = {
        fmin(fmax(at.x - width / 2.0, c->plot.x + 4.0), c->width - width),
        monitor->hardware ? at.y + radius(monitor) + LABEL : at.y - radius(monitor) - 5.0,
    };

    for (unsigned i = 0; i < number; i++)
        if (fabs(taken[i].y - name.y) < LABEL - ROUNDING &&
            name.x < taken[i].x + svg_text_width(m->monitor[i].name) && taken[i].x < name.x + width) {
            name.y = taken[i].y + LABEL;
            i = (unsigned)-1; /* from the first again */
        }
    taken[number] = name;
    svg_text(c->out, name, SVG_START, "text", monitor->name);
}

bool monitor_map_svg(const struct monitor_map *m, FILE *out)
{
    static const struct chart_key key[] = {{"in the machine (software)", "f0"},
                                           {"outside of it (hardware), a ring", "f1"}};
    struct svg_point taken[MONITOR_MAP_MOST];
    struct chart c = {
        .out = out, .width = WIDTH, .height = HEIGHT, .title = m->title, .note = m->note,
        .x_name = "how long it can measure, s",
        .y_name = "the finest that it tells apart, us", .left = 68.0, .right = 120.0,
        .key = key, .keys = 2, .x = scale_of(m, offsetof(struct map_monitor, duration), 1.0),
        .y = scale_of(m, offsetof(struct map_monitor, step), MICROSECONDS),
    };

    chart_begin(&c);
    turn(&c.y);
    chart_x_axis(&c);
    chart_y_axis(&c);
    for (unsigned i = 0; i < m->monitors; i++)
        put_mark(&c, &m->monitor[i]);
    for (unsigned i = 0; i < m->monitors; i++)
        put_name(&c, m, i, taken);
    return chart_end(&c);
}
