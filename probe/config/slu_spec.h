/* SPDX-License-Identifier: MIT */
/*
 * The word slu=: which UART the ticks of tick=slu and tick=slu-timeout come from.
 *   auto, stream, or com1 .. com4 perhaps with ,BAUD
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/serial_spec.h"

#define SLU_SPEC_ALLOWED "auto stream com1 com2 com3 com4, ,BAUD after a port"

enum slu_port {
    SLU_COM1, SLU_COM2, SLU_COM3, SLU_COM4, /* as enum serial_place has them */
    SLU_AUTO,   /* COM2 or COM1, whichever answers and is not the stream's; else as SLU_STREAM */
    SLU_STREAM, /* the stream's own */
};

struct slu_spec {
    uint64_t port; /* enum slu_port */
    uint64_t baud; /* bit/s; 0: that of serial= */
};

/* Read a value; *word changes only if it is SERIAL_SPEC_OK.  Any context. */
enum serial_spec_result slu_spec_parse(struct slu_spec *word, struct span value);

/* Append it in the form that is read. */
void slu_spec_put(struct text_buf *out, const struct slu_spec *word);
