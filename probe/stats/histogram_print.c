/* SPDX-License-Identifier: MIT */
/*
 * Prints a histogram as in Crowe, "CPU Probes": Figure 4, and with names of functions
 * Figure 5.  histogram.c computes the bars.
 */
/* Uses vector registers: task context only. */
#include "probe/stats/histogram.h"

#include "probe/schedule/memory.h"

#define STANDARD      80
#define OCTAL_DIGITS  6 /* as in the paper: an address of 16 bits */
#define HEX_DIGITS    4
#define HITS_WIDTH    5 /* as in the paper, with at least one blank */
#define NAMES_MOST    8 /* functions named in one heading */
#define MORE         20 /* columns for the number of functions that are not named */
#define INDENT        2 /* of a continuation line */

/* The functions that a slot overlaps: a run of symbols. */
struct functions {
    uint64_t first;
    unsigned count;
};

struct page { /* a histogram that is being printed */
    const struct histogram *h;
    const struct histogram_options *o;
    void (*print)(void *context, const char *text);
    void *context;
    struct histogram_rule rule;
    struct text_buf line;
    char text[TEXT_BUF_SIZE];
    unsigned columns, digits, width; /* digits of an address; width of the hits */
    double scale;
    uint64_t here, hidden, hidden_slots;
};

static void put(struct page *p, const char *text, unsigned length)
{
    char line[TEXT_BUF_SIZE];

    memcpy(line, text, length);
    line[length] = '\0';
    p->print(p->context, line);
}

/* Where to break a text that is too long: at the last blank that fits, else at the last column. */
static unsigned break_of(const char *text, unsigned columns)
{
    for (unsigned at = columns; at > INDENT; at--)
        if (text[at] == ' ')
            return at;
    return columns;
}

/* Print the text of the line, broken into as many lines as it needs. */
static void end_line(struct page *p)
{
    struct text_buf *l = &p->line;

    buf_trim(l);
    while (l->length > p->columns) {
        unsigned end = break_of(l->text, p->columns), rest = end + (l->text[end] == ' ');

        put(p, l->text, end);
        l->length = l->length - rest + INDENT;
        memmove(l->text + INDENT, l->text + rest, l->length - INDENT);
        memset(l->text, ' ', INDENT);
        l->text[l->length] = '\0';
    }
    p->print(p->context, l->text);
    buf_reset(l);
}

static void text_line(struct page *p, const char *text)
{
    buf_text(&p->line, text);
    end_line(p);
}

static unsigned bits_of(const struct page *p)
{
    return p->o->octal ? 3 : 4;
}

static unsigned digits_needed(const struct page *p, uint64_t n)
{
    unsigned digits = 1;

    while (n >>= bits_of(p))
        digits++;
    return digits;
}

/* An address of a row: octal without a prefix, as in the paper; hexadecimal with 0x. */
static void put_address(struct page *p, uint64_t address)
{
    char digits[FORMAT_DIGITS];

    buf_text(&p->line, format_base(digits, p->o->octal ? "" : "0x", address, bits_of(p), p->digits));
}

/* A number with the prefix of its base: 0200 or 0x80. */
static void put_number(struct page *p, uint64_t n, unsigned digits)
{
    char text[FORMAT_DIGITS];

    buf_text(&p->line, format_base(text, p->o->octal ? "0" : "0x", n, bits_of(p), digits));
}

static bool is_shown(const struct page *p, const struct histogram_slot *slot)
{
    return slot->hits && slot->hits >= p->o->min;
}

static struct histogram_range range_of(const struct page *p, const struct histogram_slot *s)
{
    return histogram_range(&p->rule, s->hits, s->changes);
}

static unsigned length_of(const char *text)
{
    unsigned length = 0;

    while (text[length] && length < TEXT_BUF_SIZE)
        length++;
    return length;
}

/* Compute sums, widths and the scale, which the first line already needs. */
static void measure(struct page *p)
{
    uint64_t most = 0;
    double longest = 0;

    for (size_t i = 0; i < p->h->count; i++) {
        const struct histogram_slot *s = &p->h->slots[i];
        double high = range_of(p, s).high;

        p->here += s->hits;
        if (s->hits && !is_shown(p, s)) {
            p->hidden += s->hits;
            p->hidden_slots++;
            continue;
        }
        most = s->hits > most ? s->hits : most;
        longest = high > longest ? high : longest;
    }
    p->digits = p->o->octal ? OCTAL_DIGITS : HEX_DIGITS;
    if (p->digits < digits_needed(p, p->h->high - 1))
        p->digits = digits_needed(p, p->h->high - 1);
    p->width = length_of(DECIMAL(most)) + 1;
    if (p->width < HITS_WIDTH)
        p->width = HITS_WIDTH;
    p->scale = histogram_scale(
        longest, p->columns - (p->o->octal ? 0 : 2) - p->digits - p->width - 4);
}

