/* SPDX-License-Identifier: MIT */
/*
 * A UEFI application that starts the door's own, as \EFI\BOOT\CPUPROBE.EFI beside it, and has the firmware leave
 * hostile states (hostile_resident.asm): they are made when ExitBootServices() has succeeded, so that the firmware
 * need not run with them.  The states' code is 32-bit, and runs in compatibility mode.  UEFI specification 2.10, 7.4;
 * Intel SDM 3A, 5.8.2 (far calls between code segments).
 */
#include <efi.h>
#include <efilib.h>

#define RESIDENT_AT    0x60000u /* hostile_resident.inc, as the next */
#define RESIDENT_BYTES 4096u
#define STACK_BYTES    4096u /* behind it */
#define GDT_ENTRIES    64u   /* at most, with ours */
#define GDT_CODE32     0x00cf9b000000ffffull
#define GDT_DATA32     0x00cf93000000ffffull
#define ENTRY_BYTES    8u

struct table_register {
    UINT16 limit;
    UINT64 base;
} __attribute__((packed));

struct far_pointer {
    UINT32 offset;
    UINT16 selector;
} __attribute__((packed));

__asm__(".section .rodata\n"
        "resident:\n\t.incbin \"build/qemu/hostile_resident.bin\"\n"
        ".text\n");
extern const UINT8 resident[];

static EFI_EXIT_BOOT_SERVICES exit_services; /* the firmware's */
static UINT64 gdt[GDT_ENTRIES];              /* the firmware's, and two of ours */
static UINT64 saved_stack, saved_data;

/* The firmware's table goes on to hold the selector to which the far return leads. */
static void make_states(void)
{
    struct table_register found, own = { .base = (UINT64)gdt };
    struct far_pointer procedure = { .offset = RESIDENT_AT };
    UINT32 entries, data;

    __asm__ volatile("cli\n\tsgdt %0" : "=m"(found));
    entries = (found.limit + 1u) / ENTRY_BYTES;
    if (entries + 2 > GDT_ENTRIES)
        return;
    for (UINT32 i = 0; i < entries; i++)
        gdt[i] = ((const UINT64 *)found.base)[i];
    gdt[entries] = GDT_CODE32;
    gdt[entries + 1] = GDT_DATA32;
    own.limit = (UINT16)((entries + 2) * ENTRY_BYTES - 1);
    procedure.selector = (UINT16)(entries * ENTRY_BYTES);
    data = (entries + 1) * ENTRY_BYTES;
    __asm__ volatile("lgdt %[own]\n\t"
                     "push %%rbx\n\t"
                     "push %%rbp\n\t"
                     "mov %%ss, %%ecx\n\t"
                     "mov %%rcx, %[saved_data]\n\t"
                     "mov %%rsp, %[saved_stack]\n\t"
                     "mov %%eax, %%ss\n\t"
                     "mov %%eax, %%ds\n\t"
                     "mov %%eax, %%es\n\t"
                     "mov %[top], %%esp\n\t"
                     "lcalll *(%%rdx)\n\t"
                     "mov %[saved_data], %%rcx\n\t"
                     "mov %%ecx, %%ss\n\t"
                     "mov %%ecx, %%ds\n\t"
                     "mov %%ecx, %%es\n\t"
                     "mov %[saved_stack], %%rsp\n\t"
                     "pop %%rbp\n\t"
                     "pop %%rbx\n\t"
                     : [saved_stack] "+m"(saved_stack), [saved_data] "+m"(saved_data), "+a"(data)
                     : [own] "m"(own), "d"(&procedure), [top] "i"(RESIDENT_AT + RESIDENT_BYTES + STACK_BYTES)
                     : "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    __asm__ volatile("lgdt %0" : : "m"(found));
}

static EFI_STATUS EFIAPI exit_hostile(EFI_HANDLE image, UINTN key)
{
    const EFI_STATUS status = exit_services(image, key);

    if (status == EFI_SUCCESS)
        make_states();
    return status;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    EFI_BOOT_SERVICES *const bs = table->BootServices;
    EFI_PHYSICAL_ADDRESS at = RESIDENT_AT;
    EFI_LOADED_IMAGE *self;
    EFI_HANDLE door;
    EFI_STATUS status;

    InitializeLib(image, table);
    status = bs->HandleProtocol(image, &LoadedImageProtocol, (void **)&self);
    if (status == EFI_SUCCESS)
        status = bs->AllocatePages(AllocateAddress, EfiLoaderCode, EFI_SIZE_TO_PAGES(RESIDENT_BYTES + STACK_BYTES),
                                   &at);
    if (status != EFI_SUCCESS)
        return status;
    bs->CopyMem((void *)at, (void *)resident, RESIDENT_BYTES);
    status = bs->LoadImage(FALSE, image, FileDevicePath(self->DeviceHandle, L"\\EFI\\BOOT\\CPUPROBE.EFI"), NULL, 0,
                           &door);
    if (status != EFI_SUCCESS)
        return status;
    exit_services = bs->ExitBootServices;
    bs->ExitBootServices = exit_hostile;
    return bs->StartImage(door, NULL, NULL);
}
