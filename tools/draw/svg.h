/* SPDX-License-Identifier: MIT */
/*
 * Writes SVG: shapes and texts with a class each.  The colours of the classes are in the file, for light and for
 * dark pages; the same calls give the same bytes.  Host only.
 *
 * Classes: "text", "small", "title", "axis", "grid", "paper"; "f0" to "f11" fill with a colour,
 * "s0" to "s11" draw lines with it; "lost" fills what is not known, "guilty" what is behind a row
 * that must not be missed; beside another class "bold" makes letters bold.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SVG_COLOURS 12 /* they differ in grey and for eyes that do not tell red from green, the first eight best */

/* The class that fills with a colour; one past the last is the first again. */
const char *svg_fill(unsigned colour);

/* The same colours for a page: --c0 to --c11, --paper, --ink and --line, for light and for dark, as a style sheet. */
void svg_palette(FILE *out);

/* A length in px is written with one decimal. */
struct svg_point {
    double x, y;
};
struct svg_box {
    double x, y, width, height;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Begin a drawing of this size on `out`; `title` is what a reader that cannot see it is told. */
void svg_begin(FILE *out, double width, double height, const char *title);

/* End it.  False, if it could not be written. */
bool svg_end(FILE *out);

void svg_rect(FILE *out, struct svg_box box, const char *class);
/* Many boxes of one class, in few bytes. */
void svg_boxes(FILE *out, const struct svg_box *box, size_t boxes, const char *class);

void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *class);
/*
 * An error bar from one limit to the other, which may lie in any direction, with a cap at each; class: as of a line.
 */
void svg_whisker(FILE *out, struct svg_point low, struct svg_point high, const char *class);

void svg_circle(FILE *out, struct svg_point at, double radius, const char *class);

/* A line through the points, or the area that they enclose. */
void svg_polyline(FILE *out, const struct svg_point *point, size_t points, const char *class);
void svg_polygon(FILE *out, const struct svg_point *point, size_t points, const char *class);

/* Any text: what SVG would read as markup is escaped, what is not printable becomes '?'. */
void svg_text(FILE *out, struct svg_point at, enum svg_anchor anchor, const char *class, const char *text);

/* The same, turned by 90 degrees to be read from below to above. */
void svg_text_up(FILE *out, struct svg_point at, const char *class, const char *text);

/* About how wide a text of class "text" is, px: no reader's font is known here. */
double svg_text_width(const char *text);
