/* SPDX-License-Identifier: MIT */
/* Entered by a multiboot loader in 32 bits; and the stub of the timer's interrupt. */
#define FLAGS 0x10000 /* the header has addresses: of the file that is loaded as it is */

        .section .head, "ax"
        .code32
header: .long 0x1badb002, FLAGS, -(0x1badb002 + FLAGS)
        .long header, header, image_end, bss_end, _start

        .globl _start
_start: mov $stack, %esp
        lgdt gdt_pointer
        ljmp $0x08, $flat
flat:   mov $0x10, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
#ifdef __x86_64__
        movl $level3 + 3, level4        /* the first GiB, by pages of 2 MiB */
        movl $level2 + 3, level3
        xor %ecx, %ecx
1:      mov %ecx, %eax
        shl $21, %eax
        or $0x83, %eax
        mov %eax, level2(,%ecx,8)
        inc %ecx
        cmp $512, %ecx
        jne 1b
        movl $device2 + 3, level3 + 24  /* of the fourth GiB both APICs */
        movl $0xfec00093, device2 + 502 * 8
        movl $0xfee00093, device2 + 503 * 8
        mov $level4, %eax
        mov %eax, %cr3
        mov $0x20, %eax                 /* PAE */
        mov %eax, %cr4
        mov $0xc0000080, %ecx           /* EFER.LME */
        rdmsr
        or $0x100, %eax
        wrmsr
        mov %cr0, %eax
        or $0x80000000, %eax
        mov %eax, %cr0
        ljmp $0x18, $long
        .code64
long:   lgdt gdt64_pointer              /* selector 8 is 64-bit code from here on */
        pushq $0x08
        pushq $1f
        lretq
1:
#endif
        call kernel_main

        .text
        .globl timer_stub
timer_stub:
#ifdef __x86_64__
        push %rax; push %rcx; push %rdx; push %rsi; push %rdi; push %r8; push %r9; push %r10; push %r11
        mov 72(%rsp), %rdi
        cld
        call timer_interrupt
        pop %r11; pop %r10; pop %r9; pop %r8; pop %rdi; pop %rsi; pop %rdx; pop %rcx; pop %rax
        iretq
#else
        pusha
        push 32(%esp)
        cld
        call timer_interrupt
        add $4, %esp
        popa
        iret
#endif

        .section .rodata
        .balign 8
gdt:    .quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff, 0x00af9a000000ffff
gdt64:  .quad 0, 0x00af9a000000ffff, 0x00cf92000000ffff
gdt_pointer:   .word 31; .long gdt
gdt64_pointer: .word 23; .long gdt64, 0

        .bss
        .balign 4096
level4: .skip 4096
level3: .skip 4096
level2: .skip 4096
device2: .skip 4096
        .skip 16384
stack:
