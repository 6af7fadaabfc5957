/* SPDX-License-Identifier: MIT */
/*
 * Follows the state of the machine and of its classes by events.  An exit names the cell that it leads to
 * (trace_cell()), so that the state is right again soon after a gap.
 */
#include "probe/trace/machine_state.h"

#include "probe/trace/event_class.h"

#define MODE_CLASSES   (1u << TRACE_IRQ_ENTER | 1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SWITCH)
#define MASKED_CLASSES (MODE_CLASSES | 1u << TRACE_MASK)

unsigned machine_state_told(uint32_t classes)
{
    static const struct {
        uint32_t classes; /* all of them */
        unsigned known;
    } told[] = {
        {1u << TRACE_SWITCH, KNOWN_TASK}, {1u << TRACE_IRQ_ENTER, KNOWN_NESTING},
        {1u << TRACE_SYSCALL_ENTER, KNOWN_CALL},
        {1u << TRACE_USER, KNOWN_USER}, {MODE_CLASSES, KNOWN_MODE}, {MASKED_CLASSES, KNOWN_MASKED},
    };
    unsigned known = KNOWN_TIME;

    for (unsigned i = 0; i < sizeof told / sizeof told[0]; i++)
        if ((classes & told[i].classes) == told[i].classes)
            known |= told[i].known;
    return known;
}

uint32_t machine_state_classes(void)
{
    return 1u << TRACE_SWITCH | 1u << TRACE_RESUME | 1u << TRACE_IRQ_ENTER | 1u << TRACE_IRQ_EXIT |
           1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SYSCALL_EXIT | 1u << TRACE_SERVICE_ENTER |
           1u << TRACE_SERVICE_EXIT | 1u << TRACE_FAULT | 1u << TRACE_END | 1u << TRACE_USER | 1u << TRACE_MASK |
           1u << TRACE_UNMASK | 1u << TRACE_TICK_ENTER | 1u << TRACE_TICK_EXIT | 1u << TRACE_CONTINUE;
}

struct machine_task machine_state_own(const struct machine_state *s)
{
    return (struct machine_task){.call = s->call, .user = s->user, .known = s->known & (KNOWN_CALL | KNOWN_USER)};
}

void machine_state_run(struct machine_state *s, uint64_t task, const struct machine_task *own)
{
    s->task = task;
    s->call = own->call;
    s->user = own->user;
    s->known = (s->known & ~(unsigned)(KNOWN_CALL | KNOWN_USER)) | KNOWN_TASK | own->known;
}

static void set_cell(struct machine_state *s, enum mode mode, bool masked)
{
    s->mode = mode;
    s->masked = masked;
    s->known |= KNOWN_MODE | KNOWN_MASKED;
    if (mode == MODE_INTERRUPT)
        return;
    s->nesting = 0;
    s->known |= KNOWN_NESTING;
}

/* An exit leads to a cell; in user mode there is no call. */
static void return_to(struct machine_state *s, unsigned cell)
{
    if (cell >= 2 * MODES)
        return;
    set_cell(s, (enum mode)(cell / 2), cell & 1);
    if (s->mode != MODE_USER)
        return;
    s->call = CALL_NONE;
    s->known |= KNOWN_CALL;
}

static void begin_call(struct machine_state *s, enum mode mode, uint64_t number)
{
    set_cell(s, mode, false);
    s->call = number <= INT32_MAX ? (int32_t)number : CALL_NONE;
    s->known |= KNOWN_CALL;
}

static void end_call(struct machine_state *s, uint64_t argument)
{
    s->call = CALL_NONE;
    s->known |= KNOWN_CALL;
    return_to(s, trace_cell(argument));
}

static void enter_interrupt(struct machine_state *s)
{
    s->nesting++;
    set_cell(s, MODE_INTERRUPT, true);
}

/* A nested one returns to the handler that it interrupted. */
static void leave_interrupt(struct machine_state *s, uint64_t argument)
{
    if (s->nesting)
        s->nesting--;
    return_to(s, trace_cell(argument));
}

static void note_user(struct machine_state *s, uint64_t argument)
{
    s->user = argument;
    s->known |= KNOWN_USER;
}

/* A task ends in kernel mode with interrupts off; another one may end it while it does not run. */
static void end_task(struct machine_state *s, uint64_t task)
{
    if (s->known & KNOWN_TASK && task == s->task)
        set_cell(s, MODE_KERNEL, true);
}

