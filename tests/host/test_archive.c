/* SPDX-License-Identifier: MIT */
/*
 * What archives and servers read from outside, with noise from 1e-6 to 1e-2: streams, files of times, what clients
 * of a line send.  No crash, no wait, and a preface is always intact frames without a gap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "probe/schedule/splitmix64.h"
#include "tests/host/dump.h"
#include "tests/host/record_count.h"
#include "tools/archive/arrival_summary.h"
#include "tools/archive/dump_summary.h"
#include "tools/archive/stream_preface.h"
#include "tools/serve/line_pages.h"
#include "tools/stream/arrival_times.h"

#define ROUNDS 400

static uint64_t state_of_random = 3;
static char folder[] = "/tmp/test_archive-XXXXXX";

static uint64_t below(uint64_t n)
{
    return splitmix64_mix(state_of_random += SPLITMIX64_GAMMA) % n;
}

/* A short run with names and two tables' heads; the same each time. */
static struct dump make_stream(void)
{
    struct dump d = {0};

    for (unsigned second = 0; second < 20; second++) {
        struct wire_hello hello = dump_hello_head(0x1111, "rate=120 seed=7 output=frames note=\"of a test\"",
                                                  1193182u / 120u * 65536u);
        struct wire_snapshot snapshot = {.epoch = 0x1111, .serial = second + 1, .cells = 0, .ticks = second,
                                         .samples = second, .end = second * 1000};
        struct wire_names names = {0x1111};
        struct wire_names_row row = {7, dump_text("NAME"), 0};
        struct wire_writer w;

        hello.now = 1000000 + second * 1000000000ull;
        dump_head(&d, WIRE_HELLO, &hello);
        wire_begin(&w, WIRE_NAMES, &names);
        wire_row(&w, WIRE_NAMES, &row);
        dump_end_frame(&d, &w);
        dump_head(&d, WIRE_SNAPSHOT, &snapshot);
    }
    dump_head(&d, WIRE_END, &(struct wire_end){0x1111, 0, dump_text("over")});
    return d;
}

/* Invert bits at a rate between 1e-6 and 1e-2; half of the rounds cut a piece out too. */
static size_t disturb(uint8_t *bytes, size_t length)
{
    const double rate = pow(10.0, -2.0 - (double)below(401) / 100.0);
    const uint64_t flips = (uint64_t)(rate * 8.0 * (double)length) + 1;
    const size_t at = below(length), cut = below(2) ? below(length - at) / 4 : 0;

    for (uint64_t i = 0; i < flips; i++)
        bytes[below(length)] ^= (uint8_t)(1u << below(8));
    memmove(bytes + at, bytes + at + cut, length - at - cut);
    return length - cut;
}

static void write_file(const char *name, const void *bytes, size_t length)
{
    char path[100];
    FILE *out;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    fclose(out);
}

static size_t make_times(char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "cpuprobe arrival times 1\nstart 1790000000000000000\n");

    for (unsigned i = 1; i < 60; i++)
        length += (size_t)snprintf(text + length, room - length, i % 20 ? "at %u %u000000\n"
                                                                        : "gap %u %u000000 %u900000\n", i * 90,
                                   i * 300, i * 300);
    return length;
}

/* ---- files ---- */

static void check_summaries(int open_folder)
{
    char path[100], line[CONFIG_LINE], text[120], date[32];
    struct arrival_summary arrivals;
    struct dump_summary s;

    snprintf(path, sizeof(path), "%s/a", folder);
    if (arrival_summarize(path, &arrivals)) {
        assert_true(isfinite(arrivals.drift.drift) && isfinite(arrivals.drift.error) && arrivals.seconds >= 0.0);
        arrival_date(arrivals.wall, date);
    }
    dump_summary_read(&s, open_folder, "a");
    dump_summary_state(&s, text, sizeof(text));
    dump_summary_words(&s, line);
    assert_true(strlen(text) > 0 && strlen(s.words.note) < CONFIG_NOTE_SIZE && dump_summary_seconds(&s) >= 0.0);
    for (const char *c = s.build; *c; c++)
        assert_in_range(*c, ' ', '~');
    dump_summary_free(&s);
}

