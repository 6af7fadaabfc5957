/* SPDX-License-Identifier: MIT */
/*
 * Does the work of the known load, and counts it: what `cpuprobe verify-port` compares a port's table with.  A unit
 * is a number of turns of a loop; what it takes is timed where nothing can interrupt it.
 */
#include "probe/port/port.h"
#include "probe/schedule/arithmetic.h"

#define UNIT_PART  10000u /* of a second: the least length of a unit; below twice that */
#define TURNS      64u    /* of the first trial */
#define TURNS_MOST (1u << 28)

static const uint8_t units_of[CPUPROBE_PARTS] = { [CPUPROBE_TWO] = 20, [CPUPROBE_ONE] = 10, [CPUPROBE_OFF] = 5 };

static void work(uint32_t turns)
{
    while (turns-- != 0)
        __asm__ volatile("" : : : "memory"); /* else there is no loop */
}

/* Work so much with interrupts off, and time it: clock units. */
static uint64_t work_timed(struct cpuprobe *c, uint32_t turns)
{
    const uint64_t began = probe_clock(&c->probe);

    work(turns);
    return probe_clock(&c->probe) - began;
}

/* A unit is the first power of two of turns that takes long enough.  Interrupts off. */
static void find_unit(struct cpuprobe *c)
{
    const uint64_t least = divide64(c->facts.clock_hz, UNIT_PART);
    uint32_t turns = TURNS;

    while (work_timed(c, turns) < least && turns < TURNS_MOST)
        turns *= 2;
    c->load.loops = turns;
}

/* A section with interrupts off. */
static void work_off(struct cpuprobe *c)
{
    const uint32_t units = units_of[CPUPROBE_OFF];
    const uintptr_t was = c->port.lock();

    cpuprobe_masked(c, true);
    c->load.time += work_timed(c, units * c->load.loops);
    c->load.of[CPUPROBE_OFF].units += units;
    cpuprobe_masked(c, false);
    c->port.unlock(was);
}

/* The task that calls is the only one that writes its row, but for the begin of an epoch. */
void cpuprobe_selftest(struct cpuprobe *c, enum cpuprobe_part part, uint32_t task, enum cpuprobe_mode mode)
{
    uintptr_t was;

    if (c == NULL || c->phase != PORT_RUNS || (unsigned)part >= CPUPROBE_PARTS)
        return;
    was = c->port.lock();
    if (c->load.loops == 0)
        find_unit(c);
    c->port.unlock(was);
    c->load.of[part].task = port_checked_task(task);
    c->load.of[part].mode = (uint32_t)mode % MODES;
    if (part == CPUPROBE_OFF)
        work_off(c);
    for (unsigned n = 0; part != CPUPROBE_OFF && n < units_of[part]; n++) {
        work(c->load.loops);
        c->load.of[part].units++;
    }
}

void port_load_begin(struct cpuprobe *c)
{
    const uint32_t loops = c->load.loops;

    c->load = (struct port_load){ .loops = loops };
}

void port_send_load(struct cpuprobe *c)
{
    const uintptr_t was = c->port.lock();
    const struct port_load l = c->load;
    const uint32_t timed = l.of[CPUPROBE_OFF].units;

    c->port.unlock(was);
    if (l.loops == 0)
        return;
    wire_begin(&c->frame, WIRE_KNOWN_LOAD, &(struct wire_known_load){
        .epoch = c->epoch, .serial = c->serial, .timed = timed, .time = l.time,
        .sections = timed / units_of[CPUPROBE_OFF],
    });
    for (unsigned part = 0; part < CPUPROBE_PARTS; part++)
        if (l.of[part].units != 0)
            (void)wire_row(&c->frame, WIRE_KNOWN_LOAD, &(struct wire_known_load_row){
                .part = part, .task = l.of[part].task, .mode = l.of[part].mode, .units = l.of[part].units,
            });
    port_send_frame(c, &c->frame);
}
