/* SPDX-License-Identifier: MIT */
/* SPCR, DBG2 and the BIOS data area: what they name, every field that is wrong, every length, any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/io/serial_tables.c"

#define ROUNDS 100000

static uint8_t table[256];
static struct serial_named named;

static void put(unsigned at, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        table[at + i] = (uint8_t)(n >> 8 * i);
}

static void put_gas(unsigned at, uint8_t space, uint8_t bits, uint8_t access, uint64_t address)
{
    put(at, space, 1);
    put(at + 1, bits, 1);
    put(at + 2, 0, 1);
    put(at + 3, access, 1);
    put(at + 4, address, 8);
}

/* ---- SPCR ---- */

static void make_spcr(uint8_t revision)
{
    memset(table, 0, sizeof table);
    put(8, revision, 1);
    put_gas(40, 1, 8, 1, 0x3f8);
    put(58, 7, 1);
    put(64, 0xffff, 2);
    put(66, 0xffff, 2);
}

static const char *spcr(void)
{
    return serial_spcr_read(table, SPCR_BYTES, &named);
}

static void check_line(uint64_t place, uint64_t address, uint64_t stride, uint64_t width, uint64_t baud,
                       uint64_t clock)
{
    assert_int_equal(named.line.place, place);
    assert_true(named.line.address == address);
    assert_int_equal(named.line.stride, stride);
    assert_int_equal(named.line.width, width);
    assert_int_equal(named.line.baud, baud);
    assert_int_equal(named.line.clock, clock);
    assert_false(named.line.trust);
}

static void test_spcr(void **state)
{
    static const struct {
        uint8_t code;
        uint32_t baud;
    } rates[] = { { 0, 0 }, { 3, 9600 }, { 4, 19200 }, { 6, 57600 }, { 7, 115200 }, { 5, 0 }, { 8, 0 }, { 255, 0 } };

    (void)state;
    for (uint8_t revision = 1; revision <= 4; revision++) {
        make_spcr(revision);
        assert_null(spcr());
        check_line(SERIAL_COM1, 0, 1, 1, 115200, SERIAL_CLOCK);
        assert_false(named.pci);
    }
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        put(58, rates[i].code, 1);
        assert_null(spcr());
        assert_int_equal(named.line.baud, rates[i].baud);
    }
    make_spcr(2); /* a table that says so of COM2 means bytes in a row all the same */
    put_gas(40, 1, 32, 3, 0x2f8);
    assert_null(spcr());
    check_line(SERIAL_COM2, 0, 1, 1, 115200, SERIAL_CLOCK);
}

static void test_registers(void **state)
{
    static const struct {
        uint8_t bits, access;
        unsigned stride, width;
    } rows[] = {
        { 8, 1, 1, 1 }, { 8, 0, 1, 1 }, { 0, 0, 1, 1 }, { 16, 1, 2, 1 }, { 16, 2, 2, 2 }, { 32, 1, 4, 1 },
        { 32, 3, 4, 4 },
        { 64, 3, 8, 4 }, { 8, 3, 4, 4 }, /* registers of four bytes are four bytes apart */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_spcr(3);
        put(36, UART_BY_GAS, 1);
        put_gas(40, 0, rows[i].bits, rows[i].access, 0xfedc9000);
        put(76, 48000000, 4);
        assert_null(spcr());
        check_line(SERIAL_MMIO, 0xfedc9000, rows[i].stride, rows[i].width, 115200, 48000000);
        put_gas(40, 1, rows[i].bits, rows[i].access, 0xe000);
        assert_null(spcr());
        check_line(SERIAL_PORT, 0xe000, rows[i].stride, rows[i].width, 115200, 48000000);
    }
}

static void test_revisions(void **state)
{
    (void)state;
    make_spcr(2); /* reserved there */
    put(76, 48000000, 4);
    assert_null(spcr());
    assert_int_equal(named.line.clock, SERIAL_CLOCK);
    make_spcr(4);
    put(80, 921600, 4);
    assert_null(spcr());
    assert_int_equal(named.line.baud, 115200); /* the table ends before it */
    assert_null(serial_spcr_read(table, SPCR_BYTES + 4, &named));
    assert_int_equal(named.line.baud, 921600);
}

