/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What follows "hip:" in a spec: unique numbers and their beginnings, PCI addresses, parts of
 * names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/hip/hip.h"

static const astride__hip_place places[] = {
    {.name = "AMD Instinct MI250X",
     .uuid = "5f1c2e3b4d5a6901",
     .pci_domain = 0,
     .pci_bus = 0x83,
     .pci_device = 0},
    {.name = "AMD Instinct MI250X",
     .uuid = "5f1c9e3b4d5a6902",
     .pci_domain = 0,
     .pci_bus = 0xc1,
     .pci_device = 0x1f},
    {.name = "AMD Radeon Pro W6800", .uuid = "", .pci_domain = 0x10000, .pci_bus = 0x83},
};
#define PLACE_COUNT ((int32_t)(sizeof(places) / sizeof(places[0])))

static void find(const char *rest, int32_t expected)
{
    const int32_t found = astride__hip_spec_find(places, PLACE_COUNT, rest);
    if (found != expected)
        fail_msg("\"%s\" is device %d, not %d", rest, (int)found, (int)expected);
}

static void unique_number_finds_its_device(void **state)
{
    (void)state;
    find("GPU-5f1c2e3b4d5a6901", 0);
    find("GPU-5f1c9e3b4d5a6902", 1);
    find("gpu-5F1C9E3B4D5A6902", 1);
    find("GPU-5f1c2", 0);
    find("GPU-5f1c9e3b", 1);
}

static void number_of_none_or_several_finds_none(void **state)
{
    (void)state;
    find("GPU-5f1c", -1);
    find("GPU-", -1);
    find("GPU-6", -1);
    find("GPU-5f1c2e3b4d5a69010", -1);
}

static void pci_address_finds_its_device(void **state)
{
    (void)state;
    find("0000:83:00.0", 0);
    find("00000000:83:00.0", 0);
    find("83:00.0", 0);
    find("83:0", 0);
    find("0000:c1:1f.0", 1);
    find("C1:1F", 1);
    find("10000:83:00.0", 2);
}

static void other_addresses_find_none(void **state)
{
    (void)state;
    find("02:00.0", -1);
    find("0001:83:00.0", -1);
    find("83:00.1", -1);
    find("83:00.", -1);
    find("83:", -1);
    find(":83:00", -1);
    find("0:0:83:00", -1);
    find("000000000:83:00.0", -1);
    find("83:00.0x", -1);
}

static void part_of_a_name_finds_the_first_device(void **state)
{
    (void)state;
    find("MI250", 0);
    find("mi250x", 0);
    find("Radeon Pro", 2);
    find("amd", 0);
    find("H200", -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unique_number_finds_its_device),
        cmocka_unit_test(number_of_none_or_several_finds_none),
        cmocka_unit_test(pci_address_finds_its_device),
        cmocka_unit_test(other_addresses_find_none),
        cmocka_unit_test(part_of_a_name_finds_the_first_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
