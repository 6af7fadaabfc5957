/* SPDX-License-Identifier: MIT */
/* Texts have no roles but that of a key. */
#include "tools/records/record_roles.h"

#include "probe/core/call_stacks.h"
#include "probe/stream/event_decode.h"
#include "probe/survey/gap_log.h"
#include "probe/trace/event_rules.h"

static bool may_be(enum wire_role role, uint64_t n)
{
    switch (role) {
    case WIRE_ROLE_ID: case WIRE_ROLE_KEY_ID: return n <= UINT32_MAX;
    case WIRE_ROLE_SERIAL: return n;
    case WIRE_ROLE_FLAG: return n <= 1;
    default: return true;
    }
}

static bool may_follow(enum wire_role role, uint64_t now, uint64_t then)
{
    switch (role) {
    case WIRE_ROLE_SERIAL: case WIRE_ROLE_TIME: case WIRE_ROLE_SUM: case WIRE_ROLE_MOST: return now >= then;
    case WIRE_ROLE_LEAST: return now <= then;
    case WIRE_ROLE_SAME: return now == then;
    default: return true;
    }
}

bool roles_allow(const struct wire_field *field, unsigned fields, const void *now)
{
    const char *member = now;

    for (unsigned i = 0; i < fields; member += wire_member(&field[i++]))
        if (!field[i].text && !may_be(field[i].role, wire_number_at(member)))
            return false;
    return true;
}

bool roles_follow(const struct wire_field *field, unsigned fields, const void *now, const void *before)
{
    const char *member = now, *then = before;

    for (unsigned i = 0; i < fields; member += wire_member(&field[i]), then += wire_member(&field[i++]))
        if (!field[i].text && !may_follow(field[i].role, wire_number_at(member), wire_number_at(then)))
            return false;
    return true;
}

/* ---- rules ---- */

static bool is_gap_bucket(uint64_t us)
{
    unsigned i = 0;

    while (i < GAP_BUCKETS && gap_bucket_us(i) != us)
        i++;
    return i < GAP_BUCKETS;
}

/* A function for each rule, and a row of them for each type. */
#define HEAD_RULE(NAME, name, rule)                      \
    static bool NAME##_head(struct record_view now)      \
    {                                                    \
        const struct wire_##name *const head = now.head; \
        return rule;                                     \
    }
#define NEXT_HEAD_RULE(NAME, name, rule)                                                   \
    static bool NAME##_next_head(struct record_view now, struct record_view before)        \
    {                                                                                      \
        const struct wire_##name *const head = now.head, *const head_before = before.head; \
        return rule;                                                                       \
    }
#define ROW_RULE(NAME, name, rule)                            \
    static bool NAME##_row(struct record_view now)            \
    {                                                         \
        const struct wire_##name *const head = now.head;      \
        const struct wire_##name##_row *const row = now.row;  \
        (void)head;                                           \
        return rule;                                          \
    }
#define NEXT_ROW_RULE(NAME, name, rule)                                                       \
    static bool NAME##_next_row(struct record_view now, struct record_view before)            \
    {                                                                                         \
        const struct wire_##name *const head = now.head, *const head_before = before.head;    \
        const struct wire_##name##_row *const row = now.row, *const row_before = before.row;  \
        (void)head, (void)head_before, (void)row, (void)row_before;                           \
        return rule;                                                                          \
    }
WIRE_RULES(HEAD_RULE, NEXT_HEAD_RULE, ROW_RULE, NEXT_ROW_RULE)

#define HEAD_OF(NAME, name, rule)      [WIRE_##NAME].head = NAME##_head,
#define NEXT_HEAD_OF(NAME, name, rule) [WIRE_##NAME].next_head = NAME##_next_head,
#define ROW_OF(NAME, name, rule)       [WIRE_##NAME].row = NAME##_row,
#define NEXT_ROW_OF(NAME, name, rule)  [WIRE_##NAME].next_row = NAME##_next_row,
#define ONE_MORE(NAME, name, id, keep, what) +1

static const struct {
    bool (*head)(struct record_view now), (*row)(struct record_view now);
    bool (*next_head)(struct record_view now, struct record_view before);
    bool (*next_row)(struct record_view now, struct record_view before);
} rules[1 WIRE_RECORDS(ONE_MORE)] = {WIRE_RULES(HEAD_OF, NEXT_HEAD_OF, ROW_OF, NEXT_ROW_OF)};

bool rules_allow(enum wire_type type, struct record_view now)
{
    bool (*const rule)(struct record_view now) = now.row ? rules[type].row : rules[type].head;

    return !rule || rule(now);
}

bool rules_follow(enum wire_type type, struct record_view now, struct record_view before)
{
    bool (*const rule)(struct record_view now, struct record_view before) =
        now.row ? rules[type].next_row : rules[type].next_head;

    return !rule || rule(now, before);
}
