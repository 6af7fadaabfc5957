/* SPDX-License-Identifier: MIT */
/*
 * Declares a command line as data: a row an option, a row for its arguments, rules between them.  One parser takes
 * it by argp; help, man pages and completion are made from the same rows.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTION_USES 6  /* sets of a command line */
#define OPTIONS_MOST 64 /* rows of all its sets */

enum option_kind {      /* what is set, and to what */
    OPTION_CALL,        /* nothing: `take` gets its place and the text */
    OPTION_FLAG,        /* a bool: true */
    OPTION_TEXT,        /* a const char *: the text as it is */
    OPTION_WORD,        /* an unsigned or an enum: the index of the text among the words of `argument`, "a|b" */
    OPTION_NUMBER,      /* an unsigned: a decimal whole number from `least` to `most` */
    OPTION_LONG,        /* an unsigned long: the same */
    OPTION_WHOLE,       /* a double: the same */
    OPTION_REAL,        /* a double: a number above 0 and up to `most`, 0: any */
};

/* Takes a text that has a syntax of its own; argp_error() ends the program where it is wrong. */
typedef void option_taker(void *to, char *text, struct argp_state *state);

struct option_row {
    const char *name;     /* after "--"; NULL: it has a letter alone */
    char letter;          /* 0: none */
    const char *argument; /* as the help names it, NULL: none; of words in small letters, "a|b", it is one of them */
    const char *what;     /* its line of the help; NULL ends the rows */
    enum option_kind kind;
    size_t at, step;      /* in the set's input, bytes; to a second place that gets it too, 0: there is none */
    uint64_t least, most;
    uint64_t otherwise;   /* a number where it is not given; 0: what the caller put there */
    const char *refusal;  /* of a number; a format of the text, `least` and `most`; NULL: the usual sentence */
    option_taker *take;
    int group, flags;     /* as in struct argp_option */
};

/* The arguments that are no options. */
struct argument_row {
    size_t at, step;      /* in the input: where the first is stored; bytes to the next place, 0: there is none */
    size_t count;         /* of an unsigned that counts them; 0: none does */
    size_t last, kept;    /* of an unsigned long: where its option puts it, and the first's copy of it; 0: none */
    unsigned least, most;
    const char *missing;  /* the refusal of fewer than `least` */
    const char *many;     /* of one more than `most`: a format of it */
    const char *twice;    /* of "-" for two of them; NULL: it is allowed */
    option_taker *take;   /* called with the input after each is stored; may be NULL */
};

/* Names are as in "a|b"; "FILE" is any argument. */
struct option_rule {
    const char *of;       /* where one of these is given; NULL: always */
    const char *needs;    /* one of these must be */
    const char *excludes; /* and none of these may be */
    const char *refusal;  /* a format of the first argument; NULL ends the rules */
};

struct option_set {
    const struct option_row *rows;
    const struct argument_row *arguments; /* NULL: as the next set of the line has them */
    const struct option_rule *rules;
    void (*check)(void *input, struct argp_state *state); /* of all together, at the end; may be NULL */
};

/* A set with the place of its input in the arguments of a command, bytes. */
struct option_use {
    const struct option_set *set;
    size_t at;
};

struct option_line {
    struct option_use use[OPTION_USES];  /* a set of NULL ends them; the checks of the first are the last */
    const char *args_doc, *doc;          /* as in struct argp */
    char *(*filter)(int key, const char *text, void *line); /* the same; *(struct option_line **)line is this one */
    unsigned flags;                      /* of argp_parse() */
    bool suggests;                       /* the nearest name for a misspelt option */
};

/*
 * The members that rows set, of the input's type: `struct arguments`, or what a file of shared rows makes it.
 * A member of another type than the kind's is an error of the compiler.
 */
#define OPTION_INPUT struct arguments
#define OPTION_AT(member, ...) \
    .kind = _Generic(((OPTION_INPUT *)0)->member, __VA_ARGS__), .at = offsetof(OPTION_INPUT, member)
#define SET_FLAG(member)       OPTION_AT(member, bool: OPTION_FLAG)
#define SET_TEXT(member)       OPTION_AT(member, const char *: OPTION_TEXT)
#define SET_WORD(member)       OPTION_AT(member, unsigned: OPTION_WORD)
#define SET_REAL(member)       OPTION_AT(member, double: OPTION_REAL)
#define SET_SECONDS(member)    SET_REAL(member), .most = 1000000000
#define SET_NUMBER(member, from, to) \
    OPTION_AT(member, unsigned: OPTION_NUMBER, unsigned long: OPTION_LONG, double: OPTION_WHOLE), \
    .least = (from), .most = (to)
#define CALL_AT(function, member) .take = (function), .at = offsetof(OPTION_INPUT, member)
#define CALL_BOTH(function, first, second) \
    CALL_AT(function, first), .step = offsetof(OPTION_INPUT, second) - offsetof(OPTION_INPUT, first)
#define CALL(function)         .take = (function)

/* Of an argument_row: one text in `member`; or several, of which the first two tell the places. */
#define ARGUMENT(member)         .at = offsetof(OPTION_INPUT, member), .most = 1
#define ARGUMENTS(first, second) \
    .at = offsetof(OPTION_INPUT, first), .step = offsetof(OPTION_INPUT, second) - offsetof(OPTION_INPUT, first)

/* The row --json, which sets a flag. */
#define OPTION_JSON(member) {"json", 'j', NULL, "print one JSON object (docs/JSON.md)", SET_FLAG(member)}

/* The rows of what draws: to a file, how wide, and without block characters. */
#define OPTION_SVG(member) \
    {"svg", 0, "OUT.svg", "draw it as SVG, to this file; '-' is standard output", SET_TEXT(member)}
#define OPTION_WIDTH(member) \
    {"width", 0, "N", "columns of the terminal, or px of the drawing", SET_NUMBER(member, 40, 8000)}
#define OPTION_ASCII(member, what) \
    {"ascii", 0, NULL, what " instead of block characters, as where the locale is not UTF-8", SET_FLAG(member)}

/* A number of the preprocessor in a sentence. */
#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

/* Row `index` of a line's sets, with its set; NULL: there are not so many. */
const struct option_row *option_line_row(const struct option_line *line, size_t index, const struct option_use **of);

/* Parse a command line into `arguments`; argp ends the program where it is wrong or asks for help. */
void option_line_parse(const struct option_line *line, int argc, char **argv, void *arguments);

/* A decimal whole number from `least` to `most`; otherwise argp_error() refuses it, by a format as in a row. */
uint64_t option_number(const char *text, uint64_t least, uint64_t most, const char *refusal,
                       const struct argp_state *state);

/* Two moments of a run, between which a report takes differences: its options --from and --to. */

/* Seconds of the run; 0: not given. */
struct moments {
    double from, to;
};

/* The input is a struct moments.  A command line whose --from is not before its --to is refused. */
extern const struct option_set moments_options;

/* A moment in clock units, of a run that began at `begin` at `hz` a second; `otherwise` where it was not given. */
uint64_t moments_clock(double seconds, uint64_t begin, uint64_t hz, uint64_t otherwise);
