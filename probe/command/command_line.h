/* SPDX-License-Identifier: MIT */
/* How long a line of the command language may be. */
#pragma once

#define COMMAND_LINE 256 /* longest line, its end included */
