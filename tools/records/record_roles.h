/* SPDX-License-Identifier: MIT */
/* Holds a head or row against the roles that wire.h gives its fields, and against the rules of its record. */
#pragma once

#include <stdbool.h>

#include "probe/stream/wire_fields.h"

/* Whether they can be, alone. */
bool roles_allow(const struct wire_field *field, unsigned fields, const void *now);

/* Whether they can follow those before, of the same key: no sum or time goes back, what is constant stays. */
bool roles_follow(const struct wire_field *field, unsigned fields, const void *now, const void *before);

/* What is checked: a row, NULL: the head alone, with its head. */
struct record_view {
    const void *head, *row;
};

/* Whether the rules of wire.h allow it, alone; and after what was before it, of the same key. */
bool rules_allow(enum wire_type type, struct record_view now);
bool rules_follow(enum wire_type type, struct record_view now, struct record_view before);
