; SPDX-License-Identifier: MIT
;
; The entries into ring 0 and ring 1 by interrupt, exception or INT, and the
; exits.  Intel SDM 3A, chapter 6.
;
; The stack after any entry, as struct frame (kernel/cpu/frame.h) has it:
;
;   +184 ss       \
;   +176 rsp       |
;   +168 rflags    | the CPU
;   +160 cs        |
;   +152 rip      /
;   +144 error      the CPU for some exceptions, else the stub: of what returns by
;                   frame_return the in_interrupt that it found
;   +136 vector     the stub
;   +128 rax, +120 rdx
;   +112 tsc        the account's clock, read before anything else is done
;   +104 cell       the cell that was charged until now
;   +96 rbx ... +0 r15
;
; The stubs of system calls and services are in kernel/cpu/call_stubs.inc, their restartable
; change of cell in kernel/cpu/cell_change.inc.

bits 64
default rel

%include "build/offsets.inc"

extern interrupt_way, syscall_way, supervisor_dispatch
extern tick_rbp, user_stacks_tick, own_tick, own_tick_vector, own_tick_and_look, timer_watch
extern account, stage_tick_handler, account_log, trace_ring, account_on, account_call_cost, account_service_cost
extern source_pit_interrupt, pit_plain_irq, pit_plain_as_nmi, stage_plain_handler, nmi_interrupt, in_interrupt, tss
extern syscall_instruction_entry, syscall_instruction_on_stack
global vector_stubs, intercept_stubs, ignore_entry, tick_entry, syscall_entry, supervisor_entry, frame_return
global restart_table, restart_table_end, restart_text, restart_text_end, restart_steps
global syscall_entry_logged, supervisor_entry_logged, syscall_entry_traced, supervisor_entry_traced
global syscall_entry_both, supervisor_entry_both, call_returns
global syscall_entry_counted, supervisor_entry_counted, syscall_entry_logged_counted, supervisor_entry_logged_counted
global tick_entry_kept, nmi_entry_kept, own_tick_entry
global exception_entry, nmi_entry, nmi_entry_checked, tick_exit_entry, plain_exit_entry, halt_until, halt_done
global interrupt_entry, interrupt_clock, interrupt_clock_end

; Clear AC: ring 3 may have set it.  A NOP until cpu_init finds SMAP.
%macro CLEAR_AC 0
%%site:
    db 0x0f, 0x1f, 0x00                 ; one NOP of three bytes
    [section .smap]
    dq %%site
    __?SECT?__
%endmacro

; The same at ring 1, where CLAC is an invalid opcode.  POPFQ leaves IF alone there.
%macro CLEAR_AC_RING1 0
    pushfq
    and dword [rsp], ~RFLAGS_AC
    popfq
%endmacro

%include "kernel/cpu/cell_change.inc"
%include "kernel/cpu/registers.inc"

REST_SIZE equ 11 * 8
TWO equ 2 * 8                           ; rsi and rdi, which a traced change of cell needs
THREE equ 3 * 8                         ; and rbp, which keeps the number of a service

; What a C function may change besides rax and rdx, and the flags that it expects.
%macro PUSH_SCRATCH 0
    push rcx
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    cld
    CLEAR_AC
%endmacro
%macro POP_SCRATCH 0
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rcx
%endmacro

; The rest of a tick's stub, which saves only what a C function may change: rax and rdx are on
; the stack, rax = TSC.  Calls %1(struct cpu_frame *, TSC).
%macro TICK_AND_RETURN 1
    PUSH_SCRATCH
    mov rsi, rax
    lea rdi, [rsp + 9 * 8]              ; struct cpu_frame
    call %1
    POP_SCRATCH
    pop rdx
    pop rax
    iretq
%endmacro

; rax and rdx are on the stack: rsi = TSC, the interrupted rsi on the stack too; destroys rax and rdx.
%macro READ_TSC_TO_RSI 0
    rdtsc
    shl rdx, 32
    push rsi
    lea rsi, [rax + rdx]
%endmacro

; Of an NMI that interrupted ring 3 the same; of another go to %1, rax = TSC, with nothing else on the stack.
%macro READ_TSC_UNLESS_USER 1
    READ_TSC
    test byte [rsp + 24], 2             ; cs: no code runs at ring 2
    jz near %1
    push rsi
    mov rsi, rax
%endmacro

; The PIT's tick where all is usual, by the handler that %1 points to, which keeps all registers but rax, rdx, rsi
; and rdi.  Behind READ_TSC_TO_RSI.  Goes on behind it where that has not done it, rax = TSC.
%macro PLAIN_TICK 1
    push rdi
    lea rdi, [rsp + 4 * 8]              ; struct cpu_frame
    call [%1]
    test rax, rax
    pop rdi
    pop rsi
    jnz %%not_plain
    pop rdx
    pop rax
    iretq
%%not_plain:
%endmacro

; Of a tick: go to the common path where a change of cell may be torn.
%macro UNLESS_TORN 2                    ; where rip is from rsp on, the common path
    mov rdx, [rsp + %1]
    sub rdx, restart_text
    cmp rdx, RESTART_BYTES              ; begin <= rip < end, in one comparison
    jb near %2
%endmacro

; The common path for a tick of the vector %1.  rax and rdx are on the stack, rax = TSC as it was read.
%macro COMMON_FRAME 1
    push rax
    sub rsp, 16
    mov rdx, [rsp + 16]
    mov [rsp], rdx                      ; tsc
    mov rdx, [rsp + 24]
    mov [rsp + 8], rdx                  ; rdx
    mov rdx, [rsp + 32]
    mov [rsp + 16], rdx                 ; rax
    push qword %1
    pop qword [rsp + 24]                ; vector
    mov qword [rsp + 32], 0             ; error
    jmp interrupt_timed
%endmacro

section .smap progbits alloc noexec nowrite align=8
section .rodata.steps progbits alloc noexec nowrite align=8
restart_steps:
section .rodata.returns progbits alloc noexec nowrite align=8
call_returns:
section .rodata progbits alloc noexec nowrite align=8
restart_table:

section .text progbits alloc exec nowrite align=16

; One stub a vector, 16 bytes each: kernel/cpu/idt.c computes their addresses.
align 16
vector_stubs:
%assign vector 0
%rep 256
    align 16
    %if vector >= 32 || vector == 2
    push qword [in_interrupt]      ; frame_return restores it
    %elif vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21 || vector == 29 || \
        vector == 30
    %else
    push qword 0
    %endif
    push qword vector
    %if vector < 32
        jmp near exception_entry
    %else
        jmp near interrupt_entry
    %endif
    %assign vector vector + 1
%endrep

; The same for vectors that monitor=intercept has redirected (kernel/monitor/intercept.h).
align 16
intercept_stubs:
%assign vector 32
%rep 224
    align 16
    push qword [in_interrupt]
    push qword vector + INTERCEPTED
    jmp near interrupt_entry
    %assign vector vector + 1
%endrep

align 16
interrupt_entry:                        ; interrupts off
    mov qword [in_interrupt], 1
exception_entry:
    push rax
    push rdx
interrupt_clock:
    READ_CLOCK
interrupt_clock_end:
    push rax
interrupt_timed:
    push qword [account + ACCOUNT_CELL]
    push rbx
    push rcx
    PUSH_REST
    cld
    CLEAR_AC
    mov rdi, rsp
    call [interrupt_way]                ; interrupt_dispatch, or what a monitor has put before it
frame_return:                           ; rsp = struct frame; interrupts off
    POP_REST
    pop rcx
    pop rbx
    add rsp, 16                         ; cell, tsc
    pop rdx
    pop rax
    add rsp, 8                          ; vector
    pop qword [in_interrupt]       ; a task's first frame has 0
    iretq

; Interrupts that hw_takeover() drains are ignored.
align 16
ignore_entry:
    iretq

; The probe's tick, IRQ 0.  It saves only what a C function may change.  Where the interrupted
; code is in a stub, a change of cell may be torn: then it takes the common path.  So does a
; program at ring 3 that has jumped to such an address, which account_settle() recognises.
align 16
tick_entry:                             ; interrupts off
    push rax
    push rdx
    READ_TSC_TO_RSI
    UNLESS_TORN 24, .torn
    PLAIN_TICK pit_plain_irq
    TICK_AND_RETURN source_pit_interrupt
.torn:
    mov rax, rsi
    pop rsi
tick_torn:
    COMMON_FRAME TICK_VECTOR

; The tick of another source, which has a vector of its own (kernel/cpu/idt.h).
; As each interrupt it watches the system clock.
align 16
own_tick_entry:                         ; interrupts off
    push rax
    push rdx
    READ_TSC
    UNLESS_TORN 16, .torn
    PUSH_SCRATCH
    mov rsi, rax
    lea rdi, [rsp + 9 * 8]              ; struct cpu_frame
    cmp rax, [timer_watch]
    jae .look
    call [own_tick]
.done:
    POP_SCRATCH
    pop rdx
    pop rax
    iretq
.look:
    call own_tick_and_look
    jmp .done
.torn:
    COMMON_FRAME [own_tick_vector]

; A tick that only exits, to measure the cost of that (kernel/tick/entry_cost.c).
align 16
tick_exit_entry:
    push rax
    push rdx
    READ_TSC
    TICK_AND_RETURN stage_tick_handler

; The same of a usual tick (kernel/source/straight/pit_plain_tick.h).
align 16
plain_exit_entry:
    push rax
    push rdx
    READ_TSC_TO_RSI
    PLAIN_TICK stage_plain_handler
    ud2

; The same two entries while stack= is on: RBP of the interrupted code is kept, of which the handlers are told
; nothing, after the reading of the TSC, so that no tick seems late.  Entries of their own, so that no tick
; without stack= is longer.
align 16
tick_entry_kept:
    push rax
    push rdx
    READ_TSC
    mov [tick_rbp], rbp
    UNLESS_TORN 16, tick_torn
    TICK_AND_RETURN user_stacks_tick

align 16
nmi_entry_kept:
    add byte [tss + TSS_IST_NMI + 1], NMI_STACK >> 8 ; first, as below
    push rax
    push rdx
    READ_TSC
    mov [tick_rbp], rbp
    jmp near nmi_entry_checked.check

; The probe's tick as NMI (kernel/source/nmi.c).  The first instruction moves the IST pointer on,
; so that an NMI before this one's IRETQ has another stack.
align 16
nmi_entry:
    add byte [tss + TSS_IST_NMI + 1], NMI_STACK >> 8
    push rax
    push rdx
    READ_TSC_UNLESS_USER .common
    PLAIN_TICK pit_plain_as_nmi
.common:
    TICK_AND_RETURN nmi_interrupt

ENTRY_HEAD equ 16                       ; bytes that the two instructions do not exceed

; The same while programs execute SYSCALL (kernel/cpu/syscall_instruction.asm).  An NMI at one of the first two
; instructions of that entry finds the program's RSP at ring 0, by which the task would be looked up: the handler gets
; a copy of the frame, with the RSP that the entry is about to load.
align 16
nmi_entry_checked:
    add byte [tss + TSS_IST_NMI + 1], NMI_STACK >> 8
    push rax
    push rdx
    READ_TSC_UNLESS_USER .check
    PLAIN_TICK pit_plain_as_nmi
.check:
    mov rdx, [rsp + 16]                 ; rip
    sub rdx, syscall_instruction_entry
    cmp rdx, ENTRY_HEAD
    jb .entering
.entered:
    TICK_AND_RETURN nmi_interrupt
.entering:
    mov rdx, syscall_instruction_on_stack
    cmp [rsp + 16], rdx
    jae .entered
    test byte [rsp + 24], 3             ; cs: a program that jumped there is about to fault
    jnz .entered
    mov rdx, rsp
    push rax                            ; so that the stack is aligned at the call
    push qword [rdx + 48]               ; ss
    push qword [tss + TSS_RSP0]
    push qword [rdx + 32]               ; rflags
    push qword [rdx + 24]               ; cs
    push qword [rdx + 16]               ; rip
    PUSH_SCRATCH
    mov rsi, rax
    lea rdi, [rsp + 7 * 8]
    call nmi_interrupt
    POP_SCRATCH
    add rsp, 6 * 8
    pop rdx
    pop rax
    iretq

; void halt_until(const volatile uint64_t *word): HLT where it is 0.  An NMI between the
; test and the HLT continues at halt_done.
align 16
halt_until:                             ; interrupts off
    cmp qword [rdi], 0
    jne halt_done
    sti
    hlt
halt_done:
    cli
    ret

restart_text:
%define COUNTED 1
COUNT_UP_TO restart_text

%include "kernel/cpu/call_stubs.inc"

restart_text_end:
COUNT_UP_TO restart_text_end
RESTART_BYTES equ restart_text_end - restart_text

section .rodata
restart_table_end:
