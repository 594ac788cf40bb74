/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What follows "cuda:" in a spec: UUIDs and their beginnings, PCI addresses, parts of names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"

static const astride__cuda_place places[] = {
    {.name = "NVIDIA H200",
     .uuid = "1b7e4f2a-0000-1111-2222-333344445555",
     .pci_domain = 0,
     .pci_bus = 0x01,
     .pci_device = 0},
    {.name = "NVIDIA H200",
     .uuid = "1b7e9f2a-0000-1111-2222-333344445556",
     .pci_domain = 0,
     .pci_bus = 0xc1,
     .pci_device = 0x1f},
    {.name = "NVIDIA RTX A4000", .uuid = "", .pci_domain = 0x10000, .pci_bus = 0x01},
};
#define PLACE_COUNT ((int32_t)(sizeof(places) / sizeof(places[0])))

static void find(const char *rest, int32_t expected)
{
    const int32_t found = astride__cuda_spec_find(places, PLACE_COUNT, rest);
    if (found != expected)
        fail_msg("\"%s\" is device %d, not %d", rest, (int)found, (int)expected);
}

static void uuid_finds_its_device(void **state)
{
    (void)state;
    find("GPU-1b7e4f2a-0000-1111-2222-333344445555", 0);
    find("GPU-1b7e9f2a-0000-1111-2222-333344445556", 1);
    find("gpu-1B7E9F2A-0000-1111-2222-333344445556", 1);
    find("MIG-1b7e9f2a-0000-1111-2222-333344445556", 1);
}

static void beginning_of_one_uuid_finds_it(void **state)
{
    (void)state;
    find("GPU-1b7e4", 0);
    find("GPU-1b7e9f2a", 1);
}

static void beginning_of_several_uuids_finds_none(void **state)
{
    (void)state;
    find("GPU-1b7e", -1);
    find("GPU-", -1);
}

static void unknown_or_longer_uuid_finds_none(void **state)
{
    (void)state;
    find("GPU-2", -1);
    find("GPU-1b7e4f2a-0000-1111-2222-3333444455550", -1);
}

static void pci_address_finds_its_device(void **state)
{
    (void)state;
    find("0000:01:00.0", 0);
    find("00000000:01:00.0", 0);
    find("01:00.0", 0);
    find("01:00", 0);
    find("1:0", 0);
    find("0000:c1:1f.0", 1);
    find("C1:1F", 1);
    find("10000:01:00.0", 2);
}

static void address_without_a_device_finds_none(void **state)
{
    (void)state;
    find("02:00.0", -1);
    find("0001:01:00.0", -1);
    find("01:00.1", -1);
}

static void malformed_address_finds_none(void **state)
{
    (void)state;
    find("01:00.", -1);
    find("01:", -1);
    find(":01:00", -1);
    find("0:0:01:00", -1);
    find("000000000:01:00.0", -1);
    find("01:00.0x", -1);
}

static void part_of_a_name_finds_the_first_device(void **state)
{
    (void)state;
    find("H200", 0);
    find("h200", 0);
    find("RTX A4000", 2);
    find("nvidia", 0);
    find("Radeon", -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uuid_finds_its_device),
        cmocka_unit_test(beginning_of_one_uuid_finds_it),
        cmocka_unit_test(beginning_of_several_uuids_finds_none),
        cmocka_unit_test(unknown_or_longer_uuid_finds_none),
        cmocka_unit_test(pci_address_finds_its_device),
        cmocka_unit_test(address_without_a_device_finds_none),
        cmocka_unit_test(malformed_address_finds_none),
        cmocka_unit_test(part_of_a_name_finds_the_first_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
