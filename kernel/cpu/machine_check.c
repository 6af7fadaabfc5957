/* SPDX-License-Identifier: MIT */
/* The banks in which the hardware logs its errors, read for the dump.  Intel SDM 3B, chapter 16; SDM 4, table 2-2. */
#include "kernel/cpu/machine_check.h"

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"

#define MSR_MCG_CAP    0x179
#define MSR_MCG_STATUS 0x17a
#define MSR_BANK(bank) (0x400 + 4 * (bank)) /* control, status, address, miscellaneous */
#define BANK_STATUS    1
#define BANK_ADDRESS   2
#define BANK_MISC      3
#define MCG_CAP_BANKS  0xffu
#define STATUS_VALID   (1ull << 63)
#define STATUS_MISC    (1ull << 59) /* that register exists and is valid */
#define STATUS_ADDRESS (1ull << 58) /* likewise */

void machine_check_init(void)
{
    if (cpu.mca)
        wrmsr(MSR_MCG_STATUS, 0);
}

/* A register that does not exist must not be read. */
static uint64_t bank_register(uint32_t bank, uint32_t which, uint64_t status, uint64_t valid)
{
    return status & valid ? rdmsr(MSR_BANK(bank) + which) : 0;
}

bool machine_check_read(uint32_t bank, struct machine_check *to)
{
    uint64_t status;

    if (!cpu.mca || bank >= MACHINE_CHECK_BANKS || bank >= (rdmsr(MSR_MCG_CAP) & MCG_CAP_BANKS))
        return false;
    status = rdmsr(MSR_BANK(bank) + BANK_STATUS);
    *to = (struct machine_check){
        .status = status,
        .address = bank_register(bank, BANK_ADDRESS, status, STATUS_ADDRESS),
        .misc = bank_register(bank, BANK_MISC, status, STATUS_MISC),
    };
    return status & STATUS_VALID;
}