static void print_activity(struct page *p)
{
    const struct histogram *h = p->h;

    buf_parts(&p->line, h->task ? "Task " : "Any task", h->task ? h->task : "", " was active in ",
              h->mode < MODES ? mode_name(h->mode) : "any", " mode for ", DECIMAL(h->active), " of ",
              DECIMAL(h->samples), " samples (",
              REAL(h->samples ? 100.0 * (double)h->active / (double)h->samples : 0.0, 1), "%).");
    end_line(p);
}

static void print_interval(struct page *p)
{
    const struct histogram *h = p->h;
    struct histogram_range r = histogram_range(&p->rule, h->active, h->changes_active);
    struct text_buf *l = &p->line;

    buf_text(l, "95 % interval ");
    if (h->estimator.reason && !p->o->wald) {
        buf_parts(l, "n.a.: ", histogram_method(&p->rule), ".");
        end_line(p);
        return;
    }
    if (h->samples)
        buf_parts(l, REAL(100.0 * r.low / (double)h->samples, 2), "-", REAL(100.0 * r.high / (double)h->samples, 2),
                  " % ");
    buf_parts(l, "(", histogram_method(&p->rule), ").");
    end_line(p);
}

/* These three counts add up to the hits of the task in the mode. */
static void print_sums(struct page *p)
{
    const struct histogram *h = p->h;
    struct text_buf *l = &p->line;

    buf_parts(l, "Hits: ", DECIMAL(p->here), " here, ", DECIMAL(h->below), " below, ", DECIMAL(h->above),
              " above. Lost: ", DECIMAL(h->lost), h->lost ? ", which may belong anywhere." : ".");
    end_line(p);
    if (!p->hidden_slots)
        return;
    buf_parts(l, "Not shown: ", DECIMAL(p->hidden), p->hidden == 1 ? " hit in " : " hits in ",
              DECIMAL(p->hidden_slots), p->hidden_slots == 1 ? " row of fewer than " : " rows of fewer than ",
              DECIMAL(p->o->min), ".");
    end_line(p);
}

static void print_heading(struct page *p)
{
    const struct histogram *h = p->h;
    struct text_buf *l = &p->line;

    print_activity(p);
    print_interval(p);
    if (h->slot) {
        buf_text(l, "Statistics starting at address ");
        put_number(p, h->base, p->digits);
        buf_text(l, ", slot size ");
        put_number(p, h->slot, 1);
        end_line(p);
    }
    print_sums(p);
    if (p->scale > 0) {
        buf_parts(l, "Bar: a column for ", REAL(p->scale, 0), " hits; | the estimate, - the interval around it.");
        end_line(p);
    }
    if (h->maskable && (h->mode == MODE_KERNEL || h->mode == MODE_INTERRUPT))
        text_line(p, "Code that runs with interrupts off cannot be seen: its time falls on the "
                  "first instruction after they are on again, or in row MASKED.");
    end_line(p);
}

/* The column heads, aligned with the rows of put_row(). */
static void print_columns(struct page *p)
{
    const unsigned address = (p->o->octal ? 0 : 2) + p->digits + 1;
    struct text_buf *l = &p->line;

    for (int ruled = 0; ruled < 2; ruled++) {
        buf_left(l, ruled ? "=======" : "Address", address);
        buf_right(l, ruled ? "====" : "Hits", p->width + 1);
        end_line(p);
    }
}

static void print_slot(struct page *p, const struct histogram_slot *s)
{
    struct histogram_range range = range_of(p, s);

    put_address(p, s->address);
    buf_char(&p->line, ':');
    buf_right(&p->line, DECIMAL(s->hits), p->width);
    buf_text(&p->line, ": ");
    histogram_bar(&p->line, &range, p->scale);
    end_line(p);
}

static bool next_symbol(const struct page *p, uint64_t from, uint64_t last,
                        struct histogram_symbol *to)
{
    return from <= last && p->o->symbol(p->o->symbols, from, to) && to->start <= last &&
           to->end > from;
}

