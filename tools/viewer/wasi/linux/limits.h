/* SPDX-License-Identifier: MIT */
/* What Linux has in it is in WASI's own header. */
#pragma once
#include <limits.h>
