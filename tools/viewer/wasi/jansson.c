/* SPDX-License-Identifier: MIT */
/* Makes JSON values, counts who has them, and dumps them as Jansson does. */
#include <jansson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define PRECISION 17 /* digits of a real number where no flag tells how many */
#define NUMBER    64

enum kind { OBJECT, ARRAY, STRING, INTEGER, REAL, BOOLEAN, NOTHING };

struct json {
    enum kind kind;
    bool flag;
    size_t users;
    json_int_t integer;
    double real;
    char *text;
    size_t length; /* of the text, or how many items */
    char **key;    /* of an object */
    json_t **item;
};

/* ---- values ---- */

static json_t *new_json(enum kind kind)
{
    json_t *const json = xcalloc(1, sizeof(*json));

    json->kind = kind;
    json->users = 1;
    return json;
}

json_t *json_object(void) { return new_json(OBJECT); }
json_t *json_array(void) { return new_json(ARRAY); }
json_t *json_null(void) { return new_json(NOTHING); }
json_t *json_false(void) { return new_json(BOOLEAN); }

json_t *json_true(void)
{
    json_t *const json = new_json(BOOLEAN);

    json->flag = true;
    return json;
}

json_t *json_integer(json_int_t n)
{
    json_t *const json = new_json(INTEGER);

    json->integer = n;
    return json;
}

json_t *json_real(double x)
{
    json_t *const json = isfinite(x) ? new_json(REAL) : NULL;

    if (json)
        json->real = x;
    return json;
}

/* Bytes of the character of UTF-8 that begins there; 0: none does. */
static size_t utf8(const unsigned char *at, size_t most)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 0;
    uint32_t code = length > 1 ? *at & (0x7fu >> length) : *at;

    if (!length || length > most)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

static bool is_utf8(const char *text, size_t length)
{
    for (size_t at = 0, one; at < length; at += one) {
        one = utf8((const unsigned char *)text + at, length - at);
        if (!one)
            return false;
    }
    return true;
}

json_t *json_stringn(const char *text, size_t length)
{
    json_t *json;

    if (!text || !is_utf8(text, length))
        return NULL;
    json = new_json(STRING);
    json->text = xrealloc_array(NULL, length + 1, 1);
    memcpy(json->text, text, length);
    json->text[length] = '\0';
    json->length = length;
    return json;
}

json_t *json_string(const char *text)
{
    return text ? json_stringn(text, strlen(text)) : NULL;
}

json_t *json_sprintf(const char *format, ...)
{
    va_list arguments;
    json_t *json = NULL;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        json = json_string(text);
        free(text);
    }
    va_end(arguments);
    return json;
}

json_t *json_incref(json_t *json)
{
    if (json)
        json->users++;
    return json;
}

void json_decref(json_t *json)
{
    if (!json || --json->users)
        return;
    for (size_t i = 0; json->kind != STRING && i < json->length; i++) {
        json_decref(json->item[i]);
        if (json->key)
            free(json->key[i]);
    }
    free(json->text);
    free(json->key);
    free(json->item);
    free(json);
}

static bool is(const json_t *json, enum kind kind)
{
    return json && json->kind == kind;
}

bool json_is_array(const json_t *json) { return is(json, ARRAY); }
bool json_is_boolean(const json_t *json) { return is(json, BOOLEAN); }
bool json_is_integer(const json_t *json) { return is(json, INTEGER); }
bool json_is_real(const json_t *json) { return is(json, REAL); }
bool json_is_number(const json_t *json) { return is(json, INTEGER) || is(json, REAL); }
bool json_is_true(const json_t *json) { return is(json, BOOLEAN) && json->flag; }
double json_real_value(const json_t *json) { return is(json, REAL) ? json->real : 0; }
json_int_t json_integer_value(const json_t *json) { return is(json, INTEGER) ? json->integer : 0; }
const char *json_string_value(const json_t *json) { return is(json, STRING) ? json->text : NULL; }
size_t json_string_length(const json_t *json) { return is(json, STRING) ? json->length : 0; }

double json_number_value(const json_t *json)
{
    return is(json, INTEGER) ? (double)json->integer : json_real_value(json);
}

/* ---- lists and objects ---- */

