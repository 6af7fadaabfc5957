/* SPDX-License-Identifier: MIT */
/* What the files of build/uncured.elf count together (tests/qemu/uncured.h). */
#include <stdint.h>

uint32_t uncured_pit_writes, uncured_hpet_arms, uncured_lapic_arms, uncured_rtc_arms, uncured_com2_bytes;
uint8_t uncured_rtc_register;
