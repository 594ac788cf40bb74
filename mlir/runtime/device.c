/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The choice of a device by the program.
 */
#include <astride/mlir.h>

#include "mlir/runtime/context.h"

void mgpuSetDefaultDevice(int32_t device)
{
    (void)astride__mlir_device_select(__func__, device);
}
