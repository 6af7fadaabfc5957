/* SPDX-License-Identifier: MIT */
/*
 * RADIX-50: six characters of a task's name in four bytes, as RSX-11 keeps
 * them (DEC, "MACRO-11 Language Reference Manual", appendix; Crowe, "System-wide
 * CPU usage monitoring").  Blank, A-Z, $, ., unused (shown %), 0-9.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Pack up to six characters (lower case becomes upper, short names are padded
 * with blanks): first three in the high half.  False, and *id untouched, where
 * a character has no code or there are more than six.  Any context.
 */
bool radix50_pack(const char *name, uint32_t *id);

/* Unpack into 7 bytes, trailing blanks cut; false where a half is above 0xf9ff. */
bool radix50_unpack(uint32_t id, char name[7]);
