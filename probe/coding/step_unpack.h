/* SPDX-License-Identifier: MIT */
/* The receiver's half of probe/coding/step_pack.h.  The bytes may be anything: nothing is read past them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/leb128.h"
#include "probe/coding/step_pack.h"

#define STEP_END ((uint64_t)1 << 62) /* steps are shorter, forwards or back */

/* Read `count` steps, at most STEP_FRAME_MAX, in this form.  False if no sender makes such codes.  Any context. */
bool step_list_read(int64_t *step, uint32_t count, uint8_t form, struct leb128_bytes *codes);
