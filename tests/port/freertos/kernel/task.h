/* SPDX-License-Identifier: MIT */
/* Declares the calls of FreeRTOS that the example uses; tasks.c makes them. */
#pragma once

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, size_t stack, void *argument, UBaseType_t priority,
                       TaskHandle_t *made);
void vTaskDelete(TaskHandle_t task);
void vTaskDelay(TickType_t ticks);
void vTaskStartScheduler(void);
char *pcTaskGetName(TaskHandle_t task);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetIdleTaskHandle(void);
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task);
void vTaskSetTaskNumber(TaskHandle_t task, const UBaseType_t number);

/* For the interrupt of the timer. */
BaseType_t xTaskIncrementTick(void);
void vTaskSwitchContext(void);
