/* SPDX-License-Identifier: MIT */
/* Makes JSON of the structs that report_object.h declares: the layout of a struct follows from its members' kinds. */
#include "tools/base/report_object.h"

#include <assert.h>
#include <stdalign.h>

#include "tools/base/json_value.h"

static const struct {
    size_t size, align;
    bool or_null;
} layout[REPORT_KIND_COUNT] = {
#define LAYOUT(kind, type, name, null) [REPORT_##kind] = {sizeof(report_type_##kind), alignof(report_type_##kind), null},
    REPORT_KINDS(LAYOUT)
#undef LAYOUT
};

static json_t *maybe(const struct report_maybe *m, bool flag)
{
    if (!m->known)
        return json_null();
    return flag ? json_boolean(m->value) : json_count(m->value);
}

/* A value that was made before; NULL leaves it out. */
static json_t *made(const struct report_member *m, json_t *value)
{
    if (!value && layout[m->kind].or_null)
        return json_null();
    assert(value || m->kind == REPORT_OBJECT_IF || m->kind == REPORT_LIST_IF);
    return value;
}

/* The value of a member, NULL: it is left out. */
static json_t *member_value(const struct report_member *m, const void *at)
{
    switch (m->kind) {
    case REPORT_COUNT: return json_count(*(const uint64_t *)at);
    case REPORT_COUNT_OR_NULL: return maybe(at, false);
    case REPORT_INTEGER: return json_integer(*(const int64_t *)at);
    case REPORT_REAL: return json_finite(*(const double *)at);
    case REPORT_FLAG: return json_boolean(*(const bool *)at);
    case REPORT_FLAG_OR_NULL: return maybe(at, true);
    case REPORT_ADDRESS: return json_address(*(const uint64_t *)at);
    case REPORT_TEXT_IF:
        if (!*(const char *const *)at)
            return NULL;
        /* fall through */
    case REPORT_TEXT:
    case REPORT_WORD:
    case REPORT_WORD_OR_NULL: return json_text_or_null(*(const char *const *)at);
    default: return made(m, *(json_t *const *)at);
    }
}

json_t *report_object_make(const struct report_object *object, const void *value)
{
    json_t *const to = object->tuple ? json_array() : json_object();
    size_t offset = 0;

    if (object->schema)
        json_object_set_new(to, "schema", json_string(object->schema));
    for (size_t i = 0; i < object->members; i++) {
        const struct report_member *m = &object->member[i];
        json_t *member;

        offset = (offset + layout[m->kind].align - 1) / layout[m->kind].align * layout[m->kind].align;
        member = member_value(m, (const char *)value + offset);
        offset += layout[m->kind].size;
        if (member && object->tuple)
            json_array_append_new(to, member);
        else if (member)
            json_object_set_new(to, m->name, member);
    }
    return to;
}
