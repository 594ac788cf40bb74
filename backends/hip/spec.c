/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What follows "hip:" in a spec that is no number: a unique number as the vendor's tools print it
 * ("GPU-5f1c2e3b...", any beginning that fits one device only), a PCI address
 * ("0000:01:00.0", "01:00.0", "01:00"), or a part of the device's name.
 */
#include "hip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct pci_address {
    uint32_t domain, bus, device;
} pci_address;

/* Reads one to eight hexadecimal digits up to `end`; false when it is something else. */
static bool read_hex(const char **text, const char *ends, uint32_t *number_out)
{
    const size_t digits = strspn(*text, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 8 || strchr(ends, (*text)[digits]) == NULL)
        return false;
    *number_out = (uint32_t)strtoul(*text, NULL, 16);
    *text += digits;
    return true;
}

/* Reads "[DOMAIN:]BUS:DEVICE[.FUNCTION]", in hexadecimal digits. */
static bool read_pci_address(const char *text, pci_address *address_out)
{
    uint32_t numbers[3], function = 0;
    int count = 0;
    do {
        if (count > 0)
            text++; /* the colon */
        if (count == 3 || !read_hex(&text, count == 0 ? ":" : ":.", &numbers[count]))
            return false;
        count++;
    } while (*text == ':');
    if (count < 2)
        return false;
    if (*text == '.') {
        text++;
        if (!read_hex(&text, "", &function) || function != 0)
            return false;
    }
    *address_out =
        (pci_address){count == 3 ? numbers[0] : 0, numbers[count - 2], numbers[count - 1]};
    return *text == '\0';
}

/* The only device whose UUID begins so; -1 for none or several. */
static int32_t find_uuid(const astride__hip_place *places, int32_t count, const char *beginning)
{
    int32_t found = -1;
    for (int32_t i = 0; i < count; i++) {
        if (places[i].uuid[0] == '\0' ||
            strncasecmp(places[i].uuid, beginning, strlen(beginning)) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

int32_t astride__hip_spec_find(const astride__hip_place *places, int32_t count, const char *rest)
{
    pci_address address;
    if (strncasecmp(rest, "GPU-", 4) == 0)
        return rest[4] != '\0' ? find_uuid(places, count, rest + 4) : -1;
    if (read_pci_address(rest, &address)) {
        for (int32_t i = 0; i < count; i++) {
            if (places[i].pci_domain == address.domain && places[i].pci_bus == address.bus &&
                places[i].pci_device == address.device)
                return i;
        }
        return -1;
    }
    for (int32_t i = 0; i < count; i++) {
        if (strcasestr(places[i].name, rest) != NULL)
            return i;
    }
    return -1;
}
