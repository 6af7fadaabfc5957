/* SPDX-License-Identifier: MIT */
/* Parses command lines as argp does: long options with their argument behind '=' or as the next word, and letters. */
#include <argp.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int argp_err_exit_status = EXIT_FAILURE;
void (*argp_program_version_hook)(FILE *out, struct argp_state *state);

void argp_error(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s: ", state->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(argp_err_exit_status);
}

void argp_state_help(const struct argp_state *state, FILE *out, unsigned flags)
{
    fprintf(out, "%s: its help is that of the program cpuprobe\n", state->name);
    exit(flags & ARGP_HELP_EXIT_OK ? EXIT_SUCCESS : argp_err_exit_status);
}

/* The option that a word names; NULL: none. */
static const struct argp_option *option_of(const struct argp *argp, const char *word)
{
    const size_t length = strcspn(word, "=");

    for (const struct argp_option *o = argp->options; o->name || o->key; o++)
        if (word[1] == '-' ? o->name && strlen(o->name) == length - 2 && !strncmp(word + 2, o->name, length - 2)
                           : o->key == word[1])
            return o;
    return NULL;
}

/* What follows an option in the same word; NULL: nothing. */
static char *rest_of(char *word)
{
    char *const equals = strchr(word, '=');

    if (word[1] == '-')
        return equals ? equals + 1 : NULL;
    return word[2] ? word + 2 : NULL;
}

static void take_option(const struct argp *argp, char *word, struct argp_state *state)
{
    const struct argp_option *const o = option_of(argp, word);
    char *rest = rest_of(word);

    if (!o)
        argp_error(state, "unrecognized option '%s'", word);
    if (o->arg && !rest && !(o->flags & OPTION_ARG_OPTIONAL)) {
        if (state->next >= state->argc)
            argp_error(state, "option '%s' requires an argument", word);
        rest = state->argv[state->next++];
    }
    argp->parser(o->key, o->arg ? rest : NULL, state);
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input)
{
    struct argp_state state = {
        .argc = argc, .argv = argv, .next = 1, .input = input, .name = argv[0], .out_stream = stdout,
    };

    (void)flags;
    (void)index;
    argp->parser(ARGP_KEY_INIT, NULL, &state);
    while (state.next < state.argc) {
        char *const word = state.argv[state.next++];

        if (word[0] == '-' && word[1])
            take_option(argp, word, &state);
        else if (argp->parser(ARGP_KEY_ARG, word, &state))
            argp_error(&state, "too many arguments");
        else
            state.arg_num++;
    }
    argp->parser(ARGP_KEY_END, NULL, &state);
    return 0;
}
