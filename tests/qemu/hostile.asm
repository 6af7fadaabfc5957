; SPDX-License-Identifier: MIT
;
; A stage before the image that leaves the machine as bad firmware might: QEMU's
; -kernel, with the flat core as its -initrd.  The module's words are the state,
; for build/uncured.bin what to leave out (tests/qemu/uncured.h), and the door:
; "linux" enters the core by Linux's 32-bit boot protocol, else multiboot does.
; Multiboot Specification 0.6.96; the chips' data sheets as in drivers/.

bits 32
%include "tests/qemu/core_module.inc"
%include "boot/linux/zero_page.inc"

org 0x1000000                           ; clear of the core, which goes to 1 MiB

WORD_SIZE  equ 8
LEFT_OUT   equ 0x7000                   ; tests/qemu/uncured.h looks here
ZERO_PAGE  equ 0x5000
DEBUG_EXIT equ 0xf4
NO_STATE   equ 0x1f                     ; QEMU's status becomes 63

MBI_LINE      equ 16                    ; struct multiboot_info
MBI_MAP_LENGTH equ 44
MBI_MAP       equ 48
REGION_BASE   equ 4                     ; struct of a region: its size comes first
REGION_BYTES  equ 24

LAPIC         equ 0xfee00000
LAPIC_TPR     equ LAPIC + 0x080
LAPIC_SVR     equ LAPIC + 0x0f0
LAPIC_IRR     equ LAPIC + 0x200         ; eight registers, 0x10 apart
LAPIC_TIMER   equ LAPIC + 0x320
LAPIC_LINT0   equ LAPIC + 0x350
LAPIC_INITIAL equ LAPIC + 0x380
LAPIC_DIVIDE  equ LAPIC + 0x3e0
SVR_ENABLE    equ 1 << 8
LVT_MASKED    equ 1 << 16
LVT_PERIODIC  equ 1 << 17
LVT_EXTINT    equ 7 << 8
DIVIDE_BY_1   equ 0xb
TICK_VECTOR   equ 0x30                  ; kernel/cpu/irq_vectors.h
TIMER_VECTOR  equ 0x50                  ; drivers/lapic.h

LAPIC_ICR     equ LAPIC + 0x300
ICR_INIT_OTHERS  equ 0xc4500
ICR_START_OTHERS equ 0xc4600 | AP_CODE >> 12
AP_CODE       equ 0x6000                ; a page of its own; what runs there counts at its end
AP_COUNT      equ 0xff8
AP_WAIT       equ 1 << 20

PCI_ADDRESS   equ 0xcf8
PCI_DATA      equ 0xcfc
PCI_ENABLE    equ 1 << 31
PCI_COMMAND   equ 0x04
PCI_CLASS     equ 0x08
PCI_MASTER    equ 1 << 2
PCI_STEP      equ 1 << 8                ; from a function of bus 0 to the next
PCI_BUS_1     equ PCI_ENABLE | 1 << 16

LPC_PMBASE    equ PCI_ENABLE | 31 << 11 | 0x40
PMBASE_MASK   equ 0xff80
LPC_GCS       equ 0xfed1c000 + 0x3410   ; where SeaBIOS puts RCBA
GCS_NO_REBOOT equ 1 << 5
TCO_RLD       equ 0x60                  ; offsets from PMBASE
TCO1_CNT      equ 0x68
TCO_TMR       equ 0x72
TCO_COUNTS    equ 10                    ; of 0.6 s

HPET_CONFIGURATION equ 0xfed00010
HPET_ENABLE   equ 1 << 0
HPET_LEGACY   equ 1 << 1

IOAPIC_SELECT equ 0xfec00000
IOAPIC_WINDOW equ 0xfec00010
IOAPIC_ENTRY  equ 0x10
IOAPIC_PINS   equ 24
PIT_PIN       equ 2
STRAY_VECTOR  equ 0x60

PIC_MASTER    equ 0x20
PIC_SLAVE     equ 0xa0
ICW1          equ 0x11
ICW4          equ 0x01
OCW3_IRR      equ 0x0a
OCW3_POLL     equ 0x0c
MASTER_VECTOR equ 0x30                  ; drivers/pic.h
SLAVE_VECTOR  equ 0x38

