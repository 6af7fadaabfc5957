; SPDX-License-Identifier: MIT
;
; The user programs (kernel/tasks/) as the image carries them: what program_files.asm makes, packed by gzip.

bits 64

global packed_programs, packed_programs_end

section .rodata progbits alloc noexec nowrite align=8
packed_programs:
    incbin "build/programs.gz"
packed_programs_end:
