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
; The account changes cell in a few instructions, which an interrupt must not
; tear.  Where interrupts are off it cannot.  The stubs of system calls and
; services are entered by trap gates, with interrupts on (CPL 1 could not switch
; them on again): there the change is a restartable sequence.  An interrupt
; between `begin` and `store` sends the sequence back to `begin`; after `store` it
; does the two stores that are missing (kernel/account/exact_time.c).
;
; An entry is charged from the gate on, and an exit to the end of IRETQ: the cost of
; both, from the reading of the clock, was measured (kernel/tick/entry_cost.c).  An
; interrupt within them finds in restart_steps how many instructions were executed.

bits 64
default rel

%include "build/offsets.inc"

extern interrupt_way, syscall_dispatch, supervisor_dispatch
extern account, stage_tick_handler, account_log, trace_ring, account_on, account_call_cost, account_service_cost, source_pit_interrupt, nmi_interrupt, in_interrupt, tss
global vector_stubs, intercept_stubs, ignore_entry, tick_entry, syscall_entry, supervisor_entry, frame_return
global restart_table, restart_table_end, restart_text, restart_text_end, restart_steps
global syscall_entry_logged, supervisor_entry_logged, syscall_entry_traced, supervisor_entry_traced
global syscall_entry_both, supervisor_entry_both, call_returns
global syscall_entry_counted, supervisor_entry_counted, syscall_entry_logged_counted, supervisor_entry_logged_counted
global nmi_entry, tick_exit_entry, halt_until, halt_done, interrupt_entry, interrupt_clock, interrupt_clock_end

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

; An instruction of an entry or exit; from restart_text to restart_text_end it is counted.
%define COUNTED 0
%assign step_count 0
%macro STEP 1+
    %%at:
    %1
    %%next:
    %if COUNTED
        COUNT_UP_TO %%at
        %assign step_count step_count + 1
        COUNT_UP_TO %%next
    %endif
%endmacro

; The table of steps up to this address, %1: for each byte how many begin before it.
%macro COUNT_UP_TO 1
    [section .rodata.steps]
    times (%1 - restart_text) + 1 - ($ - restart_steps) / 2 dw step_count
    __?SECT?__
%endmacro

; rax = TSC; destroys rdx.
%macro READ_TSC 0
    STEP rdtsc
    STEP shl rdx, 32
    STEP or rax, rdx
%endmacro

; rax = the account's clock (probe/core/account.h); destroys rdx.  An NMI between the two
; readings sends the code back to the first.
%macro READ_CLOCK 0
    READ_TSC
    STEP sub rax, [account + ACCOUNT_NMI_TIME]
%endmacro

; account=log: write the entry of this change (kernel/account/exact_time_log.h), rdx time for the
; cell in rcx.  A restarted change writes the same entry again.  Destroys rbx.
%macro LOG_CHANGE 0
    STEP mov rbx, [account + ACCOUNT_GENERATION]
    STEP and rbx, [account_log + ACCOUNT_LOG_MASK]
    STEP shl rbx, ACCOUNT_LOG_SHIFT
    STEP add rbx, [account_log + ACCOUNT_LOG_ENTRY]
    STEP mov [rbx], rdx
    STEP mov [rbx + ACCOUNT_LOG_CELL], rcx
%endmacro

; monitor=events: choose where the event of this change is recorded (probe/trace/event_ring.c has the same in C), and
; write all but its time.  Leaves rbx = the record, rsi = what the last store of the change counts up (the records, or
; the lost ones), rdi = the counter of the class; each of them is a spare one where nothing is to be written.  All that
; it writes is written again by a restarted change.  Destroys rcx.  %1: the class; %2: bytes on the stack up to the
; caller's frame; %3: a macro that writes the code of the record.  Only the usual path is counted.
%macro CHOOSE_RECORD 3
    STEP lea rbx, [trace_ring + RING_SPARE]
    STEP lea rsi, [trace_ring + RING_NOWHERE]
    STEP lea rdi, [trace_ring + RING_NOWHERE]
    STEP test dword [trace_ring + RING_MASK], 1 << %1
    STEP jz %%chosen
    STEP lea rdi, [trace_ring + RING_COUNT + 8 * %1]
    STEP test dword [trace_ring + RING_PLAIN], 1 << %1
    STEP jnz %%record
    mov rcx, [rsp + %2]            ; the caller's rip
    sub rcx, [trace_ring + RING_SITE + (%1 << RING_SITE_SHIFT)]
    cmp rcx, [trace_ring + RING_SITE + (%1 << RING_SITE_SHIFT) + RING_SITE_SIZE]
    jbe %%taken
    lea rdi, [trace_ring + RING_NOWHERE]
    jmp %%chosen
