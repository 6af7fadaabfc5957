/* SPDX-License-Identifier: MIT */
/*
 * What the image has to say in plain sentences: a line on the serial port, or a
 * TEXT frame where output=frames; on the screen where no UART answers.
 */
#ifndef KERNEL_IO_LOG_H
#define KERNEL_IO_LOG_H

#include <stdint.h>

enum log_severity { LOG_NOTE, LOG_WARNING, LOG_ERROR };

#define LOG_LINE_MAX 440 /* longest sentence; the rest is cut. Room for one of CONFIG_MESSAGE and its opening */
#define SAY_NUMBER 24

/* Say the parts, a NULL-ended list of strings, as one line.  Task context. */
void log_parts(enum log_severity severity, ...);
#define log_line(severity, ...) log_parts(severity, __VA_ARGS__, (const char *)0)

/* Decimal and hexadecimal numbers into a buffer of SAY_NUMBER bytes; return it. */
const char *say_decimal(char buffer[SAY_NUMBER], uint64_t number);
const char *say_hex(char buffer[SAY_NUMBER], uint64_t number);

/* A number of thousandths as a decimal with three places. */
const char *say_milli(char buffer[SAY_NUMBER], uint64_t thousandths);

#define DECIMAL(number) say_decimal((char[SAY_NUMBER]){ 0 }, number)
#define HEX(number)     say_hex((char[SAY_NUMBER]){ 0 }, number)
#define MILLI(number)   say_milli((char[SAY_NUMBER]){ 0 }, number)

#endif