PIT_COUNTER0  equ 0x40
PIT_CONTROL   equ 0x43
PIT_READ_BACK equ 0xc2                  ; status and count of counter 0
PIT_LSB       equ 0x10
PIT_MSB       equ 0x20
PIT_LOHI      equ 0x30
PIT_BCD       equ 0x01
PIT_COUNT     equ 1193                  ; 1 ms

RTC_INDEX     equ 0x70
RTC_DATA      equ 0x71
RTC_A         equ 0x0a
RTC_SLOW      equ 0x2f                  ; 32768 Hz crystal, two interrupts a second
RTC_B         equ 0x0b
RTC_PERIODIC  equ 0x42                  ; PIE; 24 hours

COM1          equ 0x3f8
UART_IER      equ 1
UART_FCR      equ 2
UART_LCR      equ 3
UART_MCR      equ 4
UART_LSR      equ 5
IER_THRI      equ 0x02
FCR_FRESH     equ 0x07
LCR_8N1       equ 0x03
LCR_DLAB      equ 0x80
MCR_USUAL     equ 0x0b                  ; DTR, RTS, OUT2
MCR_LOOP      equ 0x10
LSR_DR        equ 0x01
FIFO_BYTES    equ 16
BAUD_115200   equ 1
BAUD_9600     equ 12

EFLAGS_NT     equ 1 << 14
CR0_EM        equ 1 << 2
CR4_LA57      equ 1 << 12
CR4_OSXSAVE   equ 1 << 18
MSR_EFER      equ 0xc0000080
EFER_SCE      equ 1 << 0
MSR_SYSENTER_CS equ 0x174               ; ESP and EIP behind it are 0
KERNEL_CODE   equ 0x08
PROGRAM_MAIN  equ 0x401000              ; in each user program, main()
DR7_EXECUTE_0 equ 0x403                 ; breakpoint 0: local, global

%macro OUTB 2 ; port, value; destroys al, dx
    mov al, %2
    mov dx, %1
    out dx, al
%endmacro

%macro STATE 2 ; word, routine
%%entry:
    db %1
    times WORD_SIZE - ($ - %%entry) db 0
    dd %2
%endmacro

header:
    dd MB_MAGIC, MB_FLAGS, -(MB_MAGIC + MB_FLAGS)
    dd header, header, end, stack_top, entry

entry:                                  ; ebx = struct multiboot_info
    cli
    cld
    mov esp, stack_top
    mov ebp, [ebx + MBI_MODULES]
    mov esi, [ebp + MODULE_STRING]
    mov edi, name                       ; of the file
    call take_word
    mov edi, state
    call take_word
    mov edi, LEFT_OUT
    call take_word
    mov edi, door
    call take_word

    PLACE_CORE
    call make_zero_page

    mov esi, states
.look:
    mov eax, [esi]
    mov edx, [esi + 4]
    test eax, eax
    jz .unknown
    cmp eax, [state]
    jne .next
    cmp edx, [state + 4]
    je .found
.next:
    add esi, WORD_SIZE + 4
    jmp .look
.unknown:
    OUTB DEBUG_EXIT, NO_STATE
    hlt
.found:
    call [esi + WORD_SIZE]
    cmp dword [door], "linu"
    je .linux
    mov eax, MB_LOADER
    jmp [ebp + CORE_ENTRY]
.linux:                                 ; its entry is the first byte
    mov esi, ZERO_PAGE
    mov eax, ebp
    xor ebp, ebp
    xor edi, edi
    xor ebx, ebx
    jmp eax

; What Linux's protocol has in place of the struct at ebx: the words behind the name of the file, the map of memory, a
; screen of text.
make_zero_page:
    mov edi, ZERO_PAGE
    mov ecx, ZERO_PAGE_BYTES / 4
    xor eax, eax
    rep stosd
    mov byte [ZERO_PAGE + zero_page.video], VIDEO_TEXT
    mov esi, [ebx + MBI_LINE]
.name:
    lodsb
    cmp al, ' '
    ja .name
    mov [ZERO_PAGE + zero_page.line], esi
    mov esi, [ebx + MBI_MAP]
    mov edx, esi
    add edx, [ebx + MBI_MAP_LENGTH]
    mov edi, ZERO_PAGE + zero_page.region
