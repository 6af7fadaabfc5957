/* SPDX-License-Identifier: MIT */
/* The constants and structs of ELF are those of the system that builds. */
#pragma once

#define __BEGIN_DECLS
#define __END_DECLS

#include </usr/include/elf.h>
