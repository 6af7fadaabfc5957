/* SPDX-License-Identifier: MIT */
/* The pair of 8259A interrupt controllers.  Intel 8259A data sheet, 231468. */
#include "drivers/pic.h"

#define SLAVE_COMMAND  0xa0
#define SLAVE_DATA     0xa1

#define ICW1_INIT_ICW4   0x11
#define ICW3_MASTER_IRQ2 0x04
#define ICW3_SLAVE_ID2   0x02
#define ICW4_8086        0x01
#define ICW4_AUTOMATIC   0x02
#define OCW3_READ_IRR    0x0a
#define OCW3_READ_ISR    0x0b
#define CASCADE          2
#define LINES            8 /* per chip */
#define ALL_LINES        0xff

void pic_mask_all(void)
{
    outb(PIC_MASTER_MASK, 0xff);
    outb(SLAVE_DATA, 0xff);
}

bool pic_automatic; /* legend in pic.h */

void pic_init(bool automatic)
{
    pic_automatic = automatic;
    outb(PIC_MASTER_COMMAND, ICW1_INIT_ICW4);
    outb(SLAVE_COMMAND, ICW1_INIT_ICW4);
    outb(PIC_MASTER_MASK, PIC_MASTER_VECTOR);
    outb(SLAVE_DATA, PIC_SLAVE_VECTOR);
    outb(PIC_MASTER_MASK, ICW3_MASTER_IRQ2);
    outb(SLAVE_DATA, ICW3_SLAVE_ID2);
    outb(PIC_MASTER_MASK, automatic ? ICW4_8086 | ICW4_AUTOMATIC : ICW4_8086);
    outb(SLAVE_DATA, ICW4_8086);
    pic_mask_all();
}

void pic_unmask(unsigned irq)
{
    if (irq >= LINES) {
        outb(SLAVE_DATA, inb(SLAVE_DATA) & (uint8_t)~(1u << (irq - LINES)));
        irq = CASCADE;
    }
    outb(PIC_MASTER_MASK, inb(PIC_MASTER_MASK) & (uint8_t)~(1u << irq));
}

void pic_mask(unsigned irq)
{
    const uint16_t port = irq >= LINES ? SLAVE_DATA : PIC_MASTER_MASK;

    outb(port, inb(port) | (uint8_t)(1u << irq % LINES));
    if (irq >= LINES && inb(SLAVE_DATA) == ALL_LINES) /* QEMU has a comparator of the HPET at the cascade's line */
        outb(PIC_MASTER_MASK, inb(PIC_MASTER_MASK) | 1u << CASCADE);
}

void pic_eoi(unsigned irq)
{
    if (irq >= LINES) {
        outb(SLAVE_COMMAND, (uint8_t)(PIC_EOI | (irq - LINES)));
        irq = CASCADE;
    }
    pic_eoi_master(irq);
}

static bool read_bit(unsigned irq, uint8_t which)
{
    const uint16_t port = irq >= LINES ? SLAVE_COMMAND : PIC_MASTER_COMMAND;

    outb(port, which);
    return inb(port) >> (irq % LINES) & 1;
}

bool pic_is_requested(unsigned irq)
{
    return read_bit(irq, OCW3_READ_IRR);
}

bool pic_in_service(unsigned irq)
{
    return read_bit(irq, OCW3_READ_ISR);
}