size_t json_array_size(const json_t *array) { return is(array, ARRAY) ? array->length : 0; }
size_t json_object_size(const json_t *object) { return is(object, OBJECT) ? object->length : 0; }

json_t *json_array_get(const json_t *array, size_t index)
{
    return index < json_array_size(array) ? array->item[index] : NULL;
}

/* Make room for one more: at each power of two. */
static void grow(json_t *json)
{
    const size_t n = json->length;

    if (n & (n - 1))
        return;
    json->item = xrealloc_array(json->item, n ? 2 * n : 1, sizeof(*json->item));
    if (json->kind == OBJECT)
        json->key = xrealloc_array(json->key, n ? 2 * n : 1, sizeof(*json->key));
}

int json_array_append_new(json_t *array, json_t *value)
{
    if (!value || !is(array, ARRAY)) {
        json_decref(value);
        return -1;
    }
    grow(array);
    array->item[array->length++] = value;
    return 0;
}

const char *json_object_key_at(const json_t *object, size_t index, json_t **value)
{
    if (index >= json_object_size(object))
        return NULL;
    *value = object->item[index];
    return object->key[index];
}

/* The place of the key, or that behind the last. */
static size_t place_of(const json_t *object, const char *key)
{
    size_t i = 0;

    while (i < object->length && strcmp(object->key[i], key) != 0)
        i++;
    return i;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    const size_t i = is(object, OBJECT) ? place_of(object, key) : 0;

    return i < json_object_size(object) ? object->item[i] : NULL;
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    size_t i;

    if (!key || !value || !is(object, OBJECT)) {
        json_decref(value);
        return -1;
    }
    i = place_of(object, key);
    if (i < object->length) {
        json_decref(object->item[i]);
    } else {
        grow(object);
        object->key[i] = xasprintf("%s", key);
        object->length++;
    }
    object->item[i] = value;
    return 0;
}

int json_object_set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, json_incref(value));
}

static int update(json_t *object, json_t *other, bool missing)
{
    for (size_t i = 0; i < json_object_size(other); i++)
        if (!missing || !json_object_get(object, other->key[i]))
            json_object_set(object, other->key[i], other->item[i]);
    json_decref(other);
    return 0;
}

int json_object_update_new(json_t *object, json_t *other)
{
    return update(object, other, false);
}

int json_object_update_missing_new(json_t *object, json_t *other)
{
    return update(object, other, true);
}

/* ---- json_pack() ---- */

struct packing {
    const char *at;
    va_list arguments;
};

static char next_letter(struct packing *p)
{
    p->at += strspn(p->at, " ,:");
    return *p->at ? *p->at++ : '\0';
}

static json_t *pack_value(struct packing *p, char letter);

static json_t *pack_list(struct packing *p)
{
    json_t *const list = json_array();

    for (char letter; (letter = next_letter(p)) && letter != ']';)
        json_array_append_new(list, pack_value(p, letter));
    return list;
}

static json_t *pack_object(struct packing *p)
{
    json_t *const object = json_object();

    for (char letter; (letter = next_letter(p)) && letter != '}';) {
        const char *const key = va_arg(p->arguments, const char *);

        json_object_set_new(object, key, pack_value(p, next_letter(p)));
    }
    return object;
}

static json_t *pack_value(struct packing *p, char letter)
{
    json_t *value = NULL;

    switch (letter) {
    case '{': return pack_object(p);
    case '[': return pack_list(p);
    case 's': value = json_string(va_arg(p->arguments, const char *)); break;
    case 'b': value = json_boolean(va_arg(p->arguments, int)); break;
    case 'i': value = json_integer(va_arg(p->arguments, int)); break;
    case 'I': value = json_integer(va_arg(p->arguments, json_int_t)); break;
    case 'f': value = json_real(va_arg(p->arguments, double)); break;
    case 'n': value = json_null(); break;
    case 'o': value = va_arg(p->arguments, json_t *); break;
    case 'O': value = json_incref(va_arg(p->arguments, json_t *)); break;
    default: break;
    }
    p->at += *p->at == '*';
    return value;
}

json_t *json_pack(const char *format, ...)
{
    struct packing p = {.at = format};
    json_t *value;

    va_start(p.arguments, format);
    value = pack_value(&p, next_letter(&p));
    va_end(p.arguments);
    return value;
}

/* ---- dumping ---- */

