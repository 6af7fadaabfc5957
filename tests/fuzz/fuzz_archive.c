/* SPDX-License-Identifier: MIT */
/*
 * What archives and servers read from outside.  The first byte chooses: a file of times of arrival, a stream whose
 * preface is made, or what a client of a line sends.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/socket.h>

#include "tests/host/record_count.h"
#include "tools/archive/stream_preface.h"
#include "tools/serve/line_mux.h"
#include "tools/stream/arrival_times.h"

#define OFFSETS 8192
#define STEP    37
#define TURNS   4 /* of the server for what one client sent */

/* ---- a file of times ---- */

static char folder[] = "/tmp/fuzz_archive-XXXXXX", times_path[64], dump_path[64];

static void remove_folder(void)
{
    unlink(times_path);
    rmdir(folder);
}

static void make_folder(void)
{
    if (*times_path)
        return;
    FUZZ_CHECK(mkdtemp(folder));
    snprintf(dump_path, sizeof(dump_path), "%s/a", folder);
    snprintf(times_path, sizeof(times_path), "%s/a.times", folder);
    atexit(remove_folder);
}

/* Whatever stands there, later bytes did not arrive earlier. */
static void check_times(const uint8_t *data, size_t size)
{
    struct arrival_reader r;
    uint64_t before = 0, time;
    FILE *out;

    make_folder();
    out = fopen(times_path, "w");
    FUZZ_CHECK(out && fwrite(data, 1, size, out) == size && !fclose(out));
    if (!arrival_open(&r, dump_path))
        return;
    for (uint64_t offset = 0; offset < OFFSETS; offset += STEP)
        if (arrival_at(&r, offset, &time)) {
            FUZZ_CHECK(time >= before);
            before = time;
        }
    arrival_finish(&r);
    arrival_close(&r);
    FUZZ_CHECK(arrival_open(&r, dump_path));
    for (uint64_t breaks = 0, at; arrival_next_break(&r, &at);)
        FUZZ_CHECK(r.breaks == ++breaks && r.last == at);
    arrival_close(&r);
}

/* ---- a preface ---- */

/* It is intact frames without a gap, up to the number of the last frame that came. */
static void check_preface(const uint8_t *data, size_t size)
{
    static struct frame_decoder decoder;
    static struct record_count again;
    struct stream_preface p = {0};
    struct stream_event event;

    memset(&again, 0, sizeof(again));
    decoder_init(&decoder);
    decoder_init(&again.decoder);
    for (size_t at = 0; at < size;) {
        at += decoder_feed(&decoder, data + at, size - at, &event);
        preface_add_event(&p, &event);
    }
    FUZZ_CHECK(preface_write(&p, record_count_take, &again) && again.records == p.frames);
    FUZZ_CHECK(!again.decoder.stats.missing && !decoder_damaged(&again.decoder.stats) &&
               !again.decoder.stats.preamble);
    FUZZ_CHECK(!p.frames || again.decoder.next == p.next);
    preface_free(&p);
}

/* ---- a client of a line ---- */

/* What reached the board, or the client, up to now; how many bytes. */
static size_t take(int from, uint8_t *bytes, size_t room)
{
    const ssize_t got = recv(from, bytes, room, MSG_DONTWAIT);

    return got > 0 ? (size_t)got : 0;
}

/* Whether frames and lines end here: a line ends by a frame too, which begins with a zero. */
static bool is_whole(const uint8_t *data, size_t length, size_t size)
{
    const uint8_t last = length ? data[length - 1] : 0;

    return !last || last == '\r' || last == '\n' || (length < size && !data[length]);
}

/* The board gets what the client sent, in order, as frames and lines that have ended. */
static void check_client(const uint8_t *data, size_t size)
{
    static uint8_t bytes[1 << 16];
    struct line_watch line = {0};
    struct line_mux m = {.line = &line, .path = strdup("line"), .listener = -1};
    size_t reached = 0;
    int board[2], client[2];

    FUZZ_CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, board) &&
               !socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, client));
    line.in = board[0];
    m.client[m.clients++] = calloc(1, sizeof(struct mux_client));
    m.client[0]->socket = client[0];
    for (size_t at = 0, turn = 0; turn < TURNS; turn++) {
        const size_t some = turn + 1 < TURNS ? size / TURNS : size - at,
                     got = some ? (size_t)send(client[1], data + at, some, MSG_NOSIGNAL) : 0;

        at += got <= some ? got : 0;
        line_mux_serve(&m);
        reached += take(board[1], bytes + reached, sizeof(bytes) - reached);
        FUZZ_CHECK(!memcmp(bytes, data, reached) && is_whole(data, reached, size));
        line_mux_bytes(&m, data, at);
        take(client[1], bytes + reached, sizeof(bytes) - reached);
    }
    FUZZ_CHECK(reached <= size);
    line_mux_end(&m);
    close(client[1]);
    close(board[0]);
    close(board[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const check[])(const uint8_t *data, size_t size) = {check_times, check_preface, check_client};

    if (size && data[0] < sizeof(check) / sizeof(check[0]))
        check[data[0]](data + 1, size - 1);
    return 0;
}
