/* SPDX-License-Identifier: MIT */
/* Text of the run, to each of its ways out. */
#include "kernel/io/text_out.h"

#include <stdint.h>

#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"

void text_out(const char *text, unsigned length)
{
    stream_uart_write_wait((const uint8_t *)text, length);
    screen_write(text, length);
}
