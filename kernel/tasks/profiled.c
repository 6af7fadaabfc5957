/* SPDX-License-Identifier: MIT */
/*
 * A program of known work for profiles: three functions of its own, each on a page of code of its own, and two
 * that make system calls.  Of each turn's units of work alpha() has 30, beta() 20, delta() 5 at ring 3; the kernel
 * has 40 for heavy() and 5 for light().
 */
#include "kernel/abi/calls.h"
#include "kernel/abi/profil.h"

#define CODE       0x401000u /* kernel/tasks/runtime/program.ld */
#define BYTES      32768u    /* of the buffer: eight pages, for as many of code */
#define ONE_TO_ONE 65536u
#define UNIT 100u /* turns of the loop in a unit of work */
#define ON_ITS_PAGE __attribute__((noipa, aligned(4096)))

ON_ITS_PAGE static void alpha(void)
{
    spin(30 * UNIT);
}

ON_ITS_PAGE static void beta(void)
{
    spin(20 * UNIT);
}

ON_ITS_PAGE static void delta(void)
{
    spin(5 * UNIT);
}

ON_ITS_PAGE static void heavy(void)
{
    call(SYS_WORK, 40 * UNIT, 0);
}

ON_ITS_PAGE static void light(void)
{
    call(SYS_WORK, 5 * UNIT, 0);
}

/* gprof gives the last function of a file no time. */
ON_ITS_PAGE __attribute__((used)) static void last(void)
{
    spin(1);
}

static uint16_t mapped[BYTES / 2];

/* A buffer of the kind; the last counters of the last page that there is are before an address where nothing is. */
static uint64_t buffer_of(uint64_t kind)
{
    switch (kind) {
    case PROFILED_MAPPED: return (uint64_t)mapped;
    case PROFILED_UNTOUCHED:
    case PROFILED_TOUCHED: return PROFIL_AREA;
    case PROFILED_NOWHERE: return 0x700000000000;
    case PROFILED_KERNEL: return 0xffffffff80100000;
    case PROFILED_CODE: return CODE;
    case PROFILED_EDGE: return PROFIL_AREA + PROFIL_AREA_PAGES * 4096 - BYTES / 2;
    default: return 0x00007ffffffffffe;
    }
}

static void touch(uint64_t buffer)
{
    for (uint64_t at = 0; at < BYTES; at += 4096)
        *(volatile uint16_t *)(buffer + at) = 0;
}

static void ask(uint64_t argument)
{
    struct profil_request request = {
        .buffer = buffer_of(argument & ~(uint64_t)PROFILED_TRAP), .bytes = BYTES, .offset = CODE, .scale = ONE_TO_ONE,
        .flags = argument & PROFILED_TRAP ? PROFIL_TRAP : 0,
    };

    if (argument == PROFILED_TOUCHED)
        touch(request.buffer);
    call(SYS_PROFIL, (uint64_t)&request, 0);
}

int main(uint64_t argument)
{
    if (argument != PROFILED_NONE)
        ask(argument);
    for (;;) {
        alpha();
        heavy();
        beta();
        light();
        delta();
    }
}