void machine_state_apply(struct machine_state *s, unsigned class, uint64_t argument)
{
    switch (class) {
    case TRACE_SWITCH:
    case TRACE_CONTINUE: set_cell(s, MODE_KERNEL, true); break;
    case TRACE_RESUME: return_to(s, trace_cell(argument)); break;
    case TRACE_IRQ_ENTER: enter_interrupt(s); break;
    case TRACE_IRQ_EXIT: leave_interrupt(s, argument); break;
    case TRACE_SYSCALL_ENTER: begin_call(s, MODE_KERNEL, argument); break;
    case TRACE_SERVICE_ENTER: begin_call(s, MODE_SUPERVISOR, argument); break;
    case TRACE_SYSCALL_EXIT:
    case TRACE_SERVICE_EXIT: end_call(s, argument); break;
    case TRACE_FAULT: set_cell(s, MODE_KERNEL, true); break;
    case TRACE_END: end_task(s, argument); break;
    case TRACE_MASK:
    case TRACE_UNMASK:
        s->masked = class == TRACE_MASK;
        s->known |= KNOWN_MASKED;
        break;
    case TRACE_TICK_ENTER: s->monitor = true; break;
    case TRACE_TICK_EXIT: s->monitor = false; break;
    case TRACE_USER: note_user(s, argument); break;
    default: break;
    }
}

/* States as values of the properties that a tree looks at. */

#define USER_EVENT_BITS 8 /* the low byte of a user event's argument is its number (probe/trace/event_class.h) */

unsigned class_state_needs(const struct class_tree *tree)
{
    static const unsigned known_of[CLASS_FIELDS] = {
        [CLASS_FIELD_MODE] = KNOWN_MODE, [CLASS_FIELD_MASKED] = KNOWN_MASKED, [CLASS_FIELD_TASK] = KNOWN_TASK,
        [CLASS_FIELD_NEST] = KNOWN_NESTING, [CLASS_FIELD_CALL] = KNOWN_CALL, [CLASS_FIELD_EVENT] = KNOWN_USER,
    };
    static const unsigned attribute[] = {
        [CLASS_ATTRIBUTE_TASK] = KNOWN_TASK, [CLASS_ATTRIBUTE_NUMBER] = KNOWN_CALL,
        [CLASS_ATTRIBUTE_VALUE] = KNOWN_USER,
    };
    unsigned needs = 0;

    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        if (class_tree_asks(tree, (enum class_field)f))
            needs |= known_of[f];
    for (unsigned i = 0; i < tree->leaves; i++)
        needs |= attribute[tree->leaf[i].attribute];
    return needs;
}

static uint64_t open_number(const struct class_tree *t, enum class_field field, uint32_t number)
{
    return class_tree_open(t, field, class_tree_number(t, field, number));
}

static uint32_t call_of(const struct machine_state *s)
{
    return !s->monitor && s->call != CALL_NONE ? (uint32_t)s->call : CLASS_NONE;
}

static uint32_t user_event_of(const struct machine_state *s)
{
    return !s->monitor && s->known & KNOWN_USER ? (uint32_t)(s->user & ((1u << USER_EVENT_BITS) - 1)) : CLASS_NONE;
}

uint64_t class_state_open(const struct class_tree *t, const struct machine_state *s, unsigned task)
{
    return class_tree_open(t, CLASS_FIELD_MODE, s->monitor ? CLASS_MONITOR : (unsigned)s->mode) &
           class_tree_open(t, CLASS_FIELD_MASKED, s->monitor || s->masked) &
           class_tree_open(t, CLASS_FIELD_TASK, s->monitor ? 0 : task) &
           open_number(t, CLASS_FIELD_NEST, s->monitor ? 0 : s->nesting) &
           open_number(t, CLASS_FIELD_CALL, call_of(s)) & open_number(t, CLASS_FIELD_EVENT, user_event_of(s));
}

uint64_t class_state_attribute(const struct class_leaf *leaf, const struct machine_state *s)
{
    switch (leaf->attribute) {
    case CLASS_ATTRIBUTE_TASK: return s->monitor ? 0 : trace_task_row(s->task);
    case CLASS_ATTRIBUTE_NUMBER: return s->call == CALL_NONE ? CLASS_NONE : (uint64_t)s->call;
    case CLASS_ATTRIBUTE_VALUE: return s->known & KNOWN_USER ? s->user >> USER_EVENT_BITS : 0;
    default: return 0;
    }
}
