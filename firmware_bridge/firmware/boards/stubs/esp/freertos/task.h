/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_FREERTOS_TASK_H
#define BL_STUB_FREERTOS_TASK_H

#include "freertos/FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;
void vTaskDelay(const TickType_t ticks);

#endif
