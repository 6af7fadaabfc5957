/* SPDX-License-Identifier: MIT */
/* Tells cpuprobe of the tasks of FreeRTOS: who runs, by trace macros, and who is called what. */
#include "FreeRTOS.h"
#include "task.h"

enum { TASKS = 32, POLL_MS = 20, STACK = 4096 };

static uint64_t memory[CPUPROBE_SIZE / 8], account[CPUPROBE_ACCOUNT_SIZE(TASKS) / 8],
                intervals[CPUPROBE_INTERVALS_SIZE(128) / 8];
static struct cpuprobe *probe;
static void (*run_ended)(const char *why);
static TaskHandle_t task_of[TASKS]; /* by id; 0: those that found no place, all in one row */
static volatile uint32_t running;
static bool in_tick;

/* Traced in critical sections, or before the scheduler begins. */
void cpuprobe_freertos_created(struct tskTaskControlBlock *task)
{
    UBaseType_t id = TASKS - 1;

    while (id > 0 && task_of[id] != NULL)
        id--;
    if (id > 0)
        task_of[id] = task;
    vTaskSetTaskNumber(task, id);
}

static void turn_to(uint32_t id)
{
    running = id;
    (void)cpuprobe_now(probe, id, CPUPROBE_KERNEL, in_tick);
    cpuprobe_switch(probe, id);
}

/* A task that deletes itself runs for some instructions more: IDLE's, because its id has ended. */
void cpuprobe_freertos_deleted(struct tskTaskControlBlock *task)
{
    const UBaseType_t id = uxTaskGetTaskNumber(task);

    if (task == xTaskGetCurrentTaskHandle())
        turn_to(CPUPROBE_IDLE);
    if (id > 0) {
        task_of[id] = NULL;
        cpuprobe_ended(probe, (uint32_t)id);
    }
}

void cpuprobe_freertos_switched(void)
{
    const TaskHandle_t task = xTaskGetCurrentTaskHandle();

    turn_to(task == xTaskGetIdleTaskHandle() ? CPUPROBE_IDLE : (uint32_t)uxTaskGetTaskNumber(task));
}

void cpuprobe_freertos_tick(uintptr_t pc)
{
    cpuprobe_tick(probe, pc, running, CPUPROBE_KERNEL);
    in_tick = true;
    cpuprobe_masked(probe, true);
}

void cpuprobe_freertos_tick_ends(void)
{
    in_tick = false;
    cpuprobe_masked(probe, false);
}

/* Asked by the task below: while it runs no other one frees a name. */
static const char *name_of(uint32_t id)
{
    return id < TASKS && task_of[id] != NULL ? pcTaskGetName(task_of[id]) : NULL;
}

static void run(void *unused)
{
    const char *const why = cpuprobe_begin(probe);

    (void)unused;
    while (why == NULL && cpuprobe_poll(probe))
        vTaskDelay(pdMS_TO_TICKS(POLL_MS));
    run_ended(why);
    for (;;)
        vTaskDelay(portMAX_DELAY);
}

const char *cpuprobe_freertos_start(const struct cpuprobe_port *board, const struct cpuprobe_options *wanted,
                                    void (*ended)(const char *why))
{
    struct cpuprobe_port port = *board;
    struct cpuprobe_options options = *wanted;
    const char *why;

    run_ended = ended;
    port.name = "FreeRTOS";
    port.name_of = name_of;
    options.account = account;
    options.account_size = sizeof account;
    options.intervals = intervals;
    options.intervals_size = sizeof intervals;
    probe = cpuprobe_init(memory, sizeof memory, &port, &options, &why);
    if (probe == NULL)
        return why;
    return xTaskCreate(run, "cpuprobe", STACK / sizeof(StackType_t), NULL, configMAX_PRIORITIES - 1, NULL) == pdPASS
               ? NULL : "no memory for the task";
}

void cpuprobe_freertos_load(void *part)
{
    for (;;) {
        cpuprobe_selftest(probe, (enum cpuprobe_part)(uintptr_t)part,
                          (uint32_t)uxTaskGetTaskNumber(xTaskGetCurrentTaskHandle()), CPUPROBE_KERNEL);
        vTaskDelay(pdMS_TO_TICKS(5));
    }
}