.region:
    cmp esi, edx
    jae .end
    add esi, REGION_BASE
    mov ecx, REGION_BYTES - REGION_BASE
    rep movsb
    inc byte [ZERO_PAGE + zero_page.regions]
    jmp .region
.end:
    ret

; Take the next word at esi into the WORD_SIZE bytes at edi, the rest of them
; zero; destroys eax, ecx.
take_word:
    mov dword [edi], 0
    mov dword [edi + 4], 0
    xor ecx, ecx
.next:
    mov al, [esi]
    test al, al
    jz .end
    inc esi
    cmp al, ' '
    je .end
    cmp ecx, WORD_SIZE
    jae .next
    mov [edi + ecx], al
    inc ecx
    jmp .next
.end:
    ret

; The states.  Each keeps ebx and ebp.

make_none:
    ret

make_lint0:
    mov dword [LAPIC_LINT0], LVT_MASKED | LVT_EXTINT
    ret

make_softoff:
    mov dword [LAPIC_SVR], 0xff
    ret

make_tpr:
    mov dword [LAPIC_TPR], 0xf0
    ret

; A one-shot that has expired at each of the two vectors.
make_pending:
    mov ecx, TICK_VECTOR
    call expire
    mov ecx, TIMER_VECTOR
    jmp expire

; One that goes on at 1 kHz.
make_periodic:
    mov ecx, TIMER_VECTOR
    call expire
    mov dword [LAPIC_TIMER], LVT_PERIODIC | TIMER_VECTOR
    mov dword [LAPIC_INITIAL], 1000000
    ret

expire:                                 ; ecx = vector
    mov dword [LAPIC_SVR], SVR_ENABLE | 0xff
    mov dword [LAPIC_DIVIDE], DIVIDE_BY_1
    mov [LAPIC_TIMER], ecx
    mov dword [LAPIC_INITIAL], 1000
    mov eax, ecx
    shr eax, 5
    shl eax, 4
.wait:
    mov edx, [LAPIC_IRR + eax]
    bt edx, ecx                         ; modulo 32
    jnc .wait
    ret

make_hpet:
    or dword [HPET_CONFIGURATION], HPET_LEGACY | HPET_ENABLE
    ret

; Each pin live, the PIT's at a vector of ours.
make_ioapic:
    xor ecx, ecx
.pin:
    lea eax, [ecx * 2 + IOAPIC_ENTRY + 1]
    mov [IOAPIC_SELECT], eax
    mov dword [IOAPIC_WINDOW], 0        ; to the first CPU
    dec eax
    mov [IOAPIC_SELECT], eax
    lea eax, [ecx + STRAY_VECTOR]
    cmp ecx, PIT_PIN
    jne .write
    mov eax, TIMER_VECTOR
.write:
    mov [IOAPIC_WINDOW], eax
    inc ecx
    cmp ecx, IOAPIC_PINS
    jb .pin
    ret

; The 8259 at the image's own vectors, quiet: harmless.
make_pic:
    OUTB PIC_MASTER, ICW1
    OUTB PIC_MASTER + 1, MASTER_VECTOR
    OUTB PIC_MASTER + 1, 1 << 2
    OUTB PIC_MASTER + 1, ICW4
    OUTB PIC_SLAVE, ICW1
    OUTB PIC_SLAVE + 1, SLAVE_VECTOR
    OUTB PIC_SLAVE + 1, 2
    OUTB PIC_SLAVE + 1, ICW4
    OUTB PIC_MASTER + 1, 0xff
    OUTB PIC_SLAVE + 1, 0xff
    ret

; All lines open; PIT, UART and RTC have asked, and the RTC goes on: so slowly
; that its next request comes when the image has long taken over, and not in the
; few instructions in which it lets pending requests in unseen.
make_picpend:
    call make_pic
    OUTB PIC_MASTER + 1, 0
    OUTB PIC_SLAVE + 1, 0
    mov al, 2
    call pit_mode
    call make_uart
    OUTB COM1 + UART_IER, IER_THRI
    OUTB RTC_INDEX, RTC_A
    OUTB RTC_DATA, RTC_SLOW
    OUTB RTC_INDEX, RTC_B
    OUTB RTC_DATA, RTC_PERIODIC
