/* SPDX-License-Identifier: MIT */
/* The framebuffer of UEFI's graphics output protocol (GOP). */
#pragma once

#include <efi.h>

#include "drivers/framebuffer.h"

/*
 * Describe the framebuffer of the mode that is set; unchanged where there is no GOP, or one without a framebuffer.
 * Before the boot services end.
 */
void graphics_find(EFI_BOOT_SERVICES *bs, struct framebuffer_layout *to);
