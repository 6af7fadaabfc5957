; SPDX-License-Identifier: MIT
;
; ROGUE, the program of Figures 4 and 5 of Crowe's "CPU Probes": an endless loop that
; writes its data base repeatedly, and sometimes waits for its disk.  dbwrit and the
; functions after it have the addresses of the paper's symbol table; main, mkrec and
; dbfind are our names, for hits that no symbol of the paper covers.  dbwrit calls all
; functions of Figure 5 except emt, as the paper says.
;
; The figures come from two runs and differ, in slot 042400 by 1.9 points of user
; time.  The profile is midway between them: equally far from Figure 4 in points of
; user time and from Figure 5 in points of its range's time.  By count of instructions
; no slot is off by more than 0.7 points of either (tests/qemu/rogue.py).

bits 64

%include "build/tasks/offsets.inc"
%include "kernel/tasks/runtime/dwarf_unit.inc"

BLOCK_LOG2  equ 4                       ; a block's part of a period's kernel time
GLUE        equ 55                      ; instructions around the loops of a record, in turns

; The only difference of the repaired program (rogue-fixed.asm): it writes its data base
; once for all records of a period, in one block, and not after each record.
%ifdef REPAIRED
    BLOCKS_LOG2 equ 0                   ; blocks in a period, of many records each
    %macro WHEN_DUE 0.nolist
        cmp r13, RECORD + GLUE
        jae .record
    %endmacro
%else
    BLOCKS_LOG2 equ BLOCK_LOG2
    %macro WHEN_DUE 0.nolist
    %endmacro
%endif

%assign RECORD 0

%macro SLOT 2.nolist                    ; slot, turns of its loop for one record
    turns_%1 equ %2
    %assign RECORD RECORD + %2
%endmacro

; The profile; its numbers are only here.  A slot has 16 bytes within the range of
; Figure 5, and 128 outside.  The unit is a turn of two instructions: a record takes as
; many turns as Figure 4 has samples.  The instructions around a loop take part of the
; slot's time, and the loop has correspondingly fewer turns.
SLOT 002200q,   17
SLOT 015200q,   87
SLOT 020000q,   23
SLOT 020200q,   76
SLOT 020400q,   71
SLOT 020600q,   77
SLOT 021000q,   68
SLOT 024200q,   70
SLOT 024400q,   58
SLOT 024600q,   66
SLOT 025000q,   65
SLOT 025200q,    5
SLOT 025220q,    9
SLOT 025240q,   10
SLOT 025260q,   34
SLOT 025300q,   68
SLOT 025320q,   38
SLOT 025340q,   81
SLOT 025360q,   34
SLOT 025400q,   14
SLOT 032140q,   22
SLOT 032160q,    9
SLOT 032200q,   13
SLOT 032260q,   13
SLOT 032300q,   63
SLOT 032320q,   12
SLOT 032440q,   15
SLOT 033340q,   87
SLOT 033360q,   21
SLOT 033400q,   10
SLOT 033420q,   17
SLOT 033440q,   30
SLOT 033460q,   23
SLOT 033500q,   11
SLOT 033520q,   20
SLOT 033600q,   23
SLOT 042400q,   40
SLOT 042420q,   86
SLOT 042440q,   17
SLOT 042460q,  300

%macro PIECE 2.nolist                   ; section, address of its first byte
    global %1_at
    %1_at equ %2
    %define piece_at %1_at
    section .%1 progbits alloc exec nowrite align=1
%endmacro

%macro AT 1.nolist                      ; continue at this address, and fill up to it with int3
    times %1 - piece_at - ($ - $$) int3
%endmacro

%macro FUNCTION 2.nolist                ; name, address
    AT %2
    global %1:function (%1.end - %1)
%1:
%endmacro

%macro TURN 0.nolist                    ; repeated ECX times
%%turn:
    dec ecx
    jnz %%turn
%endmacro

%macro WORK 1.nolist                    ; all the turns of a slot: 9 bytes
    mov ecx, turns_%1
    TURN
%endmacro

%macro STEP 1.nolist                    ; jump to a slot, and do its work
    jmp short %%slot
    AT %1
%%slot:
    WORK %1
%endmacro

%macro FEW 2.nolist                     ; register, number up to 127: 3 bytes, not 5
    push byte %2
    pop %1
%endmacro

