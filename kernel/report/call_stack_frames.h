/* SPDX-License-Identifier: MIT */
/* The record CALL_STACKS as frames: rows of all monitors that count by call stack, under one head. */
#pragma once

#include <stdint.h>

#include "probe/core/call_stacks.h"
#include "probe/stream/wire.h"

/* Begin frames of the snapshot `serial`; put rows, whose id, mode and addresses are those of `key`; send what is begun.  Task PROBE. */
void call_stack_frames_begin(uint64_t serial);
void call_stack_frames_put(const struct call_stack_key *key, struct wire_call_stacks_row *row);
void call_stack_frames_send(void);
