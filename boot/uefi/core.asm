; SPDX-License-Identifier: MIT
; The core image as a block of bytes inside the UEFI application (boot/uefi/main.c).

%ifndef CORE
%define CORE "build/core.bin"
%endif

global core_image, core_image_end

section .rodata progbits alloc noexec nowrite align=16
core_image:
    incbin CORE
core_image_end:

section .note.GNU-stack noalloc noexec nowrite progbits