static void test_files(void **state)
{
    const int open_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char times[4096];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct dump d = make_stream();
        const size_t length = round ? disturb(d.bytes, d.length) : d.length;
        size_t told = make_times(times, sizeof(times));

        if (round % 3)
            told = disturb((uint8_t *)times, told);
        write_file("a", d.bytes, length);
        write_file("a.times", times, told);
        check_summaries(open_folder);
        free(d.bytes);
    }
    close(open_folder);
}

/* What stands in the file of times is read to the number; a line that goes back is counted. */
static void test_times(void **state)
{
    static const char text[] = "cpuprobe arrival times 1\nstart 5\nat 10 100\nat 9 200\nat 30 90\nat 30 300 1\n"
                               "at 030 300\ngap 10 150 250\n"
                               "at 18446744073709551616 400\nat 40 400\nwhat\n";
    struct arrival_reader r;
    char path[100];
    uint64_t time;

    (void)state;
    write_file("b.times", text, sizeof(text) - 1);
    snprintf(path, sizeof(path), "%s/b", folder);
    assert_true(arrival_open(&r, path));
    assert_int_equal(r.wall, 5);
    assert_true(arrival_at(&r, 0, &time) && time == 0);
    assert_true(arrival_at(&r, 10, &time) && time == 100);
    assert_true(arrival_at(&r, 11, &time) && time == 400);
    assert_true(r.gaps == 1 && r.away == 100 && r.wrong == 5);
    assert_false(arrival_at(&r, 41, &time));
    arrival_finish(&r);
    assert_int_equal(r.wrong, 6);
    arrival_close(&r);
    assert_false(arrival_open(&r, folder));
}

/* ---- the preface ---- */

static void test_preface(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct dump d = make_stream();
        const size_t length = round ? disturb(d.bytes, d.length) : d.length - 20;
        struct frame_decoder *decoder = malloc(sizeof(*decoder));
        struct record_count *r = calloc(1, sizeof(*r));
        struct stream_preface p = {0};
        struct stream_event event;

        decoder_init(decoder);
        decoder_init(&r->decoder);
        for (size_t at = 0; at < length && (round || p.frames < 2);) {
            at += decoder_feed(decoder, d.bytes + at, length - at, &event);
            preface_add_event(&p, &event);
        }
        assert_true(preface_write(&p, record_count_take, r));
        assert_int_equal(r->records, p.frames);
        assert_true(!r->decoder.stats.missing && !decoder_damaged(&r->decoder.stats) && !r->decoder.stats.preamble);
        assert_true(!p.frames || r->decoder.next == p.next);
        preface_free(&p);
        free(r);
        free(decoder);
        free(d.bytes);
    }
}

/* ---- clients of a line ---- */

static struct refusal_log refusals;

static void take_bytes(void *line, const uint8_t *bytes, size_t length)
{
    line_mux_bytes(&((struct served_line *)line)->mux, bytes, length);
}

static void take_event(void *line, const struct stream_event *event)
{
    line_mux_event(&((struct served_line *)line)->mux, event);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    assert_int_equal(connect(client, (struct sockaddr *)&address, sizeof(address)), 0);
    return client;
}

/* Frames, lines and anything, in pieces: what reaches the board is whole pieces that a client ended. */
static void send_noise(int client)
{
    uint8_t bytes[300];
    const size_t length = 1 + below(sizeof(bytes));

    for (size_t i = 0; i < length; i++)
        bytes[i] = below(9) ? (uint8_t)below(256) : 0;
    if (below(2))
        bytes[length - 1] = below(2) ? '\r' : 0;
    assert_true(send(client, bytes, length, MSG_NOSIGNAL) != 0);
}

