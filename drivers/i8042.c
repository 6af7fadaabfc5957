/* SPDX-License-Identifier: MIT */
/* The keyboard controller of a PC: found, set up, polled. */
#include "drivers/i8042.h"

#include "drivers/io.h"

#define DATA    0x60u
#define STATUS  0x64u /* read */
#define COMMAND 0x64u /* written */

#define STATUS_OUT_FULL 0x01u /* a byte can be read */
#define STATUS_IN_FULL  0x02u /* the last one that was written is not taken yet */
#define STATUS_AUX      0x20u /* the byte is of the mouse */
#define STATUS_ABSENT   0xffu /* no device answers */

#define READ_MODE       0x20u
#define WRITE_MODE      0x60u
#define DISABLE_AUX     0xa7u
#define ENABLE_KEYBOARD 0xaeu
#define MODE_INTERRUPTS 0x03u
#define MODE_NO_CLOCK   0x10u /* the keyboard is silenced */
#define MODE_TRANSLATE  0x40u /* set 2 of the keyboard becomes set 1 */

#define SCAN_ON 0xf4u /* a command of the keyboard */
#define ACK     0xfau

#define TRIES 20000u /* of each wait: an access takes half a microsecond or more */
#define STALE 64u    /* bytes that may wait from before */

static bool wait_for(uint8_t bit, bool set)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (((inb(STATUS) & bit) != 0) == set)
            return true;
    return false;
}

static bool put(uint16_t port, uint8_t byte)
{
    if (!wait_for(STATUS_IN_FULL, false))
        return false;
    outb(port, byte);
    return true;
}

static void drain(void)
{
    for (unsigned i = 0; i < STALE && inb(STATUS) & STATUS_OUT_FULL; i++)
        inb(DATA);
}

static bool read_mode(uint8_t *mode)
{
    if (!put(COMMAND, READ_MODE) || !wait_for(STATUS_OUT_FULL, true))
        return false;
    *mode = inb(DATA);
    return true;
}

static bool write_mode(uint8_t mode)
{
    return put(COMMAND, WRITE_MODE) && put(DATA, mode);
}

bool i8042_init(void)
{
    uint8_t mode;

    if (inb(STATUS) == STATUS_ABSENT)
        return false;
    if (!put(COMMAND, DISABLE_AUX))
        return false;
    drain();
    if (!read_mode(&mode) || !write_mode((uint8_t)((mode & ~(MODE_INTERRUPTS | MODE_NO_CLOCK)) | MODE_TRANSLATE)) ||
        !put(COMMAND, ENABLE_KEYBOARD))
        return false;
    /* A keyboard that does not answer may be plugged in later: no reason to do without. */
    if (put(DATA, SCAN_ON) && wait_for(STATUS_OUT_FULL, true) && inb(DATA) != ACK)
        drain();
    return true;
}

bool i8042_read(uint8_t *code)
{
    const uint8_t status = inb(STATUS);

    if (!(status & STATUS_OUT_FULL) || status == STATUS_ABSENT)
        return false;
    *code = inb(DATA);
    return !(status & STATUS_AUX);
}
