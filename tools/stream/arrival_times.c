/* SPDX-License-Identifier: MIT */
/* Writes and reads the times of arrival beside a stream. */
#include "tools/stream/arrival_times.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe/text/text_span.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/stream/frame_decoder.h"

#define HEAD    "cpuprobe arrival times 1"
#define SUFFIX  ".times"
#define LINE    128       /* bytes of a line, more than any has */
#define SPACING 10000000u /* ns between two lines */
#define NS      1000000000u

static uint64_t ns_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

uint64_t arrival_now(void)
{
    return ns_of(CLOCK_MONOTONIC);
}

static char *path_beside(const char *dump)
{
    char *path = xrealloc_array(NULL, strlen(dump) + sizeof(SUFFIX), 1);

    strcpy(path, dump);
    return strcat(path, SUFFIX);
}

/* ---- writing ---- */

bool arrival_begin(struct arrival_writer *w, const char *dump, bool force)
{
    const int kept = force ? O_TRUNC : O_EXCL;
    int file;

    *w = (struct arrival_writer){.path = path_beside(dump), .start = arrival_now()};
    file = open(w->path, O_WRONLY | O_CREAT | O_CLOEXEC | kept, 0666);
    w->out = file < 0 ? NULL : fdopen(file, "w");
    if (!w->out) {
        cli_error("%s cannot be written: %s", w->path, errno == EEXIST ? "it is there already, --force replaces it"
                                                                       : strerror(errno));
        arrival_end(w);
        return false;
    }
    fprintf(w->out, HEAD "\nstart %" PRIu64 "\n", ns_of(CLOCK_REALTIME));
    return true;
}

void arrival_note(struct arrival_writer *w, uint64_t offset, bool exact)
{
    const uint64_t now = arrival_now();

    if (!w->out || (!exact && now - w->last < SPACING))
        return;
    w->last = now;
    fprintf(w->out, "at %" PRIu64 " %" PRIu64 "\n", offset, now - w->start);
}

void arrival_gap(struct arrival_writer *w, uint64_t offset, uint64_t from, uint64_t to)
{
    if (w->out)
        fprintf(w->out, "gap %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", offset, from > w->start ? from - w->start : 0,
                to - w->start);
}

bool arrival_end(struct arrival_writer *w)
{
    bool well = true;

    if (w->out) {
        well = !ferror(w->out);
        well = !fclose(w->out) && well;
        if (!well)
            cli_error("%s could not be written", w->path);
    }
    free(w->path);
    *w = (struct arrival_writer){0};
    return well;
}

/* ---- reading ---- */

/* A line without its end; of one that is too long the rest is left out. */
static bool next_line(struct arrival_reader *r, char line[LINE])
{
    size_t length;
    int c;

    if (!r->in || !fgets(line, LINE, r->in))
        return false;
    length = strcspn(line, "\n");
    if (line[length] != '\n')
        while ((c = getc(r->in)) != EOF && c != '\n')
            line[0] = '?';
    line[length] = '\0';
    return true;
}

/* The name, and as many numbers as `most` at most; how many there are, -1 if anything else stands there. */
static int split_line(const char *line, struct span *name, uint64_t number[], int most)
{
    struct span word;
    int numbers = 0;

    if (!span_next_word(&line, name))
        return -1;
    while (span_next_word(&line, &word))
        if (numbers == most || !span_number_to(word, INT64_MAX, &number[numbers++]) ||
            number[numbers - 1] > INT64_MAX)
            return -1;
    return numbers;
}

static bool goes_on(const struct arrival_reader *r, uint64_t offset, uint64_t time)
{
    return offset >= r->offset && time >= r->time;
}

static void note_break(struct arrival_reader *r, uint64_t offset)
{
    r->breaks++;
    r->last = offset;
}

/* Whether the line tells a time of arrival; what else it tells is kept. */
static bool take_line(struct arrival_reader *r, const char *line)
{
    uint64_t number[3] = {0};
    struct span name = {0};
    const int numbers = split_line(line, &name, number, 3);

    if (numbers == 2 && span_is(name, "at") && goes_on(r, number[0], number[1])) {
        if (number[1] - r->time > (uint64_t)DECODER_SILENCE * NS && number[0] > r->offset && r->offset)
            note_break(r, r->offset);
        r->offset = number[0];
        r->time = number[1];
        return true;
    }
    if (numbers == 1 && span_is(name, "start") && !r->wall) {
        r->wall = number[0];
    } else if (numbers == 3 && span_is(name, "gap") && goes_on(r, number[0], number[1]) && number[2] >= number[1]) {
        note_break(r, number[0]);
        r->gaps++;
        r->away += number[2] - number[1];
        r->time = number[2];
    } else {
        r->wrong++;
    }
    return false;
}

/* A pipe would be waited for. */
static FILE *open_file(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat what;

    if (file >= 0 && !fstat(file, &what) && S_ISREG(what.st_mode))
        return fdopen(file, "r");
    if (file >= 0)
        close(file);
    return NULL;
}

bool arrival_open(struct arrival_reader *r, const char *dump)
{
    char *path = path_beside(dump), line[LINE] = "";

    *r = (struct arrival_reader){.in = open_file(path)};
    free(path);
    if (next_line(r, line) && !strcmp(line, HEAD)) {
        if (next_line(r, line))
            take_line(r, line);
        return true;
    }
    arrival_close(r);
    return false;
}

bool arrival_at(struct arrival_reader *r, uint64_t offset, uint64_t *time)
{
    char line[LINE];

    while (r->offset < offset)
        if (!next_line(r, line))
            return false;
        else
            take_line(r, line);
    *time = r->time;
    return true;
}

bool arrival_next_break(struct arrival_reader *r, uint64_t *offset)
{
    const uint64_t before = r->breaks;
    char line[LINE];

    while (r->breaks == before)
        if (!next_line(r, line))
            return false;
        else
            take_line(r, line);
    *offset = r->last;
    return true;
}

void arrival_finish(struct arrival_reader *r)
{
    char line[LINE];

    while (next_line(r, line))
        take_line(r, line);
}

void arrival_close(struct arrival_reader *r)
{
    if (r->in)
        fclose(r->in);
    r->in = NULL;
}
