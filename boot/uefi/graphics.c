/* SPDX-License-Identifier: MIT */
/* The framebuffer of UEFI's graphics output protocol.  UEFI specification 2.10, 12.9. */
#include "boot/uefi/graphics.h"

#include <efilib.h>

#define PIXEL_BYTES 4u

static struct framebuffer_colour colour_of(UINT32 mask)
{
    struct framebuffer_colour c = { 0, 0 };

    while (mask != 0 && !(mask >> c.shift & 1))
        c.shift++;
    while (c.shift + c.bits < 32 && mask >> (c.shift + c.bits) & 1)
        c.bits++;
    return c;
}

/* FALSE: the pixels are in no memory that can be written. */
static BOOLEAN take_format(const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *mode, struct framebuffer_layout *to)
{
    static const struct framebuffer_colour low = { 0, 8 }, middle = { 8, 8 }, high = { 16, 8 };

    to->green = middle;
    switch (mode->PixelFormat) {
    case PixelRedGreenBlueReserved8BitPerColor:
        to->red = low;
        to->blue = high;
        return TRUE;
    case PixelBlueGreenRedReserved8BitPerColor:
        to->red = high;
        to->blue = low;
        return TRUE;
    case PixelBitMask:
        to->red = colour_of(mode->PixelInformation.RedMask);
        to->green = colour_of(mode->PixelInformation.GreenMask);
        to->blue = colour_of(mode->PixelInformation.BlueMask);
        return TRUE;
    default:
        return FALSE;
    }
}

void graphics_find(EFI_BOOT_SERVICES *bs, struct framebuffer_layout *to)
{
    EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;
    const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *mode;
    struct framebuffer_layout found = { 0 };

    if (bs->LocateProtocol(&GraphicsOutputProtocol, NULL, (void **)&gop) != EFI_SUCCESS || gop->Mode == NULL ||
        gop->Mode->Info == NULL)
        return;
    mode = gop->Mode->Info;
    if (!take_format(mode, &found))
        return;
    found.base = gop->Mode->FrameBufferBase;
    found.bytes = gop->Mode->FrameBufferSize;
    found.width = mode->HorizontalResolution;
    found.height = mode->VerticalResolution;
    found.pitch = mode->PixelsPerScanLine * PIXEL_BYTES;
    found.bits = 8 * PIXEL_BYTES;
    *to = found;
}
