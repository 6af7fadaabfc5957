/* SPDX-License-Identifier: MIT */
/*
 * Replaces, in text from outside (the image, the line, a program's file), what is not ASCII from ' ' to '~' by
 * '?', before it reaches a terminal, a report or JSON: no escape sequence gets through.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Replaces in place, up to the terminating zero. */
char *printable(char *text);

/* The same for several lines: line feeds stay. */
void printable_lines(char *text);

/* A copy of `length` bytes and a zero after them, for the caller to free. */
char *printable_copy(const char *bytes, size_t length);

/*
 * Escapes instead of replacing: \xNN for what printable() would replace, a backslash before the
 * characters of `special`.
 */
void printable_escaped(FILE *out, const char *text, size_t length, const char *special);

/*
 * Replaces in place, for a message that also names files of the user: line feeds and well-formed
 * UTF-8 stay, control characters (C0, DEL, C1) do not.
 */
void printable_sentence(char *text);

/* The same of one name, which stays on its line: line feeds are replaced too. */
void printable_name(char *text);
