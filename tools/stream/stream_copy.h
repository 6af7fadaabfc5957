/* SPDX-License-Identifier: MIT */
/* A pipe can be read once: its bytes go to a file without a name, which can be read again. */
#pragma once

/* Read `from` to its end.  The file, at its begin; below 0, with errno: that failed. */
int stream_copy(int from);
