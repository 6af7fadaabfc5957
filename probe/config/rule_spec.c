/* SPDX-License-Identifier: MIT */
/* The value of when=, read and written. */
#include "probe/config/rule_spec.h"

#include "probe/schedule/memory.h"

#define PERCENT_MAX 100u

static const struct {
    const char *name;
    enum event_action action;
} plain[] = {{"start", ACTION_START}, {"stop", ACTION_STOP}, {"write", ACTION_WRITE}, {"snapshot", ACTION_SNAPSHOT}};

static const struct {
    const char *name;
    enum event_counting counting;
} counted[] = {{"add", COUNTING_ADD}, {"set", COUNTING_SET}, {"reset", COUNTING_RESET}};

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* Take what stands before the next `end`, and leave what stands behind it; false where nothing is left. */
static bool take(struct span *from, char end, struct span *part)
{
    if (!from->at)
        return false;
    *part = span_until(*from, end);
    *from = part->length < from->length ? span_after(*from, part->length + 1) : (struct span){NULL, 0};
    return true;
}

static bool number_to(struct span text, uint32_t most, uint32_t *to)
{
    uint64_t number;

    if (!span_number_to(text, most, &number) || number > most)
        return false;
    *to = (uint32_t)number;
    return true;
}

/* ---- conditions ---- */

static bool parse_share(struct rule_spec *s, struct span rest)
{
    struct span task, percent;

    return take(&rest, ':', &task) && take(&rest, ':', &percent) && !rest.at && region_spec_task(s->task, task) &&
           s->task[0] != '*' && number_to(percent, PERCENT_MAX, &s->rule.number);
}

static bool parse_event(struct rule_spec *s, struct span class, struct span rest)
{
    struct span task, number;

    s->rule.classes = trace_classes_named(class);
    s->rule.any = true;
    s->task[0] = '*';
    if (s->rule.classes == 0 || s->rule.classes & ~RULE_CLASSES)
        return false;
    if (!take(&rest, ':', &task))
        return true;
    if (!region_spec_task(s->task, task))
        return false;
    if (!take(&rest, ':', &number))
        return true;
    s->rule.any = false;
    return !rest.at && !(s->rule.classes & ~RULE_NUMBERED) && number_to(number, NUMBER_MAX, &s->rule.number);
}

static bool parse_condition(struct rule_spec *s, struct span text)
{
    struct span class;

    return take(&text, ':', &class) && (span_is(class, "share") ? parse_share(s, text) : parse_event(s, class, text));
}

/* ---- actions ---- */

/* COUNTER, and of `set` its value; a rule has one counter. */
static bool parse_counting(struct event_rule *r, enum event_counting counting, struct span rest)
{
    struct span counter, value;
    uint32_t number;

    if (r->counting != COUNTING_NONE || !take(&rest, ':', &counter) ||
        !number_to(counter, EVENT_COUNTERS_MAX - 1, &number))
        return false;
    r->counting = (uint8_t)counting;
    r->counter = (uint8_t)number;
    if (counting == COUNTING_SET && (!take(&rest, ':', &value) || !number_to(value, NUMBER_MAX, &r->value)))
        return false;
    return !rest.at;
}

static bool parse_freeze(struct event_rule *r, struct span rest)
{
    uint32_t kept = PERCENT_MAX;

    if (rest.at && !number_to(rest, PERCENT_MAX, &kept))
        return false;
    r->actions |= ACTION_FREEZE;
    r->kept = (uint8_t)kept;
    return true;
}

static bool parse_action(struct event_rule *r, struct span text)
{
    struct span name;

    if (!take(&text, ':', &name))
        return false;
    for (unsigned i = 0; i < ROWS(plain); i++)
        if (span_is(name, plain[i].name)) {
            r->actions |= (uint8_t)plain[i].action;
            return !text.at;
        }
    for (unsigned i = 0; i < ROWS(counted); i++)
        if (span_is(name, counted[i].name))
            return parse_counting(r, counted[i].counting, text);
    return span_is(name, "freeze") && parse_freeze(r, text);
}

