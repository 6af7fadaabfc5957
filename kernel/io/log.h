/* SPDX-License-Identifier: MIT */
/*
 * What the image has to say in plain sentences: a line on the serial port, or a
 * TEXT frame where output=frames; on the screen where no UART answers.
 */
#ifndef KERNEL_IO_LOG_H
#define KERNEL_IO_LOG_H

#include <stdint.h>

enum say_severity { SAY_NOTE, SAY_WARNING, SAY_ERROR };

#define SAY_LINE 440 /* longest sentence; the rest is cut. Room for one of CONFIG_MESSAGE and its opening */
#define SAY_NUMBER 24

/* Say the parts, a NULL-ended list of strings, as one line.  Task context. */
void say_parts(enum say_severity severity, ...);
#define say(severity, ...) say_parts(severity, __VA_ARGS__, (const char *)0)

/* Decimal and hexadecimal numbers into a buffer of SAY_NUMBER bytes; return it. */
const char *say_decimal(char buffer[SAY_NUMBER], uint64_t number);
const char *say_hex(char buffer[SAY_NUMBER], uint64_t number);

/* A number of thousandths as a decimal with three places. */
const char *say_milli(char buffer[SAY_NUMBER], uint64_t thousandths);

#define DECIMAL(number) say_decimal((char[SAY_NUMBER]){ 0 }, number)
#define HEX(number)     say_hex((char[SAY_NUMBER]){ 0 }, number)
#define MILLI(number)   say_milli((char[SAY_NUMBER]){ 0 }, number)

#endif