%%taken:
    test dword [trace_ring + RING_TIMED], 1 << %1
    jz %%chosen
%%record:
    STEP mov rcx, [trace_ring + RING_PUT]
    STEP cmp rcx, [trace_ring + RING_LIMIT]
    STEP jne %%room
    lea rsi, [trace_ring + RING_LOST]
    mov rcx, [trace_ring + RING_LOST]
    cmp rcx, [trace_ring + RING_TOLD]
    jne %%chosen
    lea rbx, [trace_ring + RING_SINCE]
    jmp %%chosen
%%room:
    STEP and rcx, [trace_ring + RING_SLOTS]
    STEP shl rcx, EVENT_RECORD_SHIFT
    STEP add rcx, [trace_ring + RING_RECORD]
    STEP mov rbx, rcx
    %3
    STEP lea rsi, [trace_ring + RING_PUT]
%%chosen:
%endmacro

; The code of a record: the number of the call, the class, after an exit the cell of the caller.
; Offsets are from where the stub changes cell, with rsi and rdi on the stack.
%macro CODE_SYSCALL_ENTER 0
    STEP mov ecx, [rsp + 7 * 8]         ; frame.rax
    STEP mov [rbx + EVENT_RECORD_CODE], ecx
    STEP mov dword [rbx + EVENT_RECORD_CODE + 4], TRACE_SYSCALL_ENTER << 24
%endmacro
%macro CODE_SYSCALL_EXIT 0              ; the number is that of the entry: kept in frame.error
    STEP mov ecx, [rsp + 9 * 8]         ; frame.error
    STEP mov [rbx + EVENT_RECORD_CODE], ecx
    STEP mov ecx, [rsp + 11 * 8]        ; frame.cs: ring 3 is cell 0, ring 1 cell 2
    STEP and ecx, 2
    STEP xor ecx, (TRACE_SYSCALL_EXIT << 24) + 2
    STEP mov [rbx + EVENT_RECORD_CODE + 4], ecx
%endmacro
%macro CODE_SERVICE_ENTER 0             ; rbp is on the stack too
    STEP mov ecx, [rsp + 7 * 8]
    STEP mov [rbx + EVENT_RECORD_CODE], ecx
    STEP mov dword [rbx + EVENT_RECORD_CODE + 4], TRACE_SERVICE_ENTER << 24
%endmacro
%macro CODE_SERVICE_EXIT 0
    STEP mov [rbx + EVENT_RECORD_CODE], ebp
    STEP mov dword [rbx + EVENT_RECORD_CODE + 4], TRACE_SERVICE_EXIT << 24
%endmacro

; rdx = the cost of this entry and exit (struct account_cost), by the ring of the caller.
CALLER_CS equ 9 * 8                     ; where a system call's stub changes cell
%macro CALL_COST 0-1 0                  ; %1: bytes more on the stack
    STEP mov edx, [rsp + CALLER_CS + %1]
    STEP and edx, 2                     ; ring 1: 0, ring 3: 2
    STEP lea rdx, [account_call_cost + rdx * (ACCOUNT_COST_BYTES / 2)]
%endmacro
%macro SERVICE_COST 0
    STEP lea rdx, [account_service_cost]
%endmacro

; rax: from the reading of the clock to the moment of the change.  At an entry that is not
; before ACCOUNT_LAST: an interrupt of the stub's first half may have been charged already.
%macro BACK_TO_GATE 0
    STEP sub rax, [rdx + ACCOUNT_COST_ENTRY]
    STEP cmp rax, [account + ACCOUNT_LAST]
    STEP cmovb rax, [account + ACCOUNT_LAST]
%endmacro
%macro ON_TO_RETURN 0
    STEP add rax, [rdx + ACCOUNT_COST_EXIT]
%endmacro

; Leave the present cell for the one in rbx.  Leaves rcx = cell that was left,
; rax = moment of the change; destroys rdx.  Restartable.  %1: LOGGED or TRACED or both; %2: loads the
; cost; %3: applies it, as an entry or an exit; %4: the stub's first instruction (entry); %5: the
; address after its last one (exit); %6: RESTART_ flags; %7, %8, %9: what CHOOSE_RECORD takes, where
; it is TRACED: then rsi and rdi are destroyed too; %10 loads rbx.
%define LOGGED 1
%define TRACED 2
%macro CHANGE_CELL 10+
%%begin:
    STEP or qword [account + ACCOUNT_GENERATION], 1
    %if %1 & TRACED
    %ifidn %3, ON_TO_RETURN
        CHOOSE_RECORD %7, %8, %9        ; before the clock is read: the exit takes as long whatever is chosen
    %endif
    %endif
%%read:
    READ_CLOCK
    %2
    %3
    %if %1 & TRACED
    %ifidn %3, BACK_TO_GATE
        CHOOSE_RECORD %7, %8, %9
    %endif
    %endif
    %if %1 & TRACED
        STEP mov [rbx], rax             ; the time of the event
    %endif
    STEP mov rcx, [account + ACCOUNT_CELL]
    STEP mov rdx, rax
    STEP sub rdx, [account + ACCOUNT_LAST]
    %if %1 & LOGGED
        LOG_CHANGE
    %endif
    STEP %10
%%store:
    STEP add [rcx], rdx
    STEP mov [account + ACCOUNT_LAST], rax
    STEP mov [account + ACCOUNT_CELL], rbx
    STEP inc qword [account + ACCOUNT_GENERATION]
    %if %1 & TRACED
        STEP inc qword [rsi]
    %endif
%%end:
    %if %1 & TRACED
        STEP inc qword [rdi]            ; one instruction: nothing tears it
    %endif
    [section .rodata]
    dq %%begin, %%read, %%store, %%end, %4, %5, (%6) | (%1 & TRACED) / TRACED * RESTART_TRACED
    __?SECT?__
%endmacro

REST_SIZE equ 11 * 8
TWO equ 2 * 8                           ; rsi and rdi, which a traced change of cell needs
THREE equ 3 * 8                         ; and rbp, which keeps the number of a service
%macro PUSH_REST 0 ; all but rax, rdx, rbx, rcx
    push rsi
    push rdi
    PUSH_OTHERS
%endmacro
%macro PUSH_OTHERS 0
    push rbp
    PUSH_NUMBERED
%endmacro
%macro PUSH_NUMBERED 0
    push r8
    push r9
    push r10
    push r11
    push r12
    push r13
    push r14
    push r15
%endmacro

%macro POP_REST 0
    POP_OTHERS
    pop rdi
    pop rsi
%endmacro
%macro POP_OTHERS 0
    POP_NUMBERED
    pop rbp
%endmacro
%macro POP_NUMBERED 0
    pop r15
    pop r14
    pop r13
    pop r12
    pop r11
    pop r10
    pop r9
    pop r8
%endmacro

; The rest of a tick's stub, which saves only what a C function may change: rax and rdx are on
; the stack, rax = TSC.  Calls %1(struct cpu_frame *, TSC).
%macro TICK_AND_RETURN 1
    push rcx
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    cld
    CLEAR_AC
    mov rsi, rax
    lea rdi, [rsp + 9 * 8]              ; struct cpu_frame
    call %1
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rcx
    pop rdx
    pop rax
    iretq
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
    %elif vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21 || vector == 29 || vector == 30
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
    READ_TSC
    mov rdx, [rsp + 16]                 ; rip
    sub rdx, restart_text
    cmp rdx, RESTART_BYTES              ; begin <= rip < end, in one comparison
    jb .torn
    TICK_AND_RETURN source_pit_interrupt
.torn:                                  ; build the common frame, with the TSC as read above
    push rax
    sub rsp, 16
    mov rdx, [rsp + 16]
    mov [rsp], rdx                      ; tsc
    mov rdx, [rsp + 24]
    mov [rsp + 8], rdx                  ; rdx
    mov rdx, [rsp + 32]
    mov [rsp + 16], rdx                 ; rax
    mov qword [rsp + 24], TICK_VECTOR
    mov qword [rsp + 32], 0             ; error
    jmp interrupt_timed

; A tick that only exits, to measure the cost of that (kernel/tick/entry_cost.c).
align 16
tick_exit_entry:
    push rax
    push rdx
    READ_TSC
    TICK_AND_RETURN stage_tick_handler