struct dump {
    json_dump_callback_t put;
    void *data;
    size_t flags;
    bool failed;
};

static void put(struct dump *d, const char *bytes, size_t length)
{
    if (!d->failed && length)
        d->failed = d->put(bytes, length, d->data) != 0;
}

static void put_line(struct dump *d, size_t depth, bool space)
{
    static const char blanks[] = "                                ";
    const size_t wide = d->flags & 0x1f;

    if (!wide) {
        put(d, " ", space && !(d->flags & JSON_COMPACT));
        return;
    }
    put(d, "\n", 1);
    for (size_t rest = wide * depth; rest; rest -= rest < 32 ? rest : 32)
        put(d, blanks, rest < 32 ? rest : 32);
}

/* What stands for a byte of a string; the byte itself, where nothing does. */
static size_t escaped(char byte, char to[8])
{
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* a byte, and what stands behind the backslash */

    for (const char *l = letters; *l; l += 2)
        if (*l == byte)
            return (size_t)sprintf(to, "\\%c", l[1]);
    return (size_t)((unsigned char)byte < 0x20 ? sprintf(to, "\\u%04X", byte) : sprintf(to, "%c", byte));
}

static void put_string(struct dump *d, const char *text, size_t length)
{
    size_t from = 0;
    char to[8];

    put(d, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        const size_t made = text[i] ? escaped(text[i], to) : (size_t)sprintf(to, "\\u0000");

        if (made == 1)
            continue;
        put(d, text + from, i - from);
        put(d, to, made);
        from = i + 1;
    }
    put(d, text + from, length - from);
    put(d, "\"", 1);
}

/* As printf's %g, with a point or an exponent, which has neither a plus nor zeros before its digits. */
static void put_real(struct dump *d, double x)
{
    const int precision = d->flags >> 11 & 0x1f;
    char text[NUMBER], *exponent, *digits;

    snprintf(text, sizeof(text) - 2, "%.*g", precision ? precision : PRECISION, x);
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
    exponent = strchr(text, 'e');
    if (exponent) {
        digits = exponent + 2;
        exponent += 1 + (exponent[1] == '-');
        digits += strspn(digits, "0");
        memmove(exponent, digits, strlen(digits) + 1);
    }
    put(d, text, strlen(text));
}

static void put_value(struct dump *d, const json_t *json, size_t depth);

static void put_items(struct dump *d, const json_t *json, size_t depth)
{
    const char *const ends = json->kind == OBJECT ? "{}" : "[]";

    put(d, ends, 1);
    for (size_t i = 0; i < json->length; i++) {
        put(d, ",", i != 0);
        put_line(d, depth + 1, i != 0);
        if (json->kind == OBJECT) {
            put_string(d, json->key[i], strlen(json->key[i]));
            put(d, ": ", d->flags & JSON_COMPACT ? 1 : 2);
        }
        put_value(d, json->item[i], depth + 1);
    }
    if (json->length)
        put_line(d, depth, false);
    put(d, ends + 1, 1);
}

static void put_value(struct dump *d, const json_t *json, size_t depth)
{
    char number[NUMBER];

    switch (json->kind) {
    case OBJECT:
    case ARRAY: put_items(d, json, depth); break;
    case STRING: put_string(d, json->text, json->length); break;
    case INTEGER: put(d, number, (size_t)sprintf(number, "%lld", json->integer)); break;
    case REAL: put_real(d, json->real); break;
    case BOOLEAN: put(d, json->flag ? "true" : "false", json->flag ? 4 : 5); break;
    case NOTHING: put(d, "null", 4); break;
    }
}

int json_dump_callback(const json_t *json, json_dump_callback_t to, void *data, size_t flags)
{
    struct dump d = {to, data, flags, !json};

    if (json)
        put_value(&d, json, 0);
    return d.failed ? -1 : 0;
}

static int write_out(const char *bytes, size_t length, void *out)
{
    return fwrite(bytes, 1, length, out) == length ? 0 : -1;
}

int json_dumpf(const json_t *json, FILE *out, size_t flags)
{
    return json_dump_callback(json, write_out, out, flags);
}

char *json_dumps(const json_t *json, size_t flags)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    const int failed = !out || json_dumpf(json, out, flags);

    if ((out && fclose(out)) || failed) {
        free(text);
        return NULL;
    }
    return text;
}
