/* SPDX-License-Identifier: MIT */
/* Counts the boots of streams whose boots are known, early resets and changes of words among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/dump.h"
#include "tools/stream/boot_watch.h"

/* clock units: the first HELLO of a real board, which came 3286 units later in its next boot */
#define EARLY 1162600207u
#define LATER (EARLY + 3286u)

static void put_message(struct dump *d, uint64_t epoch)
{
    dump_head(d, WIRE_TEXT, &(struct wire_text_record){.epoch = epoch, .text = dump_text("entered by rom\n")});
}

static void put_hello(struct dump *d, uint64_t epoch, uint64_t now)
{
    struct wire_hello hello = dump_hello_head(epoch, "output=frames", DUMP_MEAN);

    hello.now = now;
    dump_head(d, WIRE_HELLO, &hello);
}

static void assert_boots(struct dump *d, unsigned wanted)
{
    static struct frame_decoder decoder;
    struct boot_watch boot = {0};
    struct stream_event event;
    unsigned boots = 0;

    decoder_init(&decoder);
    for (size_t at = 0; at < d->length;) {
        at += decoder_feed(&decoder, d->bytes + at, d->length - at, &event);
        boots += boot_watch_event(&boot, &event);
    }
    free(d->bytes);
    assert_int_equal(boots, wanted);
}

/* It told no time behind its first HELLO. */
static void early_reset(void **state)
{
    struct dump d = {0};

    (void)state;
    put_message(&d, 0);
    put_hello(&d, 1, EARLY);
    put_message(&d, 1);
    put_message(&d, 0);
    put_hello(&d, 2, LATER);
    put_hello(&d, 2, LATER + 1000);
    assert_boots(&d, 2);
}

/* A deterministic machine: the same HELLO again, or with another identifier at the same time. */
static void equal_times(void **state)
{
    struct dump d = {0};

    (void)state;
    put_hello(&d, 1, EARLY);
    put_hello(&d, 2, EARLY);
    dump_snapshot(&d, 2, 1, true, 10); /* its times are far later */
    put_hello(&d, 2, EARLY);
    assert_boots(&d, 3);
}

/* The first message was damaged. */
static void clock_began_anew(void **state)
{
    struct dump d = {0};

    (void)state;
    put_hello(&d, 1, LATER);
    put_hello(&d, 2, EARLY);
    assert_boots(&d, 2);
}

static void other_words(void **state)
{
    struct dump d = {0};

    (void)state;
    put_message(&d, 0);
    put_hello(&d, 1, EARLY);
    put_message(&d, 1);
    put_hello(&d, 2, LATER);
    put_hello(&d, 2 | WIRE_SECOND, LATER + 1);
    put_hello(&d, 2, LATER + 2);
    assert_boots(&d, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_reset),
        cmocka_unit_test(equal_times),
        cmocka_unit_test(clock_began_anew),
        cmocka_unit_test(other_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
