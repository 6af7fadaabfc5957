/* SPDX-License-Identifier: MIT */
/* The page's parts are files of tools/report/page/, which the assembler puts into the tool as they are. */
#include "tools/report/report_page.h"

#include <stddef.h>

#include "tools/base/embed.h"
#include "tools/draw/svg.h"

#define PART(name, file) EMBED(name, "tools/report/page/" file)

PART(report_part_style, "page.css");
PART(report_part_body, "page.html");
PART(report_part_dom, "dom.js");
PART(report_part_marks, "marks.js");
PART(report_part_share, "share.js");
PART(report_part_range, "range.js");
PART(report_part_table, "table.js");
PART(report_part_lanes, "lanes.js");
PART(report_part_callers, "callers.js");
PART(report_part_listing, "listing.js");
PART(report_part_code, "code.js");
PART(report_part_waits, "waits.js");
PART(report_part_facts, "facts.js");
PART(report_part_compare, "compare.js");
PART(report_part_page, "page.js");

#define WRITE(out, name) fwrite(name, 1, (size_t)(name##_end - name), out)

/* JSON in a script element: without '<' there is no end tag and no comment in it. */
static int put_escaped(const char *bytes, size_t length, void *file)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(bytes[i], file);
    return ferror((FILE *)file) ? -1 : 0;
}

static void put_head(const struct report_page *p, FILE *out)
{
    fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\"%s%s%s>\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'%s\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>cpuprobe report</title>\n<style>\n",
            p->live ? " data-live=\"" : "", p->live ? p->live : "", p->live ? "\"" : "",
            p->live ? "; connect-src 'self'" : "");
    svg_palette(out);
    WRITE(out, report_part_style);
    fputs("</style>\n</head>\n<body>\n", out);
}

static void put_scripts(FILE *out)
{
    fputs("<script>\n\"use strict\";\n", out);
    WRITE(out, report_part_dom);
    WRITE(out, report_part_marks);
    WRITE(out, report_part_share);
    WRITE(out, report_part_range);
    WRITE(out, report_part_table);
    WRITE(out, report_part_lanes);
    WRITE(out, report_part_callers);
    WRITE(out, report_part_listing);
    WRITE(out, report_part_code);
    WRITE(out, report_part_waits);
    WRITE(out, report_part_facts);
    WRITE(out, report_part_compare);
    WRITE(out, report_part_page);
    fputs("</script>\n</body>\n</html>\n", out);
}

bool report_page_write(const void *page, FILE *out)
{
    const struct report_page *const p = page;

    put_head(p, out);
    WRITE(out, report_part_body);
    fputs("<script type=\"application/json\" id=\"data\">", out);
    if (json_dump_callback(p->data, put_escaped, out, JSON_COMPACT | JSON_REAL_PRECISION(12)))
        return false;
    fputs("</script>\n", out);
    put_scripts(out);
    return !fflush(out) && !ferror(out);
}