static void test_clients(void **state)
{
    struct served_line *l = calloc(1, sizeof(*l));
    struct line_mux refused;
    uint8_t bytes[4096];
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int board[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, board), 0);
    l->watch = (struct line_watch){.port = "/nowhere/line", .bytes = take_bytes, .event = take_event, .context = l};
    line_watch_begin(&l->watch);
    assert_true(line_mux_begin(&l->mux, &l->watch, &refusals, folder, 0600));
    assert_false(line_mux_begin(&refused, &l->watch, &refusals, "/nowhere", 0600));
    line_mux_end(&refused);
    l->shared = true;
    l->watch.in = board[0];
    for (int round = 0; round < ROUNDS; round++) {
        struct dump d = make_stream();
        const size_t sent = round ? disturb(d.bytes, d.length) : d.length;
        const int client = connect_to(l->mux.path);

        assert_int_equal(send(board[1], d.bytes, sent, MSG_NOSIGNAL), sent);
        send_noise(client);
        line_watch_serve(&l->watch);
        line_mux_serve(&l->mux);
        if (l->mux.clients)
            send_noise(client);
        line_mux_serve(&l->mux);
        while (recv(board[1], bytes, sizeof(bytes), 0) > 0)
            ;
        close(client);
        free(d.bytes);
    }
    line_mux_serve(&l->mux);
    line_mux_serve(&l->mux);
    assert_int_equal(l->mux.clients, 0);
    line_metrics_put(out, l, 1);
    line_metrics_page(out, l, 1);
    fclose(out);
    assert_non_null(strstr(text, "# EOF\n"));
    assert_non_null(strstr(text, "cpuprobe_line_up{line=\"line\"} 1\n"));
    free(text);
    line_mux_end(&l->mux);
    line_watch_end(&l->watch);
    close(board[1]);
    free(l);
}

static size_t came;

static void count_bytes(void *line, const uint8_t *bytes, size_t length)
{
    (void)line, (void)bytes;
    came += length;
}

static void ignore_event(void *line, const struct stream_event *event)
{
    (void)line, (void)event;
}

/* A tty gives 4095 bytes a read at most, and has more behind them. */
static void test_tty(void **state)
{
    static const char bytes[4096];
    struct line_watch l = {.port = "tty", .bytes = count_bytes, .event = ignore_event};
    struct termios raw;
    int host, board;
    ssize_t put;
    size_t sent = 0;

    (void)state;
    assert_int_equal(openpty(&host, &board, NULL, NULL, NULL), 0);
    assert_int_equal(tcgetattr(board, &raw), 0);
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(board, TCSANOW, &raw), 0);
    fcntl(host, F_SETFL, O_NONBLOCK);
    fcntl(board, F_SETFL, O_NONBLOCK);
    while ((put = write(host, bytes, sizeof(bytes))) > 0)
        sent += (size_t)put;
    assert_true(sent > 2 * 4096);
    line_watch_begin(&l);
    l.in = board;
    line_watch_serve(&l);
    assert_int_equal(came, sent);
    line_watch_end(&l);
    close(host);
}

/* Who keeps lines queued sends one in its turn: the other's second stands fourth at the latest. */
static void test_turns(void **state)
{
    struct served_line *l = calloc(1, sizeof(*l));
    int board[2], client[2];
    char got[100] = "";

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, board), 0);
    l->watch = (struct line_watch){.port = "/nowhere/turns", .bytes = take_bytes, .event = take_event, .context = l};
    line_watch_begin(&l->watch);
    assert_true(line_mux_begin(&l->mux, &l->watch, &refusals, folder, 0600));
    l->watch.in = board[0];
    for (int i = 0; i < 2; i++) {
        client[i] = connect_to(l->mux.path);
        line_mux_serve(&l->mux);
    }
    assert_int_equal(send(client[0], "b\rb\r", 4, MSG_NOSIGNAL), 4);
    assert_int_equal(send(client[1], "a\ra\ra\ra\ra\r", 10, MSG_NOSIGNAL), 10);
    line_mux_serve(&l->mux);
    assert_int_equal(recv(board[1], got, sizeof(got) - 1, 0), 14);
    assert_true(strrchr(got, 'b') - got <= 2 * 3);
    line_mux_end(&l->mux);
    line_watch_end(&l->watch);
    close(client[0]);
    close(client[1]);
    close(board[1]);
    free(l);
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_times), cmocka_unit_test(test_preface),
        cmocka_unit_test(test_clients), cmocka_unit_test(test_tty), cmocka_unit_test(test_turns),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
