/* SPDX-License-Identifier: MIT */
/*
 * Stands in for the kernel of FreeRTOS: tasks of fixed priority, those of equal priority in turn, preempted by the
 * tick.  Its hooks are where the real kernel has them.
 */
#include "task.h"
#include "tests/port/machine.h"

#define STACK 4096u

enum { TASKS = 8 };
enum state { FREE, READY, ASLEEP };

struct tskTaskControlBlock {
    uintptr_t *sp; /* where it left off, of switch_stacks() */
    enum state state;
    UBaseType_t priority, number;
    TickType_t until;
    char name[configMAX_TASK_NAME_LEN];
    _Alignas(16) uintptr_t stack[STACK / sizeof(uintptr_t)];
};

/* What switch_stacks() finds on a stack. */
struct frame {
    uintptr_t ra, mepc, mstatus, s[12], pad;
};

void switch_stacks(uintptr_t **from, uintptr_t *to);
void begin_task(void); /* calls s[0] with s[1], interrupts on */
void timer_interrupt(uintptr_t pc);
void freertos_risc_v_application_interrupt_handler(void);
void vApplicationIdleHook(void);
void vPortSetupTimerInterrupt(void);

static struct tskTaskControlBlock tasks[TASKS], *current = tasks, *idle;
static TickType_t now;

/* ---- what the linker would else take from a library ---- */

void *memset(void *to, int byte, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    for (size_t i = bytes; (uintptr_t)to > (uintptr_t)from && i > 0; i--)
        ((volatile char *)to)[i - 1] = ((const char *)from)[i - 1];
    return (uintptr_t)to > (uintptr_t)from ? to : memcpy(to, from, bytes);
}

/* ---- who runs ---- */

void vTaskSwitchContext(void)
{
    struct tskTaskControlBlock *best = NULL, *t;

    for (size_t i = 1; i <= TASKS; i++) {
        t = &tasks[((size_t)(current - tasks) + i) % TASKS];
        if (t->state == READY && (best == NULL || t->priority > best->priority))
            best = t;
    }
    current = best;
    traceTASK_SWITCHED_IN();
}

BaseType_t xTaskIncrementTick(void)
{
    BaseType_t turn = pdFALSE;

    now++;
    for (struct tskTaskControlBlock *t = tasks; t < tasks + TASKS; t++) {
        if (t->state == ASLEEP && now >= t->until)
            t->state = READY;
        if (t->state == READY && t != current && t->priority >= current->priority)
            turn = pdTRUE;
    }
    return turn;
}

/* Interrupts are off. */
static void yield(void)
{
    struct tskTaskControlBlock *const from = current;

    vTaskSwitchContext();
    if (current != from)
        switch_stacks(&from->sp, current->sp);
}

/* From the stub, on the stack of the task, interrupts off. */
void timer_interrupt(uintptr_t pc)
{
    struct tskTaskControlBlock *const from = current;

    (void)pc;
    freertos_risc_v_application_interrupt_handler();
    if (current != from)
        switch_stacks(&from->sp, current->sp);
}

/* ---- tasks ---- */

static struct tskTaskControlBlock *find_free(void)
{
    for (struct tskTaskControlBlock *t = tasks; t < tasks + TASKS; t++)
        if (t->state == FREE)
            return t;
    return NULL;
}

static void lay_down(struct tskTaskControlBlock *t, TaskFunction_t code, void *argument)
{
    struct frame *const frame = (struct frame *)(t->stack + STACK / sizeof(uintptr_t)) - 1;

    *frame = (struct frame){ .ra = (uintptr_t)begin_task, .mstatus = 0x1880,
                             .s = { (uintptr_t)code, (uintptr_t)argument } };
    t->sp = (uintptr_t *)frame;
}

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, size_t stack, void *argument, UBaseType_t priority,
                       TaskHandle_t *made)
{
    const uintptr_t was = interrupts_off();
    struct tskTaskControlBlock *const t = stack * sizeof(StackType_t) <= STACK ? find_free() : NULL;

    if (t != NULL) {
        for (size_t i = 0; i + 1 < sizeof t->name && (t->name[i] = name[i]) != '\0'; i++)
            continue;
        t->priority = priority;
        lay_down(t, code, argument);
        t->state = READY;
        traceTASK_CREATE(t);
    }
    if (made != NULL)
        *made = t;
    interrupts_restore(was);
    return t != NULL ? pdPASS : pdFAIL;
}

/* Nobody else makes a task on this stack before it is left. */
void vTaskDelete(TaskHandle_t task)
{
    const uintptr_t was = interrupts_off();
    struct tskTaskControlBlock *const t = task != NULL ? task : current;

    t->state = FREE;
    traceTASK_DELETE(t);
    if (t == current)
        yield();
    interrupts_restore(was);
}

void vTaskDelay(TickType_t ticks)
{
    const uintptr_t was = interrupts_off();

    current->until = now + ticks;
    current->state = ticks > 0 ? ASLEEP : READY;
    yield();
    interrupts_restore(was);
}

static void run_idle(void *unused)
{
    for ((void)unused;;)
        vApplicationIdleHook();
}

void vTaskStartScheduler(void)
{
    static uintptr_t *boot;

    interrupts_off();
    (void)xTaskCreate(run_idle, "IDLE", configMINIMAL_STACK_SIZE, NULL, 0, &idle);
    vTaskSwitchContext();
    vPortSetupTimerInterrupt();
    switch_stacks(&boot, current->sp);
}

char *pcTaskGetName(TaskHandle_t task)
{
    return (task != NULL ? task : current)->name;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
    return current;
}

TaskHandle_t xTaskGetIdleTaskHandle(void)
{
    return idle;
}

UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task)
{
    return task->number;
}

void vTaskSetTaskNumber(TaskHandle_t task, const UBaseType_t number)
{
    task->number = number;
}
