/* SPDX-License-Identifier: MIT */
/*
 * SMIs.  After a reset SMBASE is 0x30000: the processor saves its state below 0x40000
 * and starts at 0x38000, in ordinary memory (Intel SDM 3C, 31.4 and 31.5).  The image
 * uses nothing else of the first MiB.
 */
#include "kernel/load/loads.h"

#include <stdbool.h>

#include "drivers/ich9.h"
#include "kernel/mm/page_alloc.h"
#include "probe/schedule/memory.h"

#define SMI_ENTRY   0x38000u
#define PROOF_CLOCK 1u /* clock units */

extern const uint8_t smi_handler[], smi_handler_end[]; /* kernel/load/smi_handler.asm */

static bool found; /* set before tasks run; without an ICH9 the port and the memory belong to something else */

/* The last bytes of the handler. */
struct smi_record {
    uint64_t length, total, count; /* clock units of the next SMI and of all so far; their number */
};

static volatile struct smi_record *record(void)
{
    const uint64_t end = (uint64_t)(smi_handler_end - smi_handler);

    return phys_to_virt(SMI_ENTRY + end - sizeof(struct smi_record));
}

static uint64_t raise(uint64_t clocks)
{
    record()->length = clocks;
    ich9_smi_raise();
    return record()->total;
}

uint64_t smi_raise(uint64_t clocks)
{
    return found ? raise(clocks) : 0;
}

bool smi_detect(struct refusal *why)
{
    const char *missing = ich9_smi_enable();

    if (missing != 0)
        return REFUSE(why, missing);
    memcpy(phys_to_virt(SMI_ENTRY), smi_handler, (size_t)(smi_handler_end - smi_handler));
    raise(PROOF_CLOCK);
    found = record()->count == 1;
    return found || REFUSE(why, "SMIs, and one that was raised did not arrive");
}