%macro TRAP 1.nolist                    ; a system call, with only one turn of emt
    FEW rax, %1
    FEW rcx, 1
    call emt
%endmacro

PIECE root, 002200q

; R13: units of user time not yet used, RBP: units of user time per block, R12: units of
; kernel time per block, EBX: blocks left.  A period's unused units go to the next one.
FUNCTION main, 002200q
    xor r13d, r13d
.period:
    FEW rdi, PACE_USER
    TRAP SYS_PACE
    shr rax, BLOCKS_LOG2
    mov rbp, rax
    FEW rdi, PACE_KERNEL
    TRAP SYS_PACE
    shr rax, BLOCK_LOG2
    mov r12, rax
    mov ebx, 1 << BLOCKS_LOG2
.block:
    add r13, rbp
    jmp short .enough
.record:
    sub r13, RECORD + GLUE
    WORK 002200q
    call mkrec
    call dbfind
    WHEN_DUE
    call dbwrit
.enough:
    cmp r13, RECORD + GLUE
    jae .record
    mov rdi, r12                        ; the kernel puts the block on the disk
    TRAP SYS_WORK
    dec ebx
    jnz .block
    TRAP SYS_REST                       ; the disk
    jmp .period
.end:

PIECE make, 015200q

FUNCTION mkrec, 015200q                 ; make up the next record
    WORK 015200q
    ret
.end:

PIECE base, 020000q

FUNCTION dbfind, 020000q                ; find its place in the data base
    WORK 020000q
    STEP 020200q
    STEP 020400q
    STEP 020600q
    STEP 021000q
    ret
.end:

FUNCTION dbwrit, 024230q                ; write it there
    call c$sav
    WORK 024200q
    STEP 024400q
    call dbmap
    STEP 024600q
    call c$mul
    STEP 025000q
    mov ecx, turns_033340q
    call re_sp
    call sz_kp
    STEP 025200q
    call cpybuf
    STEP 025220q
    call dbunma
    STEP 025240q
    call c$ret
    STEP 025260q
    jmp strict near c$rets
.end:

; dbmap and dbunma request a window from the executive, with half of emt's turns each.
; A loop ends with ECX = 0, so that only CL must be loaded.
FUNCTION dbmap, 025276q
    xor eax, eax
    AT 025300q
    WORK 025300q
    STEP 025320q
    STEP 025340q
    mov cl, turns_042460q / 2
    jmp strict near emt
.end:

FUNCTION dbunma, 025362q
    WORK 025360q
    xor eax, eax
    STEP 025400q
    mov cl, turns_042460q - turns_042460q / 2
    jmp strict near emt
.end:

PIECE copy, 032142q

FUNCTION cpybuf, 032142q
    WORK 032140q
    STEP 032160q
    STEP 032200q
    STEP 032260q
    STEP 032300q
    STEP 032320q
    STEP 032440q
    ret
.end:

; Its first slot holds only 4 bytes of it, one loop: the caller loads ECX.
FUNCTION re_sp, 033354q
    TURN
    AT 033360q
    WORK 033360q
    STEP 033400q
    STEP 033420q
    STEP 033440q
    STEP 033460q
    ret
.end:

FUNCTION sz_kp, 033472q
    STEP 033500q
    STEP 033520q
    STEP 033600q
    ret
.end:

PIECE trap, 042300q

FUNCTION c$mul, 042300q
    jmp short .turns
    AT 042400q
.turns:
    FEW rcx, turns_042400q
    TURN
    ret
.end:

FUNCTION c$sav, 042410q                 ; half of the turns of slot 042420; c$ret has the rest
    mov ecx, turns_042420q / 2
    jmp short .turns
    AT 042420q
.turns:
    TURN
    ret
.end:

FUNCTION c$ret, 042426q
    FEW rcx, turns_042420q - turns_042420q / 2
    TURN
    ret
.end:

FUNCTION c$rets, 042436q
    xor eax, eax
    AT 042440q
    WORK 042440q
    ret
.end:

; Emulate a trap by ECX turns, then make the system call EAX, if any.
FUNCTION emt, 042462q
    TURN
    test eax, eax
    jz .back
    int SYSCALL_VECTOR
.back:
    ret
.end:

UNIT "kernel/tasks/rogue.asm", main, trap_at + (emt.end - c$mul) - root_at