.wait:
    OUTB PIC_MASTER, OCW3_IRR
    in al, PIC_MASTER
    not al
    test al, 1 << 0 | 1 << 2 | 1 << 4
    jnz .wait
    ret

; The same, and two of them were accepted and never ended.
make_picserv:
    call make_picpend
    OUTB PIC_SLAVE, OCW3_POLL
    in al, PIC_SLAVE
    OUTB PIC_MASTER, OCW3_POLL
    in al, PIC_MASTER
    ret

; The PIT as pit_init leaves it: harmless.
make_pit0:
    OUTB PIT_CONTROL, PIT_LOHI
    ret

make_pit1:
    mov al, 1
    jmp pit_mode
make_pit2:
    mov al, 2
    jmp pit_mode
make_pit3:
    mov al, 3
    jmp pit_mode
make_pit4:
    mov al, 4
    jmp pit_mode
make_pit5:
    mov al, 5

pit_mode:                               ; al = mode
    shl al, 1
    or al, PIT_LOHI
    out PIT_CONTROL, al
pit_count:
    OUTB PIT_COUNTER0, PIT_COUNT & 0xff
    OUTB PIT_COUNTER0, PIT_COUNT >> 8
    ret

make_pitlsb:
    OUTB PIT_CONTROL, PIT_LSB
    ret

make_pitmsb:
    OUTB PIT_CONTROL, PIT_MSB
    ret

make_pitbcd:
    OUTB PIT_CONTROL, PIT_LOHI | PIT_BCD
    ret

; One byte of two was written.
make_pithalf:
    OUTB PIT_CONTROL, PIT_LOHI
    OUTB PIT_COUNTER0, PIT_COUNT & 0xff
    ret

; One byte of two was read.
make_pitread:
    call make_pitstat
    in al, PIT_COUNTER0
    in al, PIT_COUNTER0
    ret

; Status and count were latched and never read.
make_pitstat:
    OUTB PIT_CONTROL, PIT_LOHI
    call pit_count
    OUTB PIT_CONTROL, PIT_READ_BACK
    ret

; The UART as uart_init leaves it at 115200: harmless.
make_uart:
    mov cl, BAUD_115200
uart_at:                                ; cl = divisor
    OUTB COM1 + UART_LCR, LCR_8N1 | LCR_DLAB
    OUTB COM1, cl
    OUTB COM1 + UART_IER, 0
    OUTB COM1 + UART_LCR, LCR_8N1
    OUTB COM1 + UART_IER, 0
    OUTB COM1 + UART_FCR, FCR_FRESH
    OUTB COM1 + UART_MCR, MCR_USUAL
    ret

make_uartspd:
    mov cl, BAUD_9600
    jmp uart_at

make_uartloop:
    call make_uart
    OUTB COM1 + UART_MCR, MCR_USUAL | MCR_LOOP
    ret

make_uartdlab:
    call make_uart
    OUTB COM1 + UART_LCR, LCR_8N1 | LCR_DLAB
    ret

; A FIFO full of what was received.
make_uartfifo:
    call make_uartloop
    mov ecx, FIFO_BYTES
.byte:
    OUTB COM1, '?'
    loop .byte
.wait:
    mov dx, COM1 + UART_LSR
    in al, dx
    test al, LSR_DR
    jz .wait
    OUTB COM1 + UART_MCR, MCR_USUAL
    ret

; The processor's own registers.

make_nt:
    pushfd
    or dword [esp], EFLAGS_NT
    popfd
    ret

make_em:
    mov eax, cr0
    or eax, CR0_EM
    mov cr0, eax
    ret

make_osxsave:
    mov eax, cr4
    or eax, CR4_OSXSAVE
    mov cr4, eax
    ret

; Page tables of five levels, once paging is on.
make_la57:
    mov eax, cr4
    or eax, CR4_LA57
    mov cr4, eax
    ret

; SYSCALL enters ring 0 at address 0.
make_syscall:
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_SCE
    wrmsr
    ret

; SYSENTER does.
make_sysent:
    mov ecx, MSR_SYSENTER_CS
    mov eax, KERNEL_CODE
    xor edx, edx
    wrmsr
    ret

