/* SPDX-License-Identifier: MIT */
/* SVG 1.1 with a style sheet; the eight first colours are those of Okabe and Ito, "Color Universal Design" (2008). */
#include "tools/draw/svg.h"

#include <math.h>
#include <string.h>

#define CAP 5.0 /* half of an error bar's cap, px */

static const char *const light[SVG_COLOURS] = {
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7",
    "#d8c600", "#7f7f7f", "#332288", "#117733", "#882255", "#999933",
};
static const char *const dark[SVG_COLOURS] = {
    "#3f9fe0", "#e69f00", "#1fbf90", "#ef7a30", "#8fd0f5", "#e09cc4",
    "#f0e442", "#a0a0a0", "#9d93ee", "#55b877", "#d0708f", "#c0c060",
};

/* Paper, ink, lines of the grid, what is behind a row that must not be missed. */
static const char *const light_ink[] = {"#ffffff", "#1f2328", "#d0d7de", "#fff0b8"};
static const char *const dark_ink[] = {"#0d1117", "#e6edf3", "#3d444d", "#4a3d00"};

const char *svg_fill(unsigned colour)
{
    static const char *const class[SVG_COLOURS] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10",
                                                   "f11"};

    return class[colour % SVG_COLOURS];
}

static void put_colours(FILE *out, const char *const *colour, const char *const *ink)
{
    fprintf(out, ".paper{fill:%s}.text,.small,"
                 ".title{fill:%s}.axis{stroke:%s}.grid{stroke:%s}.lost{fill:%s}.guilty{fill:%s}\n", ink[0],
            ink[1], ink[1], ink[2], ink[2], ink[3]);
    for (unsigned i = 0; i < SVG_COLOURS; i++)
        fprintf(out, ".f%u{fill:%s}.s%u{stroke:%s}", i, colour[i], i, colour[i]);
    fputc('\n', out);
}

static void put_style(FILE *out)
{
    fputs("<style>text{font-family:sans-serif;font-size:12px}.small{font-size:10px}"
          ".title{font-size:15px;font-weight:bold}.bold{font-weight:bold}\n"
          "line,polyline,.whisker{fill:none;stroke-width:1}polyline,.whisker{stroke-width:1.6}\n", out);
    put_colours(out, light, light_ink);
    fputs("@media (prefers-color-scheme:dark){\n", out);
    put_colours(out, dark, dark_ink);
    fputs("}</style>\n", out);
}

static void put_variables(FILE *out, const char *const *colour, const char *const *ink)
{
    fprintf(out, ":root{--paper:%s;--ink:%s;--line:%s", ink[0], ink[1], ink[2]);
    for (unsigned i = 0; i < SVG_COLOURS; i++)
        fprintf(out, ";--c%u:%s", i, colour[i]);
    fputs("}\n", out);
}

void svg_palette(FILE *out)
{
    put_variables(out, light, light_ink);
    fputs("@media (prefers-color-scheme:dark){", out);
    put_variables(out, dark, dark_ink);
    fputs("}\n", out);
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text < ' ' || *text > '~' ? '?' : *text, out);
        }
}

/* One decimal, and none where it is 0; a number that is none is 0. */
static void put_number(FILE *out, const char *name, double value)
{
    char text[48];
    size_t length;

    if (!(fabs(value) < 1e9))
        value = 0.0;
    snprintf(text, sizeof(text), "%.1f", value);
    length = strlen(text);
    if (!strcmp(text + length - 2, ".0"))
        text[length - 2] = '\0';
    fprintf(out, "%s%s", name, strcmp(text, "-0") ? text : "0");
}

static void put_attribute(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=", name);
    put_number(out, "\"", value);
    fputc('"', out);
}

void svg_begin(FILE *out, double width, double height, const char *title)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"", out);
    put_attribute(out, "width", width);
    put_attribute(out, "height", height);
    put_number(out, " viewBox=\"0 0 ", width);
    put_number(out, " ", height);
    fputs("\">\n<title>", out);
    put_escaped(out, title);
    fputs("</title>\n", out);
    put_style(out);
    svg_rect(out, (struct svg_box){0, 0, width, height}, "paper");
}

bool svg_end(FILE *out)
{
    fputs("</svg>\n", out);
    return !fflush(out) && !ferror(out);
}

