/* SPDX-License-Identifier: MIT */
/* Prints the stream of a made-up run with events: make_events CYCLES, 20 events each, of 10 us (event_run.h). */
#include <stdio.h>
#include <stdlib.h>

#include "tests/host/event_run.h"

static void put_out(void)
{
    fwrite(d.bytes, 1, d.length, stdout);
    d.length = 0;
}

int main(int argc, char **argv)
{
    const uint64_t cycles = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;

    event_run_begin(1);
    for (uint64_t n = 0; n < cycles; n++) {
        event_run_cycle(n);
        if (n % 100 == 99)
            put_out();
    }
    event_encoder_end(&event_sender);
    dump_end(&d, 1, 0, "done");
    put_out();
    free(d.bytes);
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
