/* SPDX-License-Identifier: MIT */
/* Includes WASI's own header, which has what Linux's has. */
#pragma once
#include <limits.h>