void svg_rect(FILE *out, struct svg_box box, const char *class)
{
    fprintf(out, "<rect class=\"%s\"", class);
    put_attribute(out, "x", box.x);
    put_attribute(out, "y", box.y);
    put_attribute(out, "width", fmax(box.width, 0.0));
    put_attribute(out, "height", fmax(box.height, 0.0));
    fputs("/>\n", out);
}

void svg_boxes(FILE *out, const struct svg_box *box, size_t boxes, const char *class)
{
    fprintf(out, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < boxes; i++) {
        put_number(out, "M", box[i].x);
        put_number(out, " ", box[i].y);
        put_number(out, "h", box[i].width);
        put_number(out, "v", box[i].height);
        put_number(out, "h", -box[i].width);
        fputc('z', out);
    }
    fputs("\"/>\n", out);
}

void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *class)
{
    fprintf(out, "<line class=\"%s\"", class);
    put_attribute(out, "x1", from.x);
    put_attribute(out, "y1", from.y);
    put_attribute(out, "x2", to.x);
    put_attribute(out, "y2", to.y);
    fputs("/>\n", out);
}

static void put_step(FILE *out, const char *command, double x, double y)
{
    put_number(out, command, x);
    put_number(out, " ", y);
}

void svg_whisker(FILE *out, struct svg_point low, struct svg_point high, const char *class)
{
    const double length = hypot(high.x - low.x, high.y - low.y);
    /* Where both limits are one place the caps are level. */
    const struct svg_point cap = length > 0.0
        ? (struct svg_point){(high.y - low.y) / length * CAP, (low.x - high.x) / length * CAP}
        : (struct svg_point){CAP, 0.0};

    fprintf(out, "<path class=\"whisker %s\" d=\"", class);
    put_step(out, "M", low.x, low.y);
    put_step(out, "L", high.x, high.y);
    put_step(out, "M", low.x - cap.x, low.y - cap.y);
    put_step(out, "l", 2 * cap.x, 2 * cap.y);
    put_step(out, "M", high.x - cap.x, high.y - cap.y);
    put_step(out, "l", 2 * cap.x, 2 * cap.y);
    fputs("\"/>\n", out);
}

void svg_circle(FILE *out, struct svg_point at, double radius, const char *class)
{
    fprintf(out, "<circle class=\"%s\"", class);
    put_attribute(out, "cx", at.x);
    put_attribute(out, "cy", at.y);
    put_attribute(out, "r", radius);
    fputs("/>\n", out);
}

static void put_points(FILE *out, const char *shape, const struct svg_point *point, size_t points, const char *class)
{
    fprintf(out, "<%s class=\"%s\" points=\"", shape, class);
    for (size_t i = 0; i < points; i++) {
        put_number(out, i ? " " : "", point[i].x);
        put_number(out, ",", point[i].y);
    }
    fputs("\"/>\n", out);
}

void svg_polyline(FILE *out, const struct svg_point *point, size_t points, const char *class)
{
    put_points(out, "polyline", point, points, class);
}

void svg_polygon(FILE *out, const struct svg_point *point, size_t points, const char *class)
{
    put_points(out, "polygon", point, points, class);
}

static void put_text_head(FILE *out, struct svg_point at, enum svg_anchor anchor, const char *class)
{
    static const char *const name[] = {"start", "middle", "end"};

    fprintf(out, "<text class=\"%s\"", class);
    put_attribute(out, "x", at.x);
    put_attribute(out, "y", at.y);
    if (anchor != SVG_START)
        fprintf(out, " text-anchor=\"%s\"", name[anchor]);
}

void svg_text(FILE *out, struct svg_point at, enum svg_anchor anchor, const char *class, const char *text)
{
    put_text_head(out, at, anchor, class);
    fputc('>', out);
    put_escaped(out, text);
    fputs("</text>\n", out);
}

void svg_text_up(FILE *out, struct svg_point at, const char *class, const char *text)
{
    put_text_head(out, at, SVG_MIDDLE, class);
    put_number(out, " transform=\"rotate(-90 ", at.x);
    put_number(out, " ", at.y);
    fputs(")\">", out);
    put_escaped(out, text);
    fputs("</text>\n", out);
}

double svg_text_width(const char *text)
{
    double width = 0.0;

    for (; *text; text++)
        width += strchr("fijlrt,.()'|/ -", *text) ? 4.0 : strchr("mwMW%", *text) ? 9.8 : 7.4;
    return width;
}