make_dr7:
    mov eax, PROGRAM_MAIN
    mov dr0, eax
    mov eax, DR7_EXECUTE_0
    mov dr7, eax
    ret

; All other processors in a loop, as firmware leaves them.
make_others:
    mov esi, ap_loop
    mov edi, AP_CODE
    mov ecx, ap_loop_end - ap_loop
    rep movsb
    mov dword [AP_CODE + AP_COUNT], 0
    mov dword [LAPIC_SVR], SVR_ENABLE | 0xff
    mov dword [LAPIC_ICR], ICR_INIT_OTHERS
    mov ecx, AP_WAIT
.reset:
    pause
    loop .reset
    mov dword [LAPIC_ICR], ICR_START_OTHERS
    mov ecx, AP_WAIT
.start:
    pause
    cmp dword [AP_CODE + AP_COUNT], 0
    loope .start
    ret

bits 16
ap_loop:
    cli
.count:
    inc dword [cs:AP_COUNT]
    jmp .count
ap_loop_end:
bits 32

; Each storage and network controller of bus 0 a bus master.
make_masters:
    mov ecx, PCI_ENABLE
.function:
    lea eax, [ecx + PCI_CLASS]
    mov dx, PCI_ADDRESS
    out dx, eax
    mov dx, PCI_DATA
    in eax, dx
    shr eax, 24                         ; base class: 1 storage, 2 network
    dec eax
    cmp eax, 1
    ja .next
    lea eax, [ecx + PCI_COMMAND]
    mov dx, PCI_ADDRESS
    out dx, eax
    mov dx, PCI_DATA
    in eax, dx
    and eax, 0xffff
    or eax, PCI_MASTER
    out dx, eax
.next:
    add ecx, PCI_STEP
    cmp ecx, PCI_BUS_1
    jb .function
    ret

; The watchdog of the ICH9 runs: of 6 s, so that it resets after 12.
make_tco:
    and dword [LPC_GCS], ~GCS_NO_REBOOT
make_tcosoft:                           ; its time-outs reset nothing
    mov dx, PCI_ADDRESS
    mov eax, LPC_PMBASE
    out dx, eax
    mov dx, PCI_DATA
    in eax, dx
    and eax, PMBASE_MASK
    lea edx, [eax + TCO_TMR]
    mov ax, TCO_COUNTS
    out dx, ax
    lea edx, [edx - TCO_TMR + TCO1_CNT]
    xor eax, eax
    out dx, ax
    lea edx, [edx - TCO1_CNT + TCO_RLD]
    mov ax, 1
    out dx, ax
    ret

states:
    STATE "none", make_none
    STATE "tco", make_tco
    STATE "tcosoft", make_tcosoft
    STATE "others", make_others
    STATE "masters", make_masters
    STATE "lint0", make_lint0
    STATE "softoff", make_softoff
    STATE "tpr", make_tpr
    STATE "pending", make_pending
    STATE "periodic", make_periodic
    STATE "hpet", make_hpet
    STATE "ioapic", make_ioapic
    STATE "pic", make_pic
    STATE "picpend", make_picpend
    STATE "picserv", make_picserv
    STATE "pit0", make_pit0
    STATE "pit1", make_pit1
    STATE "pit2", make_pit2
    STATE "pit3", make_pit3
    STATE "pit4", make_pit4
    STATE "pit5", make_pit5
    STATE "pitlsb", make_pitlsb
    STATE "pitmsb", make_pitmsb
    STATE "pitbcd", make_pitbcd
    STATE "pithalf", make_pithalf
    STATE "pitread", make_pitread
    STATE "pitstat", make_pitstat
    STATE "uart", make_uart
    STATE "uartspd", make_uartspd
    STATE "uartloop", make_uartloop
    STATE "uartdlab", make_uartdlab
    STATE "uartfifo", make_uartfifo
    STATE "nt", make_nt
    STATE "em", make_em
    STATE "osxsave", make_osxsave
    STATE "la57", make_la57
    STATE "syscall", make_syscall
    STATE "sysent", make_sysent
    STATE "dr7", make_dr7
    dd 0

align 8
name:  times WORD_SIZE db 0
state: times WORD_SIZE db 0
door:  times WORD_SIZE db 0
end:
stack_top equ end + 4096
