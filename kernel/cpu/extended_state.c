/* SPDX-License-Identifier: MIT */
/* Vector registers beyond SSE.  Intel SDM 1, 13.4 (the area), 13.6 (initial state), 13.7 and 13.8 (XSAVE, XRSTOR). */
#include "kernel/cpu/extended_state.h"

#include "kernel/cpu/control_registers.h"
#include "kernel/cpu/cpu.h"
#include "probe/schedule/memory.h"

#define CR4_OSXSAVE     (1ull << 18)
#define LEAF_FEATURES   1u
#define LEAF_XSAVE      0xdu
#define FEATURE_XSAVE   26
#define COMPONENTS_LEAST 3u    /* of XCR0: x87, SSE */
#define COMPONENTS       7u    /* and AVX */
#define COMPONENTS_512   0xe0u /* AVX-512's three: XCR0 takes all of them, with AVX, or none */
#define MXCSR_AT        24 /* in the area; a new program's value is that of a reset */
#define MXCSR_RESET     0x1f80u

static uint64_t bytes;      /* of an area; 0: no XSAVE; set once, as the next */
static uint32_t components; /* XCR0 */

static void set_xcr0(uint32_t value)
{
    __asm__ volatile("xsetbv" : : "a"(value), "d"(0), "c"(0));
}

static void open(void)
{
    cpu_write_cr4(cpu_read_cr4() | CR4_OSXSAVE);
}

static void close(void)
{
    cpu_write_cr4(cpu_read_cr4() & ~CR4_OSXSAVE);
}

void extended_state_init(void)
{
    uint32_t r[4];

    cpu_identify(0, 0, r);
    if (r[0] < LEAF_XSAVE)
        return;
    cpu_identify(LEAF_FEATURES, 0, r);
    if (!(r[2] >> FEATURE_XSAVE & 1))
        return;
    cpu_identify(LEAF_XSAVE, 0, r);
    components = r[0] & COMPONENTS;
    if (components == COMPONENTS && (r[0] & COMPONENTS_512) == COMPONENTS_512)
        components |= COMPONENTS_512;
    if ((components & COMPONENTS_LEAST) != COMPONENTS_LEAST)
        return;
    open();
    set_xcr0(components);
    cpu_identify(LEAF_XSAVE, 0, r); /* EBX: of what XCR0 has on */
    bytes = r[1];
    close();
}

bool extended_state_exists(void)
{
    return bytes != 0;
}

uint64_t extended_state_bytes(void)
{
    return bytes;
}

/*
 * Components whose bit in the area's header is 0 are loaded with their initial state;
 * MXCSR comes from the area always.
 */
void extended_state_initial(void *area)
{
    memcpy((uint8_t *)area + MXCSR_AT, &(uint32_t){ MXCSR_RESET }, sizeof(uint32_t));
}

void extended_state_load(const void *area)
{
    open();
    __asm__ volatile("xrstor64 (%0)" : : "r"(area), "a"(components), "d"(0) : "memory");
}

void extended_state_save(void *area)
{
    __asm__ volatile("xsave64 (%0)" : : "r"(area), "a"(components), "d"(0) : "memory");
    close();
}
