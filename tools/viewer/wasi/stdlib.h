/* SPDX-License-Identifier: MIT */
/* Adds realpath(3). */
#pragma once

#include_next <stdlib.h>

char *realpath(const char *path, char *to);
