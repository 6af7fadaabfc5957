/* SPDX-License-Identifier: MIT */
/*
 * A line of input on a VT100: bytes of the keyboard in, bytes of the screen out,
 * a line when it is ready.  The keys are those of Emacs and readline: arrows,
 * Home and End, Backspace and Delete, Ctrl-A E B F D H K U W L P N C, Tab.  The
 * line is one row of the screen: a longer one moves sideways under its prompt.
 * Escape sequences used are those of the VT100 (ECMA-48): CSI n C, K, H, J.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EDIT_LINE    256 /* longest line, its end included */
#define EDIT_PAST    16  /* lines that are remembered */
#define EDIT_COLUMNS 80

enum line_edit_event {
    EDIT_MORE,       /* go on */
    EDIT_READY,      /* `line` is a line; the next byte begins another */
    EDIT_TOO_LONG,   /* more was typed than fits into `line`, which is not to be executed */
    EDIT_INTERRUPTED /* Ctrl-C: the line is forgotten */
};

/* The caller owns it and sets the members above `line` before line_edit_init(). */
struct line_edit {
    void (*put)(void *context, const char *bytes, unsigned length); /* to the screen */
    void *context;
    const char *prompt;              /* of less than EDIT_COLUMNS - 8 columns */
    /*
     * What Tab may complete the word at line + word to, whatever the case of letters: a name; NULL past the last.
     * The names need not begin as the word does.
     */
    const char *(*name)(const char *line, unsigned word, unsigned index);

    char line[EDIT_LINE]; /* ended by a zero */
    unsigned length, cursor;
    bool is_cut;          /* a byte of it did not fit */
    bool again;           /* the line is ready: the next byte begins another */
    uint8_t last;         /* the byte before: LF after CR is ignored */
    uint8_t escape;       /* enum escape, of edit.c */
    uint8_t number;       /* of an escape sequence */
    char past[EDIT_PAST][EDIT_LINE]; /* a ring */
    unsigned remembered, newest;     /* how many; where the newest one stands */
    unsigned back;                   /* how far back in the history the line is; 0: it is new */
    char draft[EDIT_LINE];           /* the new one meanwhile */
};

/* Begin with an empty line and no past; nothing is put on the screen. */
void line_edit_init(struct line_edit *e);

/* Show prompt and line; the cursor is at the beginning of an empty row. */
void line_edit_show(struct line_edit *e);

/*
 * Take a byte.  Any byte may come; one that is no key is ignored.  After EDIT_READY, EDIT_TOO_LONG and
 * EDIT_INTERRUPTED the cursor is at the beginning of the next row; the caller executes the line and then calls
 * line_edit_show().  Task and host context.
 */
enum line_edit_event line_edit_byte(struct line_edit *e, uint8_t byte);
