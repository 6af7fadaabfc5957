/* SPDX-License-Identifier: MIT */
/* The ring of blocks, the trigger, and the listing. */
#include "tools/hwmon/analyser.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

static bool begin_port(struct analyser *a, const char *number)
{
    char *end;

    a->trigger = TRIGGER_PORT;
    a->port = -1;
    if (number[0] == '\0')
        return true;
    a->port = (int)strtoul(number + 1, &end, 0);
    return number[0] == ':' && number[1] != '\0' && *end == '\0' && a->port >= 0 && a->port <= 0xff;
}

bool analyser_begin(struct analyser *a, const struct names *names, const char *trigger)
{
    a->size = (size_t)(a->before + a->after) + 2;
    a->ring = xrealloc_array(NULL, a->size, sizeof a->ring[0]);
    if (trigger == NULL)
        return true;
    if (strncmp(trigger, "at:", 3) == 0)
        a->trigger = TRIGGER_AT;
    else if (strncmp(trigger, "store:", 6) == 0)
        a->trigger = TRIGGER_STORE;
    else
        return strncmp(trigger, "port", 4) == 0 && begin_port(a, trigger + 4);
    return names_address(names, strchr(trigger, ':') + 1, &a->address);
}

/* E4 to E7 have the port in the instruction, EC to EF in DX. */
bool analyser_is_port(const struct analyser *a, const struct insn *i)
{
    const unsigned at = i->size > 1 && i->code[0] == 0x66; /* the prefix of another size */
    const uint8_t code = i->code[at];

    if (a->trigger != TRIGGER_PORT || (code & 0xf4) != 0xe4)
        return false;
    if (code & 0x08)
        return i->size == at + 1 && a->port < 0;
    return i->size == at + 2 && (a->port < 0 || a->port == i->code[at + 1]);
}

void analyser_block(struct analyser *a, const struct block *b, uint64_t executed)
{
    if (a->stopped)
        return;
    a->stopped = a->triggered != 0 && executed > a->triggered + a->after;
    a->ring[a->put++ % a->size] = (struct analyser_entry){ b, executed };
}

void analyser_hit(struct analyser *a, uint64_t executed)
{
    if (++a->times == a->nth && !a->stopped)
        a->triggered = executed != 0 ? executed : 1;
}

/* ---- the listing ---- */

static void print_insn(FILE *file, const struct insn *i, int64_t number, unsigned ring, const struct names *names)
{
    const struct name *const name = names_code_at(names, i->address);

    fprintf(file, "%+lld\t%#llx\t%u\t", (long long)number, (unsigned long long)i->address, ring);
    for (unsigned n = 0; n < i->size; n++)
        fprintf(file, "%02x", i->code[n]);
    if (name != NULL)
        fprintf(file, "\t%s+%#llx\n", name->text, (unsigned long long)(i->address - name->address));
    else
        fputs("\t-\n", file);
}

/*
 * What of one entry lies within the numbers asked for; `end` instructions had been executed when the next one began.
 */
static void print_entry(FILE *file, const struct analyser *a, const struct analyser_entry *e, uint64_t end,
                        uint64_t origin, const struct names *names)
{
    const uint64_t done = end - e->executed < e->block->count ? end - e->executed : e->block->count;

    for (uint64_t i = 0; i < done; i++) {
        const int64_t number = (int64_t)(e->executed + i - origin);

        if (number >= -(int64_t)a->before && number <= (int64_t)a->after)
            print_insn(file, &e->block->insn[i], number, e->block->ring, names);
    }
}

void analyser_report(FILE *file, const struct analyser *a, const struct names *names, uint64_t executed)
{
    const uint64_t origin = a->triggered != 0 ? a->triggered : executed;
    const uint64_t kept = a->put < a->size ? a->put : a->size;

    if (a->triggered != 0)
        fprintf(file, "# triggered at instruction %llu, the condition held %llu times\n",
                (unsigned long long)a->triggered, (unsigned long long)a->times);
    else
        fprintf(file, "# no trigger came (the condition held %llu times): the last instructions\n",
                (unsigned long long)a->times);
    fputs("# number from the trigger, address, ring, code, name\n", file);
    for (uint64_t i = a->put - kept; i < a->put; i++) {
        const struct analyser_entry *const e = &a->ring[i % a->size];
        const uint64_t end = i + 1 < a->put ? a->ring[(i + 1) % a->size].executed : executed;

        print_entry(file, a, e, end, origin, names);
    }
}