static void refused_by(unsigned at, uint64_t value, unsigned bytes, const char *sentence)
{
    const char *wrong;

    make_spcr(3);
    put(64, 0x1c3d, 2);
    put(66, 0x8086, 2);
    put(69, 22, 1);
    put(70, 3, 1);
    assert_null(spcr());
    assert_true(named.pci);
    assert_int_equal(named.vendor, 0x8086);
    assert_int_equal(named.device, 0x1c3d);
    assert_int_equal(named.function, 22 << 3 | 3);
    put(at, value, bytes);
    wrong = spcr();
    if (wrong == NULL)
        fail_msg("%s: taken", sentence);
    assert_non_null(strstr(wrong, sentence));
}

static void test_spcr_refused(void **state)
{
    (void)state;
    refused_by(8, 0, 1, "revision");
    refused_by(36, 3, 1, "no 16550"); /* ARM's PL011 */
    refused_by(40, 2, 1, "neither in memory nor at ports");
    refused_by(44, 0x10, 8, "impossible address");    /* the DMA's ports */
    refused_by(44, 0xfffc, 8, "impossible address");  /* it would end behind the last port */
    refused_by(44, 0x123450000, 8, "impossible address");
    refused_by(44, 0, 8, "impossible address");
}

static void test_spcr_wide(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
    } rows[] = { { 42, 1, 1 }, { 41, 1, 7 }, { 41, 1, 24 }, { 43, 1, 4 }, { 43, 1, 255 }, { 44, 8, 0 },
                 { 44, 8, 0xfedc9001 }, { 44, 8, 1ull << 52 }, { 44, 8, UINT64_MAX - 3 }, { 76, 4, 999 },
                 { 76, 4, 0xffffffff } };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_spcr(3);
        put_gas(40, 0, 32, 3, 0xfedc9000);
        assert_null(spcr());
        put(rows[i].at, rows[i].value, rows[i].bytes);
        assert_non_null(spcr());
    }
    refused_by(69, 32, 1, "impossible number");
    refused_by(70, 8, 1, "impossible number");
    refused_by(75, 1, 1, "segment");
    for (unsigned length = 0; length < SPCR_BYTES; length++)
        assert_non_null(serial_spcr_read(table, length, &named));
}

/* ---- DBG2 ---- */

#define FIRST  44u
#define SIZE   38u
#define LENGTH (FIRST + 2 * SIZE)

static void put_device(unsigned at, unsigned type, unsigned subtype, uint64_t port)
{
    put(at + 1, SIZE, 2);
    put(at + 3, 1, 1);
    put(at + 12, type, 2);
    put(at + 14, subtype, 2);
    put(at + 18, 22, 2);
    put_gas(at + 22, 1, 8, 1, port);
}

/* A USB debug port, then COM3. */
static void make_dbg2(void)
{
    memset(table, 0, sizeof table);
    put(36, FIRST, 4);
    put(40, 2, 4);
    put_device(FIRST, 0x8002, 0, 0);
    put_device(FIRST + SIZE, 0x8000, 0, 0x3e8);
}

static const char *second(void)
{
    return serial_dbg2_read(table, LENGTH, 1, &named);
}

static void test_dbg2(void **state)
{
    (void)state;
    make_dbg2();
    assert_int_equal(serial_dbg2_devices(table, LENGTH), 2);
    assert_non_null(strstr(serial_dbg2_read(table, LENGTH, 0, &named), "no 16550"));
    assert_null(second());
    check_line(SERIAL_COM3, 0, 1, 1, 0, SERIAL_CLOCK);
    assert_non_null(serial_dbg2_read(table, LENGTH, 2, &named));
    put(40, 0xffffffff, 4);
    assert_int_equal(serial_dbg2_devices(table, LENGTH), 32);
    assert_non_null(serial_dbg2_read(table, LENGTH, 31, &named));
}

