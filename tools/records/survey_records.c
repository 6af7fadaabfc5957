/* SPDX-License-Identifier: MIT */
/* Rows have bounded arrays; what does not fit, or cannot be, is left out and noted. */
#include "tools/records/survey_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"

#define HZ_MOST (1ull << 40)

static struct survey *survey_of(struct survey_records *r)
{
    if (!r->survey) {
        r->survey = xrealloc_array(NULL, 1, sizeof(*r->survey));
        memset(r->survey, 0, sizeof(*r->survey));
    }
    return r->survey;
}

static struct wire_text copy(struct wire_text text)
{
    return (struct wire_text){printable_copy(text.bytes, text.length), text.length};
}

static bool is_possible(const struct wire_survey *h)
{
    return h->clock_hz && h->clock_hz <= HZ_MOST && h->begin <= h->end && h->watched <= h->end - h->begin &&
           h->stolen <= h->watched && h->greatest <= h->stolen && (h->gaps || !h->stolen) &&
           (!h->period || h->period_gaps > h->period_fits) && h->period_gaps <= h->gaps &&
           h->smi_known <= 1 && h->characters_least <= h->characters_most;
}

static bool is_bucket(uint64_t us)
{
    for (unsigned i = 0; i < GAP_BUCKETS; i++)
        if (gap_bucket_us(i) == us)
            return true;
    return false;
}

static bool is_possible_length(const struct survey *s, const struct wire_survey_row *row)
{
    return s->lengths < GAP_BUCKETS && is_bucket(row->us) && row->count && row->count <= s->head.gaps &&
           row->time <= s->head.stolen && (!s->lengths || s->length[s->lengths - 1].us < row->us);
}

/* More rows of the same head may follow. */
static bool same_head(const struct wire_survey *a, const struct wire_survey *b)
{
    return a->begin == b->begin && a->end == b->end && a->watched == b->watched && a->gaps == b->gaps &&
           a->stolen == b->stolen;
}

size_t survey_records_add(struct survey_records *r, const struct wire_survey *head, struct wire_reader *rows,
                          struct violations **v)
{
    const bool first = !r->survey;
    struct survey *const s = survey_of(r);
    struct wire_survey_row row;

    if (!is_possible(head) || (r->told && !same_head(&s->head, head))) {
        violation_note(v, VIOLATION_VALUE, "SURVEY");
        return first ? sizeof(*s) : 0;
    }
    if (!r->told) {
        s->head = *head;
        s->head.hypervisor = copy(head->hypervisor);
    }
    r->told = true;
    while (wire_read_row(rows, &row))
        if (is_possible_length(s, &row))
            s->length[s->lengths++] = row;
        else
            violation_note(v, VIOLATION_VALUE, "SURVEY, from %" PRIu64 " us", row.us);
    return first ? sizeof(*s) : 0;
}

size_t survey_records_add_clocks(struct survey_records *r, struct wire_reader *rows, struct violations **v)
{
    const bool first = !r->survey;
    struct survey *const s = survey_of(r);
    struct wire_survey_clocks_row row;

    while (wire_read_row(rows, &row)) {
        if (s->clocks == SURVEY_CLOCKS || row.shortest > row.longest) {
            violation_note(v, VIOLATION_VALUE, "SURVEY_CLOCKS");
            continue;
        }
        row.name = copy(row.name);
        row.note = copy(row.note);
        s->clock[s->clocks++] = row;
    }
    return first ? sizeof(*s) : 0;
}

size_t survey_records_add_times(struct survey_records *r, struct wire_reader *rows, struct violations **v)
{
    const bool first = !r->survey;
    struct survey *const s = survey_of(r);
    struct wire_survey_times_row row;

    while (wire_read_row(rows, &row)) {
        if (s->times == SURVEY_TIMES || row.median > row.most || row.most > row.worst) {
            violation_note(v, VIOLATION_VALUE, "SURVEY_TIMES");
            continue;
        }
        row.name = copy(row.name);
        s->time[s->times++] = row;
    }
    return first ? sizeof(*s) : 0;
}

void survey_records_free(struct survey_records *r)
{
    struct survey *const s = r->survey;

    for (unsigned i = 0; s && i < s->clocks; i++) {
        free((char *)s->clock[i].name.bytes);
        free((char *)s->clock[i].note.bytes);
    }
    for (unsigned i = 0; s && i < s->times; i++)
        free((char *)s->time[i].name.bytes);
    if (r->told)
        free((char *)s->head.hypervisor.bytes);
    free(s);
    *r = (struct survey_records){0};
}
