/* SPDX-License-Identifier: MIT */
/*
 * Uses cpuprobe in an application of FreeRTOS on QEMU's board virt: the one timer is the source, and the kernel's own
 * tick is made by it.  Three tasks work and sleep, a parent makes a child each 20 ms; or it runs the known load.
 */
#include "FreeRTOS.h"
#include "task.h"
#include "tests/port/machine.h"

#define PERIOD (TIMER_HZ / configTICK_RATE_HZ)
#define SPIN(n) for (volatile uint32_t i = 0; i < (n); i++) continue

enum { LOAD = 11 }; /* CASE, as in kernel.c */
enum { SECONDS = 4 };

static bool armed; /* by cpuprobe; else only the kernel's tick is due */
static uint64_t next;

TASK void task_one(void) { SPIN(10000u); }
TASK void task_three(void) { SPIN(30000u); }
TASK void task_child(void) { SPIN(10000u); }

/* ---- the board ---- */

static void arm(uint32_t counts)
{
    armed = true;
    timer_arm(counts);
}

static bool write_uart(const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        uart_put(((const char *)bytes)[i]);
    return true;
}

static const struct cpuprobe_port board = {
    .build = BUILD, .clock = clock_read, .clock_hz = CLOCK_HZ, .source = TIMER, .source_hz = TIMER_HZ,
    .longest = TIMER_MAX, .arm = arm, .shared = true, .wait = halt, .write = write_uart, .lock = interrupts_off,
    .unlock = interrupts_restore,
};

/* Called by the port of RISC-V: the timer interrupts, and no other device does. */
void freertos_risc_v_application_interrupt_handler(void)
{
    bool turn = false;
    uintptr_t pc;

    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    timer_end();
    armed = false;
    cpuprobe_freertos_tick(pc);
    if (!armed)
        timer_arm(PERIOD);
    for (; clock_read() >= next; next += PERIOD)
        turn |= xTaskIncrementTick() != pdFALSE;
    if (turn)
        vTaskSwitchContext();
    cpuprobe_freertos_tick_ends();
}

void vPortSetupTimerInterrupt(void)
{
    next = clock_read() + PERIOD;
    machine_begin(0, false);
    timer_arm(PERIOD);
}

void vApplicationIdleHook(void)
{
    __asm__ volatile("wfi");
}

/* ---- the application ---- */

static void one(void *unused)
{
    for ((void)unused;; vTaskDelay(pdMS_TO_TICKS(8)))
        task_one();
}

static void three(void *unused)
{
    for ((void)unused;; vTaskDelay(pdMS_TO_TICKS(15)))
        task_three();
}

static void child(void *unused)
{
    (void)unused;
    task_child();
    vTaskDelete(NULL);
}

static void begin(TaskFunction_t task, const char *name, uintptr_t argument)
{
    (void)xTaskCreate(task, name, configMINIMAL_STACK_SIZE, (void *)argument, 1, NULL);
}

static void parent(void *unused)
{
    for ((void)unused;; vTaskDelay(pdMS_TO_TICKS(20)))
        begin(child, "child", 0);
}

static void ended(const char *why)
{
    while (why != NULL && *why != '\0')
        uart_put(*why++);
    power_off();
}

void kernel_main(void)
{
    const struct cpuprobe_options options = {
        .rate = 1000, .seconds = CASE == LOAD ? 2 * SECONDS : SECONDS, .seed = 7,
    };
    const char *const why = cpuprobe_freertos_start(&board, &options, ended);

    if (why != NULL)
        ended(why);
    if (CASE == LOAD) {
        begin(cpuprobe_freertos_load, "two", CPUPROBE_TWO);
        begin(cpuprobe_freertos_load, "one", CPUPROBE_ONE);
        begin(cpuprobe_freertos_load, "off", CPUPROBE_OFF);
    } else {
        begin(one, "one", 0);
        begin(three, "three", 0);
        begin(parent, "parent", 0);
    }
    vTaskStartScheduler();
}
