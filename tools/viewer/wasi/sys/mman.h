/* SPDX-License-Identifier: MIT */
/* Declares what is used of it: a file without a name. */
#pragma once

#define MFD_CLOEXEC 1

int memfd_create(const char *name, unsigned flags);
