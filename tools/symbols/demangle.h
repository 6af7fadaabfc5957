/* SPDX-License-Identifier: MIT */
/*
 * Decodes names of functions as their programmers wrote them, for the languages whose compilers encode them: C++
 * (Itanium ABI) and Rust (v0 and legacy).
 */
#pragma once

/*
 * The decoded name, for the caller to free; NULL if it is not encoded, if the encoding is damaged,
 * or if the decoded name has more than 64 KiB.
 */
char *demangle(const char *name);
