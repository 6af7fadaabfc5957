/* SPDX-License-Identifier: MIT */
/* The answer to a command of a host, in as many ANSWER frames as its text needs (docs/PROTOCOL.md, "Commands"). */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"

#ifndef ANSWER_PART
#define ANSWER_PART 1200u /* bytes of a text in one frame */
#endif

/*
 * Send `text` to whoever sent `to`: part(context, head) for each frame, with all fields of `head` set but `took`.
 * The caller sets its boot, status and whether it is repeated.  Task context.
 */
void answer_send(const struct wire_command *to, struct wire_answer *head, const char *text, uint64_t length,
                 void (*part)(void *context, struct wire_answer *head), void *context);
