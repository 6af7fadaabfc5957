/* SPDX-License-Identifier: MIT */
/* Looks QEMU's own symbols up, and calls them. */
#include "tools/hwmon/qemu.h"

#include <dlfcn.h>
#include <string.h>

/* Of struct TimersState (softmmu/timers-state.h); the same in QEMU 5.2 to 7.2, measured in 7.2. */
#define AT_SHIFT 26
#define AT_BIAS  40

#define TEXT 4096 /* of the processor's registers */

static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

void qemu_find(struct qemu *q)
{
    const char *timers = find("timers_state");

    memset(q, 0, sizeof *q);
    *(void **)&q->cpu = find("qemu_get_cpu");
    *(void **)&q->read = find("cpu_memory_rw_debug");
    *(void **)&q->dump = find("cpu_dump_state");
    q->icount = find("use_icount");
    if (timers == NULL || q->icount == NULL)
        return;
    q->bias = (const int64_t *)(timers + AT_BIAS);
    q->shift = (const int16_t *)(timers + AT_SHIFT);
}

const char *qemu_lacks_clock(const struct qemu *q)
{
    if (q->bias == NULL)
        return "this QEMU does not export its clock (timers_state, use_icount)";
    if (*q->icount != 1 || *q->shift < 0 || *q->shift > 10)
        return "the clock needs -icount shift=N, N from 0 to 10";
    return NULL;
}

const char *qemu_lacks_memory(const struct qemu *q)
{
    return q->cpu != NULL && q->read != NULL ? NULL
        : "this QEMU does not export the guest's memory (cpu_memory_rw_debug, qemu_get_cpu)";
}

const char *qemu_lacks_ring(const struct qemu *q)
{
    return q->cpu != NULL && q->dump != NULL ? NULL
        : "this QEMU does not export the processor's state (cpu_dump_state, qemu_get_cpu)";
}

int qemu_ring(const struct qemu *q)
{
    char text[TEXT] = "";
    FILE *file = q->dump != NULL && q->cpu != NULL ? fmemopen(text, sizeof text - 1, "w") : NULL;
    const char *at;

    if (file == NULL)
        return -1;
    q->dump(q->cpu(0), file, 0);
    fclose(file);
    at = strstr(text, "CPL=");
    return at != NULL && at[4] >= '0' && at[4] <= '3' ? at[4] - '0' : -1;
}

bool qemu_read(const struct qemu *q, uint64_t address, void *to, size_t bytes)
{
    return q->read(q->cpu(0), address, to, bytes, false) == 0;
}
