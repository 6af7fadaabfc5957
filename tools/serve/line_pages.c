/* SPDX-License-Identifier: MIT */
/* Writes what a server knows of its lines: their state and tables as metrics, and the data of the page of one. */
#include "tools/serve/line_pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/draw/svg.h"
#include "tools/export/export.h"
#include "tools/report/report_page.h"

static double up(const struct served_line *l) { return l->watch.in >= 0; }
static double silent(const struct served_line *l) { return monotonic_seconds() - l->watch.heard; }
static double bytes(const struct served_line *l) { return (double)l->watch.stream.stats.bytes; }
static double noise(const struct served_line *l) { return (double)l->watch.stream.stats.preamble; }
static double frames(const struct served_line *l) { return (double)l->watch.stream.stats.frames; }
static double damaged(const struct served_line *l) { return (double)decoder_damaged(&l->watch.stream.stats); }
static double missing(const struct served_line *l) { return (double)l->watch.stream.stats.missing; }
static double unsure(const struct served_line *l) { return (double)l->watch.stream.stats.unsure; }
static double unknown(const struct served_line *l) { return (double)l->watch.stream.stats.unknown; }
static double boots(const struct served_line *l) { return (double)l->watch.boots; }
static double ends(const struct served_line *l) { return (double)l->watch.ends; }
static double hangups(const struct served_line *l) { return (double)l->watch.hangups; }
static double clients(const struct served_line *l) { return (double)l->mux.clients; }
static double dropped(const struct served_line *l) { return (double)l->mux.dropped; }

static const struct family {
    const char *name, *suffix, *type, *unit, *help;
    double (*value)(const struct served_line *l);
} families[] = {
    {"line_up", "", "gauge", NULL, "1 if the port is open.", up},
    {"line_silent_seconds", "", "gauge", "seconds", "Time since the last byte, or since the port was opened.",
     silent},
    {"line_received_bytes", "_total", "counter", "bytes", "Bytes that came.", bytes},
    {"line_noise_bytes", "_total", "counter", "bytes", "Of these, outside of frames, where no run was under way.",
     noise},
    {"line_frames", "_total", "counter", NULL, "Intact frames.", frames},
    {"line_damaged", "_total", "counter", NULL, "Damaged stretches of the stream.", damaged},
    {"line_missing_frames", "_total", "counter", NULL, "Frames that the sequence numbers skip.", missing},
    {"line_unsure_places", "", "gauge", NULL, "Places where more frames are missing than the sequence numbers tell.",
     unsure},
    {"line_boots", "_total", "counter", NULL, "Boots of the board, its first one that was seen among them.", boots},
    {"line_unknown_frames", "_total", "counter", NULL, "Frames of types that this version does not know.", unknown},
    {"line_ends", "_total", "counter", NULL, "Runs that ended.", ends},
    {"line_hangups", "_total", "counter", NULL, "How often the port went.", hangups},
    {"line_clients", "", "gauge", NULL, "Programs that use the line through its socket.", clients},
    {"line_dropped_clients", "_total", "counter", NULL, "Of these, dropped or refused.", dropped},
};

/* How a line is: the first that is true. */
static bool is_away(const struct line_watch *l) { return l->in < 0; }
static bool is_unheard(const struct line_watch *l) { return !l->stream.stats.bytes; }
static bool is_silent(const struct line_watch *l) { return monotonic_seconds() - l->heard >= DECODER_SILENCE; }
static bool is_refused(const struct line_watch *l) { return l->stream.state == STREAM_REFUSED; }
static bool is_damaged(const struct line_watch *l) { return l->stream.state == STREAM_RESYNC; }
static bool has_ended(const struct line_watch *l) { return l->stream.state == STREAM_PREAMBLE && l->ends; }
static bool is_noise(const struct line_watch *l) { return l->stream.state == STREAM_PREAMBLE; }
static bool is_running(const struct line_watch *l) { return l->stream.state == STREAM_FRAMES; }

static const struct line_state_row {
    const char *name;
    bool (*is)(const struct line_watch *l);
} line_states[] = {
    {"away", is_away}, {"unheard", is_unheard}, {"ended", has_ended}, {"silent", is_silent}, {"unknown", is_refused},
    {"damaged", is_damaged}, {"noise", is_noise}, {"running", is_running},
};

#define LINE_STATES (sizeof(line_states) / sizeof(line_states[0]))

static size_t line_state(const struct line_watch *l)
{
    size_t s = 0;

    while (s + 1 < LINE_STATES && !line_states[s].is(l))
        s++;
    return s;
}

static void put_states(FILE *out, const struct served_line *line, size_t lines)
{
    openmetrics_family(out, "line_state", "stateset", NULL, "How the line is.");
    for (size_t i = 0; i < lines; i++) {
        const size_t state = line_state(&line[i].watch);

        for (size_t s = 0; s < LINE_STATES; s++) {
            fputs(OPENMETRICS_PREFIX "line_state{line=", out);
            export_json_text(out, line[i].watch.name);
            fprintf(out, ",cpuprobe_line_state=\"%s\"} %d\n", line_states[s].name, s == state);
        }
    }
}