; The probe's tick as NMI (kernel/source/nmi.c).  The first instruction moves the IST pointer on,
; so that an NMI before this one's IRETQ has another stack.
align 16
nmi_entry:
    add byte [tss + TSS_IST_NMI + 1], NMI_STACK >> 8
    push rax
    push rdx
    READ_TSC
    TICK_AND_RETURN nmi_interrupt

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

; Here the handler of a call returns: a row of the table in the order of the stubs (kernel/cpu/call_stubs.c).
%macro RETURN_HERE 0
%%here:
    [section .rodata.returns]
    dq %%here
    __?SECT?__
%endmacro

; buffer=count: an event of class %2 is counted, where %1 is 1 and the class is taken of the running task.
%macro COUNT_EVENT 2
    %if %1
        test dword [trace_ring + RING_MASK], 1 << %2
        jz %%off
        inc qword [trace_ring + RING_COUNT + 8 * %2]
%%off:
    %endif
%endmacro

; System call: INT 0x80 from ring 3 or 1 through a trap gate.  %1: 1 with the log; %2: 1 where calls are counted.
%macro SYSCALL_ENTRY 2
%%gate:
    STEP push qword 0
    STEP push qword SYSCALL_VECTOR
    STEP push rax
    STEP push rdx
    STEP push rax                       ; room for tsc
    STEP push qword [account + ACCOUNT_CELL]
    STEP push rbx
    STEP push rcx
    STEP cmp dword [account_on], 0
    STEP je %%entered
    CHANGE_CELL %1, CALL_COST, BACK_TO_GATE, %%gate, 0, 0, 0, 0, 0, mov rbx, [account + ACCOUNT_KERNEL]
    mov [rsp + 16], rcx                 ; frame.cell
    mov [rsp + 24], rax                 ; frame.tsc
%%entered:
    PUSH_REST
    cld
    CLEAR_AC
    mov rdi, rsp
    COUNT_EVENT %2, TRACE_SYSCALL_ENTER
    call syscall_dispatch
    RETURN_HERE
    COUNT_EVENT %2, TRACE_SYSCALL_EXIT
    POP_REST
    cmp dword [account_on], 0
    je %%leave
    CHANGE_CELL %1, CALL_COST, ON_TO_RETURN, 0, %%gone, RESTART_OUT, 0, 0, 0, mov rbx, [rsp + 16]
%%leave:
    STEP pop rcx
    STEP pop rbx
    STEP add rsp, 16
    STEP pop rdx
    STEP pop rax
    STEP add rsp, 16
    STEP iretq
%%gone:
%endmacro

; Supervisor service: INT 0x81 from ring 3 through a trap gate whose code
; selector is ring 1.  No privileged instruction from here to IRETQ.
%macro SUPERVISOR_ENTRY 2
%%gate:
    STEP push rax
    STEP push rdx
    STEP push rbx
    STEP push rcx
    STEP push rax                       ; room for the cell that was left
    STEP cmp dword [account_on], 0
    STEP je %%entered
    CHANGE_CELL %1, SERVICE_COST, BACK_TO_GATE, %%gate, 0, RESTART_SERVICE, 0, 0, 0, mov rbx, [account + ACCOUNT_SUPERVISOR]
    mov [rsp], rcx
%%entered:
    PUSH_REST
    cld
    CLEAR_AC_RING1
    mov rsi, rdi                        ; the argument
    mov rdi, [rsp + REST_SIZE + 32]     ; rax: the service
    COUNT_EVENT %2, TRACE_SERVICE_ENTER
    call supervisor_dispatch
    RETURN_HERE
    COUNT_EVENT %2, TRACE_SERVICE_EXIT
    mov [rsp + REST_SIZE + 32], rax     ; its answer
    POP_REST
    cmp dword [account_on], 0
    je %%leave
    CHANGE_CELL %1, SERVICE_COST, ON_TO_RETURN, 0, %%gone, RESTART_SERVICE | RESTART_OUT, 0, 0, 0, mov rbx, [rsp]
%%leave:
    STEP add rsp, 8
    STEP pop rcx
    STEP pop rbx
    STEP pop rdx
    STEP pop rax
    STEP iretq
%%gone:
%endmacro

