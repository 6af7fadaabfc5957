/* SPDX-License-Identifier: MIT */
/*
 * Which events are taken of which task: events= and when= of the configuration in force by the task's name, and what
 * the tree of monitor=states needs of any task.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"

/* Whether events are taken in this window, and to say so.  Any context; interrupts off. */
bool trace_is_on(void);
void trace_set_on(bool on);

/*
 * The classes that these words take of a task of this name.  Where times are recorded its switches are with them:
 * they tell which of its events happened when.  Any context.
 */
uint32_t trace_classes_by(const struct config *w, const char *name);

/* The same of any task. */
uint32_t trace_classes_of_any(const struct config *w);

/* The same of the words in force; 0 where no events are taken. */
uint32_t trace_classes_of(const char *name);

/* The rules of when= that are about a task of this name, as a mask; 0 where no events are taken. */
uint8_t trace_rules_about(const char *name);