static void put_lines(FILE *out, const struct served_line *line, size_t lines)
{
    for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
        openmetrics_family(out, families[f].name, families[f].type, families[f].unit, families[f].help);
        for (size_t i = 0; i < lines; i++) {
            fprintf(out, OPENMETRICS_PREFIX "%s%s{line=", families[f].name, families[f].suffix);
            export_json_text(out, line[i].watch.name);
            fprintf(out, "} %.15g\n", families[f].value(&line[i]));
        }
    }
}

void line_metrics_put(FILE *out, struct served_line *line, size_t lines)
{
    struct openmetrics_run *run = xrealloc_array(NULL, lines + 1, sizeof(*run));
    size_t runs = 0;

    put_states(out, line, lines);
    put_lines(out, line, lines);
    for (size_t i = 0; i < lines; i++) {
        struct epoch *e = line_watch_epoch(&line[i].watch);

        if (e)
            run[runs++] = (struct openmetrics_run){line[i].watch.name, {.epoch = e, .options = report_options(e)}};
    }
    openmetrics_put(out, run, runs);
    openmetrics_end(out);
    free(run);
}

/* Text of a page, whatever is in it. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static void put_row(FILE *out, const struct served_line *line, size_t number)
{
    const struct line_watch *l = &line->watch;

    fprintf(out, "<tr><td><a href=\"" LIVE_PAGES "%zu\">", number);
    put_text(out, l->name);
    fprintf(out, "</a><td>%s<td>%.0f<td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64 "<td>%" PRIu64
            "<td>%zu\n", line_states[line_state(l)].name, silent(line), l->stream.stats.bytes, l->stream.stats.frames,
            decoder_damaged(&l->stream.stats), l->stream.stats.missing, l->boots, line->mux.clients);
}

void line_metrics_page(FILE *out, struct served_line *line, size_t lines)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\""
          "Content-Security-Policy\" content=\"default-src 'none'; img-src 'self'; style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>cpuprobe serve</title>\n<style>\n", out);
    svg_palette(out);
    fputs("html { background: var(--paper); color: var(--ink); font-family: system-ui, sans-serif }\n"
          "a { color: inherit } table { border-collapse: collapse } div { overflow-x: auto }\n"
          "td, th { border-bottom: 1px solid var(--line); padding: 0 1em; text-align: right }\n"
          "td:first-child, th:first-child { padding-left: 0; text-align: left }\n</style>\n"
          "</head>\n<body>\n<main>\n<h1>Lines</h1>\n"
          "<div tabindex=\"0\" role=\"group\" aria-label=\"Table of lines\">\n<table>\n"
          "<tr><th>line<th>state<th>silent for s<th>bytes<th>frames"
          "<th>damaged<th>missing<th>boots<th>clients\n", out);
    for (size_t i = 0; i < lines; i++)
        put_row(out, &line[i], i);
    fputs("</table>\n</div>\n<p>The same as <a href=\"/metrics\">metrics</a>.\n</main>\n</body>\n</html>\n", out);
}

static struct shared_text *page_of(const json_t *data, unsigned number)
{
    char path[64], *text = NULL;
    const struct report_page page = {.data = data, .live = path};
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool written;

    if (!out)
        return NULL;
    snprintf(path, sizeof(path), LIVE_PAGES "%u" LIVE_EVENTS, number);
    written = report_page_write(&page, out);
    if (!fclose(out) && written)
        return shared_text_new(text, length);
    free(text);
    return NULL;
}

/* A message of the event stream; JSON without white space has no line feed. */
static struct shared_text *event_of(const json_t *data)
{
    char *json = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(12));
    char *text = json ? xasprintf("data: %s\n\n", json) : NULL;

    free(json);
    return text ? shared_text_new(text, strlen(text)) : NULL;
}

/* gzip's head; of a stream that is packed in pieces, it stands before all of them. */
static char head_bytes[] = "\x1f\x8b\x08\0\0\0\0\0\0\xff";
struct shared_text live_page_head = {head_bytes, sizeof(head_bytes) - 1, 1};

/* A block of three bytes that are stored. */
static char alive_bytes[] = "\0\x03\0\xfc\xff:\n\n";
struct shared_text live_page_alive = {alive_bytes, sizeof(alive_bytes) - 1, 1};

/* As a file of gzip, or as blocks that refer to nothing before them and end at a byte. */
static struct shared_text *packed(const struct shared_text *text, bool whole)
{
    z_stream z = {.next_in = (Bytef *)text->bytes, .avail_in = (uInt)text->length};
    size_t room;

    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, whole ? MAX_WBITS + 16 : -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return NULL;
    room = deflateBound(&z, (uLong)text->length) + sizeof(head_bytes);
    z.next_out = xrealloc_array(NULL, room, 1);
    z.avail_out = (uInt)room;
    deflate(&z, whole ? Z_FINISH : Z_SYNC_FLUSH);
    deflateEnd(&z);
    return shared_text_new((char *)z.next_out - z.total_out, z.total_out);
}

bool live_page_make(struct shared_text *text[PAGE_TEXTS], struct served_line *line, unsigned number)
{
    json_t *data = line_data_json(line);
    bool made = data;

    if (!data)
        return false;
    text[PAGE_PLAIN] = page_of(data, number);
    text[EVENT_PLAIN] = event_of(data);
    json_decref(data);
    for (unsigned i = 0; i < PAGE_TEXTS; i += 2) {
        text[i + 1] = text[i] ? packed(text[i], i == PAGE_PLAIN) : NULL;
        made = made && text[i + 1];
    }
    return made;
}
