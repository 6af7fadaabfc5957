/* SPDX-License-Identifier: MIT */
/* The system's elf.h asks for it; nothing here starts a program. */
#pragma once