static void test_dbg2_refused(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
    } rows[] = {
        { 36, 4, 0 }, { 36, 4, 43 }, { 36, 4, LENGTH }, { 36, 4, 0xffffffff }, { FIRST + 1, 2, 0 },
        { FIRST + 1, 2, 21 },
        { FIRST + 1, 2, 0xffff }, { FIRST + SIZE + 1, 2, SIZE + 1 }, { FIRST + SIZE + 3, 1, 0 },
        { FIRST + SIZE + 18, 2, 21 },
        { FIRST + SIZE + 18, 2, 27 }, { FIRST + SIZE + 18, 2, 0xffff }, { FIRST + SIZE + 12, 2, 0x8001 },
        { FIRST + SIZE + 14, 2, 3 }, { FIRST + SIZE + 22, 1, 3 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_dbg2();
        put(rows[i].at, rows[i].value, rows[i].bytes);
        if (second() == NULL)
            fail_msg("row %u is taken", i);
    }
    /* in memory of its own: the sanitizer sees a byte too far */
    for (unsigned length = 0; length < LENGTH; length++) {
        uint8_t *const cut = malloc(length + 1);

        make_dbg2();
        memcpy(cut, table, length);
        assert_non_null(serial_dbg2_read(cut, length, 1, &named));
        free(cut);
    }
}

/* ---- BIOS data area ---- */

static unsigned bda(uint16_t a, uint16_t b, uint16_t c, uint16_t d, unsigned equipment, struct serial_named found[4])
{
    memset(table, 0, sizeof table);
    put(0, a, 2);
    put(2, b, 2);
    put(4, c, 2);
    put(6, d, 2);
    put(0x10, equipment << 9 | 0xf1ff, 2);
    return serial_bda_read(table, found);
}

static void test_bda(void **state)
{
    struct serial_named found[4];

    (void)state;
    assert_int_equal(bda(0, 0, 0, 0, 0, found), 0);
    assert_int_equal(bda(0x2f8, 0, 0xe000, 0, 2, found), 2);
    assert_int_equal(found[0].line.place, SERIAL_COM2);
    assert_int_equal(found[1].line.place, SERIAL_PORT);
    assert_int_equal(found[1].line.address, 0xe000);
    assert_int_equal(bda(0x3f8, 0x2f8, 0x3e8, 0x2e8, 4, found), 4);
    assert_int_equal(bda(0x3f8, 0x2f8, 0, 0, 1, found), 0); /* the list of equipment has another number */
    assert_int_equal(bda(0x3f8, 0x60, 0, 0, 2, found), 0);  /* the keyboard's port */
    assert_int_equal(bda(0xffff, 0xffff, 0xffff, 0xffff, 4, found), 0);
}

/* Whatever a table has, what is taken can be a UART. */
static void test_any(void **state)
{
    struct serial_named found[4];

    (void)state;
    srand(1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned which = (unsigned)rand() % 3;
        uint8_t *const bytes = which == 0 ? (make_spcr(3), table) : which == 1 ? (make_dbg2(), table) : table;
        const char *wrong = "";

        for (unsigned i = 0; i < 3; i++)
            bytes[36 + (unsigned)rand() % 90] = (uint8_t)rand();
        if (which == 0)
            wrong = spcr();
        else if (which == 1)
            wrong = second();
        else if (serial_bda_read(bytes + (unsigned)rand() % 64, found) > 0)
            named = found[0], wrong = NULL;
        if (wrong == NULL && named.line.place > SERIAL_COM4)
            assert_true(serial_spec_registers_ok(&named.line));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spcr),      cmocka_unit_test(test_registers),    cmocka_unit_test(test_revisions),
        cmocka_unit_test(test_spcr_refused), cmocka_unit_test(test_spcr_wide), cmocka_unit_test(test_dbg2),
        cmocka_unit_test(test_dbg2_refused), cmocka_unit_test(test_bda),       cmocka_unit_test(test_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