; The same with events (monitor=events): rsi and rdi are saved first.  Account and events are on.  The number of the
; call is kept in frame.error.
%macro SYSCALL_TRACED 1
%%gate:
    STEP push rax
    STEP push qword SYSCALL_VECTOR
    STEP push rax
    STEP push rdx
    STEP push rax                       ; room for tsc
    STEP push qword [account + ACCOUNT_CELL]
    STEP push rbx
    STEP push rcx
    STEP push rsi
    STEP push rdi
    CHANGE_CELL (TRACED | %1), CALL_COST TWO, BACK_TO_GATE, %%gate, 0, 0, TRACE_SYSCALL_ENTER, 10 * 8, CODE_SYSCALL_ENTER, mov rbx, [account + ACCOUNT_KERNEL]
    mov [rsp + TWO + 16], rcx           ; frame.cell
    mov [rsp + TWO + 24], rax           ; frame.tsc
    mov rdi, [rsp]
    mov rsi, [rsp + 8]
    PUSH_OTHERS
    cld
    CLEAR_AC
    mov rdi, rsp
    call syscall_dispatch
    RETURN_HERE
    POP_OTHERS
    CHANGE_CELL (TRACED | %1), CALL_COST TWO, ON_TO_RETURN, 0, %%gone, RESTART_OUT, TRACE_SYSCALL_EXIT, 10 * 8, CODE_SYSCALL_EXIT, mov rbx, [rsp + TWO + 16]
    STEP pop rdi
    STEP pop rsi
    STEP pop rcx
    STEP pop rbx
    STEP add rsp, 16
    STEP pop rdx
    STEP pop rax
    STEP add rsp, 16
    STEP iretq
%%gone:
%endmacro

%macro SUPERVISOR_TRACED 1
%%gate:
    STEP push rax
    STEP push rdx
    STEP push rbx
    STEP push rcx
    STEP push rax                       ; room for the cell that was left
    STEP push rsi
    STEP push rdi
    STEP push rbp
    CHANGE_CELL (TRACED | %1), SERVICE_COST, BACK_TO_GATE, %%gate, 0, RESTART_SERVICE, TRACE_SERVICE_ENTER, 8 * 8, CODE_SERVICE_ENTER, mov rbx, [account + ACCOUNT_SUPERVISOR]
    mov [rsp + THREE], rcx
    PUSH_NUMBERED
    cld
    CLEAR_AC_RING1
    mov rsi, [rsp + REST_SIZE - 2 * 8]  ; rdi: the argument
    mov rdi, [rsp + REST_SIZE + 32]     ; rax: the service
    call supervisor_dispatch
    RETURN_HERE
    POP_NUMBERED
    mov rbp, [rsp + THREE + 32]         ; the number
    mov [rsp + THREE + 32], rax         ; its answer
    CHANGE_CELL (TRACED | %1), SERVICE_COST, ON_TO_RETURN, 0, %%gone, RESTART_SERVICE | RESTART_OUT, TRACE_SERVICE_EXIT, 8 * 8, CODE_SERVICE_EXIT, mov rbx, [rsp + THREE]
    STEP pop rbp
    STEP pop rdi
    STEP pop rsi
    STEP add rsp, 8
    STEP pop rcx
    STEP pop rbx
    STEP pop rdx
    STEP pop rax
    STEP iretq
%%gone:
%endmacro

align 16
syscall_entry:
    SYSCALL_ENTRY 0, 0
align 16
supervisor_entry:
    SUPERVISOR_ENTRY 0, 0
align 16
syscall_entry_logged:
    SYSCALL_ENTRY 1, 0
align 16
supervisor_entry_logged:
    SUPERVISOR_ENTRY 1, 0
align 16
syscall_entry_traced:
    SYSCALL_TRACED 0
align 16
supervisor_entry_traced:
    SUPERVISOR_TRACED 0
align 16
syscall_entry_both:
    SYSCALL_TRACED LOGGED
align 16
supervisor_entry_both:
    SUPERVISOR_TRACED LOGGED
align 16
syscall_entry_counted:
    SYSCALL_ENTRY 0, 1
align 16
supervisor_entry_counted:
    SUPERVISOR_ENTRY 0, 1
align 16
syscall_entry_logged_counted:
    SYSCALL_ENTRY 1, 1
align 16
supervisor_entry_logged_counted:
    SUPERVISOR_ENTRY 1, 1

restart_text_end:
COUNT_UP_TO restart_text_end
RESTART_BYTES equ restart_text_end - restart_text

section .rodata
restart_table_end:
