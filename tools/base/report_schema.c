/* SPDX-License-Identifier: MIT */
/* Makes the schema of a report of the declarations of its objects (report_object.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/report_object.h"

#define DIALECT "https://json-schema.org/draft/2020-12/schema"
#define ADDRESS_PATTERN "^0x[0-9a-f]+$"

/* The objects of a report: what stands in several places is an entry of $defs. */
struct uses {
    struct use {
        const struct report_object *object;
        unsigned times;
    } *of;
    size_t count;
};

/* NULL: it was not counted yet. */
static struct use *use_of(const struct uses *u, const struct report_object *o)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->of[i].object == o)
            return &u->of[i];
    return NULL;
}

static void count_object(struct uses *u, const struct report_object *o);

static void count_members(struct uses *u, const struct report_object *o)
{
    for (size_t i = 0; o->either && o->either[i]; i++)
        count_object(u, o->either[i]);
    for (size_t i = 0; i < o->members; i++)
        if (o->member[i].kind == REPORT_PART)
            count_members(u, o->member[i].of);
        else if (o->member[i].of)
            count_object(u, o->member[i].of);
}

static void count_object(struct uses *u, const struct report_object *o)
{
    struct use *const known = use_of(u, o);

    if (known) {
        known->times++;
        return;
    }
    APPEND(u->of, u->count, (struct use){o, 1});
    count_members(u, o);
}

static json_t *object_schema(const struct uses *u, const struct report_object *o);

static json_t *place_schema(const struct uses *u, const struct report_object *o)
{
    return use_of(u, o)->times > 1 ? json_pack("{so}", "$ref", json_sprintf("#/$defs/%s", o->name))
                                   : object_schema(u, o);
}

static json_t *type_of(const char *type)
{
    json_t *const schema = json_pack("{ss}", "type", type);

    if (!strcmp(type, "integer"))
        json_object_set_new(schema, "minimum", json_integer(0));
    return schema;
}

/* What a list, or a map, has; NULL: a member of another kind. */
static json_t *item_schema(const struct uses *u, const struct report_member *m)
{
    switch (m->kind) {
    case REPORT_LIST:
    case REPORT_LIST_OR_NULL:
    case REPORT_LIST_IF:
    case REPORT_MAP:
    case REPORT_MAP_OR_NULL: return place_schema(u, m->of);
    case REPORT_COUNTS:
    case REPORT_COUNTS_IF:
    case REPORT_MAP_OF_COUNTS: return type_of("integer");
    case REPORT_REALS:
    case REPORT_MAP_OF_REALS: return json_pack("{s[ss]}", "type", "number", "null");
    case REPORT_MAP_OF_FLAGS:
    case REPORT_MAP_OF_FLAGS_OR_NULL: return type_of("boolean");
    case REPORT_TEXTS:
    case REPORT_TEXTS_OR_NULL: return json_pack("{s[ss]}", "type", "string", "null");
    case REPORT_ADDRESSES: return json_pack("{ss ss}", "type", "string", "pattern", ADDRESS_PATTERN);
    default: return NULL;
    }
}

static bool or_null(const struct report_member *m)
{
    return report_kinds[m->kind].absence == REPORT_OR_NULL;
}

static json_t *words_schema(const struct report_member *m)
{
    json_t *const words = json_array();

    for (const char *const *w = m->words; *w; w++)
        json_array_append_new(words, json_string(*w));
    if (or_null(m))
        json_array_append_new(words, json_null());
    return words;
}

/* Of a member with an object: that object's schema, or null where it may be missing. */
static json_t *start_of(const struct uses *u, const struct report_member *m)
{
    const char *const type = report_kinds[m->kind].type;
    json_t *schema;

    if (m->kind == REPORT_OBJECT || m->kind == REPORT_OBJECT_IF || m->kind == REPORT_OBJECT_OR_NULL)
        schema = place_schema(u, m->of);
    else
        schema = json_pack("{ss}", "type", type);
    if (or_null(m) && !json_object_get(schema, "type"))
        return json_pack("{s[o{ss}]}", "anyOf", schema, "type", "null");
    if (or_null(m))
        json_object_set_new(schema, "type", json_pack("[O, s]", json_object_get(schema, "type"), "null"));
    return schema;
}

static json_t *member_schema(const struct uses *u, const struct report_member *m)
{
    json_t *const schema = start_of(u, m), *const item = item_schema(u, m);

    json_object_set_new(schema, "description", json_string(m->what));
    if (item)
        json_object_set_new(schema, strcmp(report_kinds[m->kind].type, "array") ? "additionalProperties" : "items",
                            item);
    if (m->kind == REPORT_COUNT || m->kind == REPORT_COUNT_OR_NULL || m->kind == REPORT_COUNT_IF)
        json_object_set_new(schema, "minimum", json_integer(0));
    if (m->kind == REPORT_ADDRESS || m->kind == REPORT_ADDRESS_OR_NULL)
        json_object_set_new(schema, "pattern", json_string(ADDRESS_PATTERN));
    if (m->words)
        json_object_set_new(schema, "enum", words_schema(m));
    return schema;
}

static json_t *tuple_schema(const struct uses *u, const struct report_object *o)
{
    json_t *const items = json_array();

    for (size_t i = 0; i < o->members; i++) {
        json_t *const item = member_schema(u, &o->member[i]);

        json_object_set_new(item, "title", json_string(o->member[i].name));
        json_array_append_new(items, item);
    }
    return json_pack("{ss ss so sb si}", "title", o->name, "type", "array", "prefixItems", items, "items", 0,
                     "minItems", (int)o->members);
}

static json_t *list_of_schemas(const struct uses *u, const struct report_object *const *of)
{
    json_t *const list = json_array();

    for (; *of; of++)
        json_array_append_new(list, object_schema(u, *of));
    return list;
}

static void put_members(const struct uses *u, const struct report_object *o, json_t *required, json_t *properties)
{
    for (size_t i = 0; i < o->members; i++) {
        const struct report_member *const m = &o->member[i];
        char name[REPORT_NAME_SIZE];

        if (m->kind == REPORT_PART) {
            put_members(u, m->of, required, properties);
            continue;
        }
        if (report_kinds[m->kind].absence != REPORT_LEFT_OUT)
            json_array_append_new(required, json_string(report_member_name(m, name)));
        json_object_set_new(properties, report_member_name(m, name), member_schema(u, m));
    }
}

static json_t *object_schema(const struct uses *u, const struct report_object *o)
{
    json_t *const required = json_array(), *const properties = json_object();

    if (o->either)
        return json_pack("{so}", "oneOf", list_of_schemas(u, o->either));
    if (o->tuple)
        return tuple_schema(u, o);
    if (o->schema) {
        json_array_append_new(required, json_string("schema"));
        json_object_set_new(properties, "schema", json_pack("{ss}", "const", o->schema));
    }
    put_members(u, o, required, properties);
    return json_pack("{ss ss so sb so}", "title", o->name, "type", "object", "required", required,
                     "additionalProperties", 0, "properties", properties);
}

static void put_shared(const struct uses *u, json_t *schema)
{
    json_t *const shared = json_object();

    for (size_t i = 0; i < u->count; i++)
        if (u->of[i].times > 1) {
            assert(!json_object_get(shared, u->of[i].object->name)); /* two objects of one name */
            json_object_set_new(shared, u->of[i].object->name, object_schema(u, u->of[i].object));
        }
    if (json_object_size(shared))
        json_object_set(schema, "$defs", shared);
    json_decref(shared);
}

json_t *report_object_schema(const char *title, const struct report_object *const *of)
{
    json_t *const schema = json_pack("{ss ss ss}", "$schema", DIALECT, "title", title, "description",
        "Members may be added under this schema's name; none is removed or gets another meaning.  What was not "
        "measured is null.");
    struct uses u = {0};

    for (size_t i = 0; of[i]; i++)
        count_object(&u, of[i]);
    if (of[1])
        json_object_set_new(schema, "oneOf", list_of_schemas(&u, of));
    else
        json_object_update_missing_new(schema, object_schema(&u, *of));
    put_shared(&u, schema);
    free(u.of);
    return schema;
}
