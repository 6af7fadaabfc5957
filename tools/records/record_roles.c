/* SPDX-License-Identifier: MIT */
/* Texts have no roles but that of a key. */
#include "tools/records/record_roles.h"

static bool may_be(enum wire_role role, uint64_t n)
{
    switch (role) {
    case WIRE_ROLE_ID: return n <= UINT32_MAX;
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