static bool parse_one(struct rule_spec *s, struct span text)
{
    struct span part;

    memset(s, 0, sizeof *s);
    if (!take(&text, '/', &part) || !parse_condition(s, part) || !text.at)
        return false;
    while (take(&text, '/', &part))
        if (!parse_action(&s->rule, part))
            return false;
    return (s->rule.actions & (ACTION_START | ACTION_STOP)) != (ACTION_START | ACTION_STOP);
}

/* As it is printed it can be longer than it was given, and must be readable again. */
static bool fits(const struct rule_specs *s)
{
    char text[RULE_VALUE_SIZE + 1];
    struct text_buf out = TEXT_BUF(text);

    rule_specs_put(&out, s);
    return out.length < RULE_VALUE_SIZE;
}

bool rule_specs_parse(struct rule_specs *s, struct span value)
{
    struct rule_specs to;
    struct span part;

    memset(&to, 0, sizeof to);
    if (value.length >= RULE_VALUE_SIZE)
        return false;
    if (span_is(value, "none"))
        value.at = NULL;
    while (take(&value, ',', &part))
        if (to.count == EVENT_RULES_MAX || !parse_one(&to.spec[to.count++], part))
            return false;
    if (!fits(&to))
        return false;
    *s = to;
    return true;
}

/* ---- writing ---- */

static void put_condition(struct text_buf *out, const struct rule_spec *s)
{
    const bool share = s->rule.classes == 0, any_task = s->task[0] == '*' && s->task[1] == '\0';

    buf_text(out, share ? "share" : trace_classes_name(s->rule.classes, UINT32_MAX));
    if (any_task && s->rule.any)
        return;
    buf_char(out, ':');
    buf_text(out, s->task);
    if (s->rule.any)
        return;
    buf_char(out, ':');
    buf_number(out, s->rule.number);
}

static void put_counting(struct text_buf *out, const struct event_rule *r)
{
    buf_char(out, '/');
    buf_text(out, counted[r->counting - 1].name);
    buf_char(out, ':');
    buf_number(out, r->counter);
    if (r->counting != COUNTING_SET)
        return;
    buf_char(out, ':');
    buf_number(out, r->value);
}

static void put_actions(struct text_buf *out, const struct event_rule *r)
{
    if (r->counting != COUNTING_NONE)
        put_counting(out, r);
    for (unsigned i = 0; i < ROWS(plain); i++)
        if (r->actions & plain[i].action) {
            buf_char(out, '/');
            buf_text(out, plain[i].name);
        }
    if (!(r->actions & ACTION_FREEZE))
        return;
    buf_text(out, "/freeze");
    if (r->kept == PERCENT_MAX)
        return;
    buf_char(out, ':');
    buf_number(out, r->kept);
}

void rule_specs_put(struct text_buf *out, const struct rule_specs *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        buf_text(out, i ? "," : "");
        put_condition(out, &s->spec[i]);
        put_actions(out, &s->spec[i].rule);
    }
    buf_text(out, s->count ? "" : "none");
}

/* ---- what they are about ---- */

bool rule_specs_same(const struct rule_specs *a, const struct rule_specs *b)
{
    char one[RULE_VALUE_SIZE], other[RULE_VALUE_SIZE];
    struct text_buf a_text = TEXT_BUF(one), b_text = TEXT_BUF(other);

    rule_specs_put(&a_text, a);
    rule_specs_put(&b_text, b);
    return span_is((struct span){one, a_text.length}, other);
}

uint32_t rule_specs_of_task(const struct rule_specs *s, const char *task)
{
    uint32_t rules = 0;

    for (uint32_t i = 0; i < s->count; i++)
        if (s->spec[i].rule.classes != 0 &&
            (span_is(span_text("*"), s->spec[i].task) || span_is(span_text(task), s->spec[i].task)))
            rules |= 1u << i;
    return rules;
}

uint32_t rule_specs_classes(const struct rule_specs *s, uint32_t rules)
{
    uint32_t classes = 0;

    for (uint32_t i = 0; i < s->count; i++)
        classes |= rules >> i & 1 ? s->spec[i].rule.classes : 0;
    return classes;
}

unsigned rule_specs_actions(const struct rule_specs *s)
{
    unsigned actions = 0;

    for (uint32_t i = 0; i < s->count; i++)
        actions |= s->spec[i].rule.actions;
    return actions;
}
