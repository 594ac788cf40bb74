// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two entry points of the shared object: mlir-opt finds one for -load-dialect-plugin, the other
// for -load-pass-plugin. One file serves one major version of LLVM and its name says which.

#include "conversion.h"
#include "pass.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#define ASTRIDE_EXPORT extern "C" __attribute__((visibility("default")))

ASTRIDE_EXPORT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo()
{
    return {MLIR_PLUGIN_API_VERSION, "astride", ASTRIDE_VERSION,
            [](mlir::DialectRegistry *registry) { astride::registerDialect(*registry); }};
}

ASTRIDE_EXPORT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo()
{
    return {MLIR_PLUGIN_API_VERSION, "astride", ASTRIDE_VERSION, [] { astride::registerPass(); }};
}
