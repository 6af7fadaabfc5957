/* SPDX-License-Identifier: MIT */
/*
 * Makes a QR code (ISO/IEC 18004) of a text of the 45 characters 0-9 A-Z blank $ % * + - . / : by error correction
 * level L, which mends 7 % of it.  Pure; any context that may take some hundredths of a second.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QR_VERSIONS 40u
#define QR_SIDE(version) (17u + 4 * (version)) /* modules */
#define QR_SIDE_MAX QR_SIDE(QR_VERSIONS)
#define QR_QUIET    4u   /* light modules that belong around it */
#define QR_TEXT_MAX 4296u /* characters */

struct qr_code {
    unsigned side; /* modules */
    uint8_t module[QR_SIDE_MAX * QR_SIDE_MAX]; /* by qr_dark() */
};

/* The least version that has room for so many characters; 0: none has. */
unsigned qr_version(size_t characters);

/* Make the least code of a text.  False where it is too long or has another character. */
bool qr_make(struct qr_code *to, const char *text, size_t length);

/* Whether the module in this column and row is dark; both are below `side`. */
static inline bool qr_dark(const struct qr_code *code, unsigned x, unsigned y)
{
    return code->module[y * code->side + x] & 1;
}
