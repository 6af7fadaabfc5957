/* SPDX-License-Identifier: MIT */
/* A program that makes the shortest call for ever, from a stack that is the kernel's by its address. */
int main(void)
{
    __asm__ volatile("mov $0xffffc00000010000, %rsp\n1:\tmov $39, %eax\n\tsyscall\n\tjmp 1b");
}
