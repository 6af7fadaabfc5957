/* SPDX-License-Identifier: MIT */
/* Finds, sets up and polls the keyboard controller of a PC, and makes text of the scan codes of set 1. */
#include "drivers/keyboard.h"

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

/* Scan codes */
#define RELEASED     0x80u
#define EXTENDED     0xe0u
#define PAUSE        0xe1u /* two codes follow it, pressed and released */
#define CODE_CTRL    0x1du
#define CODE_SHIFT   0x2au
#define CODE_SHIFT_R 0x36u
#define CODE_CAPS    0x3au
#define CTRL_MASK    0x1f

static const char plain[0x3a] =
    "\0\x1b" "1234567890-=" "\x7f\t" "qwertyuiop[]" "\r\0" "asdfghjkl;'`" "\0\\" "zxcvbnm,./" "\0*\0 ";
static const char shifted[0x3a] =
    "\0\x1b" "!@#$%^&*()_+" "\x7f\t" "QWERTYUIOP{}" "\r\0" "ASDFGHJKL:\"~" "\0|" "ZXCVBNM<>?" "\0*\0 ";

/* Keys of the block between letters and numbers, and those of the numbers that send the same without NumLock. */
static const struct { uint8_t code; char end[3]; } named[] = {
    { 0x48, "A" }, { 0x50, "B" }, { 0x4d, "C" }, { 0x4b, "D" }, { 0x47, "H" }, { 0x4f, "F" }, { 0x53, "3~" },
};

static const char *sequence(uint8_t code, char text[SCANCODE_TEXT])
{
    for (unsigned i = 0; i < sizeof named / sizeof named[0]; i++)
        if (named[i].code == code) {
            text[0] = '\x1b';
            text[1] = '[';
            text[2] = named[i].end[0];
            text[3] = named[i].end[1];
            text[4] = '\0';
            break;
        }
    return text;
}

/* Whether the code is one of a key that changes others, and is taken. */
static bool take_modifier(struct scancode_keys *keys, uint8_t code, bool extended)
{
    const uint8_t key = code & (uint8_t)~RELEASED;
    const bool down = !(code & RELEASED);

    if (key == CODE_CTRL)
        keys->ctrl[extended] = down;
    /* extended it goes with an arrow, and is none */
    else if ((key == CODE_SHIFT || key == CODE_SHIFT_R) && !extended)
        keys->shift[key == CODE_SHIFT_R] = down;
    else if (key == CODE_CAPS && down)
        keys->caps = !keys->caps;
    else
        return false;
    return true;
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static char letter_of(const struct scancode_keys *keys, uint8_t code)
{
    const bool shift = keys->shift[0] || keys->shift[1];
    const char letter = plain[code];

    if (keys->ctrl[0] || keys->ctrl[1])
        return is_letter(letter) ? (char)(letter & CTRL_MASK) : '\0';
    return shift != (keys->caps && is_letter(letter)) ? shifted[code] : letter;
}

const char *scancode_take(struct scancode_keys *keys, uint8_t code, char text[SCANCODE_TEXT])
{
    const bool extended = keys->extended;

    text[0] = text[1] = '\0';
    keys->extended = code == EXTENDED;
    if (keys->skip != 0 || code == PAUSE) {
        keys->skip = code == PAUSE ? 2 : keys->skip - 1;
        return text;
    }
    if (code == EXTENDED || take_modifier(keys, code, extended) || code & RELEASED)
        return text;
    if (extended && code != 0x1c && code != 0x35) /* Enter and / of the numbers */
        return sequence(code, text);
    if (code >= sizeof plain)
        return sequence(code, text);
    text[0] = letter_of(keys, code);
    return text;
}
