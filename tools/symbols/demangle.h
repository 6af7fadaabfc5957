/* SPDX-License-Identifier: MIT */
/*
 * Names of functions as their programmers wrote them, for the languages whose
 * compilers encode them: C++ (Itanium ABI) and Rust (v0 and legacy).
 */
#ifndef TOOLS_SYMBOLS_DEMANGLE_H
#define TOOLS_SYMBOLS_DEMANGLE_H

/*
 * The name decoded, for the caller to free; NULL where it is not encoded, where
 * the code is damaged, or where what it stands for has more than 64 KiB.
 */
char *demangle(const char *name);

#endif