static uint64_t last_of(const struct page *p, const struct histogram_slot *slot)
{
    return slot->address + (p->h->slot - 1);
}

static struct functions functions_of(const struct page *p, const struct histogram_slot *slot)
{
    struct functions f = {0, 0};
    struct histogram_symbol s;
    uint64_t from = slot->address, last = last_of(p, slot);

    for (; next_symbol(p, from, last, &s); from = s.end)
        if (!f.count++)
            f.first = s.start;
    return f;
}

/* Append a word of a heading, on the next line if this one is full; cut it if no line can hold it. */
static void put_function(struct page *p, const struct histogram_symbol *s)
{
    struct text_buf *l = &p->line;
    unsigned before = (p->o->octal ? 0 : 2) + p->digits + 1;

    if (l->length > INDENT && l->length + before + length_of(s->name) > p->columns) {
        end_line(p);
        buf_text(l, "  ");
    }
    put_address(p, s->start);
    buf_char(l, '-');
    for (const char *c = s->name; *c && l->length < p->columns; c++)
        buf_char(l, *c);
    buf_char(l, ' ');
}

static void print_functions(struct page *p, const struct histogram_slot *slot,
                            struct functions f)
{
    struct histogram_symbol s;
    uint64_t from = slot->address, last = last_of(p, slot);

    for (unsigned i = 0; i < NAMES_MOST && next_symbol(p, from, last, &s); from = s.end, i++)
        put_function(p, &s);
    if (f.count > NAMES_MOST) {
        if (p->line.length + MORE > p->columns) {
            end_line(p);
            buf_text(&p->line, "  ");
        }
        buf_parts(&p->line, "and ", DECIMAL(f.count - NAMES_MOST), " more");
    }
    text_line(p, f.count ? "" : "no symbol");
}

/* The rows with names of functions: Figure 5. */
static void print_named(struct page *p)
{
    struct functions above = {0, 0};
    bool first = true;

    for (size_t i = 0; i < p->h->count; i++) {
        const struct histogram_slot *s = &p->h->slots[i];
        struct functions f;

        if (!is_shown(p, s))
            continue;
        f = functions_of(p, s);
        if (first || f.first != above.first || f.count != above.count) {
            if (!first)
                end_line(p);
            print_functions(p, s, f);
        }
        print_slot(p, s);
        above = f;
        first = false;
    }
}

/* The rows without names: Figure 4. */
static void print_bare(struct page *p)
{
    uint64_t next = p->h->base; /* address of the next slot if there is no gap */
    bool ended = false;         /* the last slot ends where addresses wrap to 0 */

    for (size_t i = 0; i < p->h->count; i++) {
        const struct histogram_slot *s = &p->h->slots[i];

        if (!is_shown(p, s))
            continue;
        if (s->address != next)
            text_line(p, ". . .");
        print_slot(p, s);
        next = s->address + p->h->slot;
        ended = next < s->address;
    }
    if (next < p->h->high && !ended)
        text_line(p, ". . .");
}

static unsigned columns_of(const struct histogram_options *o)
{
    if (!o->columns)
        return STANDARD;
    if (o->columns < HISTOGRAM_NARROW)
        return HISTOGRAM_NARROW;
    return o->columns < TEXT_BUF_SIZE ? o->columns : TEXT_BUF_SIZE - 1;
}

static void begin(struct page *p, const struct histogram *h, const struct histogram_options *o)
{
    p->h = h;
    p->o = o;
    p->rule = (struct histogram_rule){h->estimator, o->wald, h->samples, h->lost};
    p->line = (struct text_buf)TEXT_BUF(p->text);
    p->columns = columns_of(o);
    p->here = p->hidden = p->hidden_slots = 0;
    measure(p);
}

void histogram_print_heading(const struct histogram *h, const struct histogram_options *o,
                             double scale, void (*line)(void *context, const char *text),
                             void *context)
{
    struct page page;

    page.print = line;
    page.context = context;
    begin(&page, h, o);
    page.scale = scale;
    print_heading(&page);
}

void histogram_print(const struct histogram *h, const struct histogram_options *o,
                     void (*line)(void *context, const char *text), void *context)
{
    struct page page;

    page.print = line;
    page.context = context;
    begin(&page, h, o);
    print_heading(&page);
    print_columns(&page);
    if (o->symbol)
        print_named(&page);
    else
        print_bare(&page);
}
