/* SPDX-License-Identifier: MIT */
/* Finds the files that were built or installed with this program, wherever that is. */
#pragma once

/*
 * The path of a readable file `name`, for the caller to free: in the folder `installed`, else in `built`, both as
 * seen from the folder of this program.  NULL: it is in neither.  Host.
 */
char *own_file(const char *installed, const char *built, const char *name);
