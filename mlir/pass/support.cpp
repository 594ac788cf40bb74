// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operations the plugin takes, leaves or refuses; see support.h. Nothing here changes the
// program.

#include "support.h"

#include "compat.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace astride
{
namespace
{

/// Bits of one element as the type states them; nothing for a type that states none (index,
/// a memref, types of other dialects), whose size is that of its form in LLVM.
std::optional<uint64_t> statedBits(Type type)
{
    if (type.isIntOrFloat())
        return type.getIntOrFloatBitWidth();
    if (auto complex = dyn_cast<ComplexType>(type))
        return statedBits(complex.getElementType());
    if (auto vector = dyn_cast<VectorType>(type)) {
        std::optional<uint64_t> bits = statedBits(vector.getElementType());
        if (bits)
            *bits *= static_cast<uint64_t>(vector.getNumElements());
        return bits;
    }
    return std::nullopt;
}

using Reason = std::optional<std::string>;

/// What is streamed, as one string.
template <typename... Parts> std::string sentence(const Parts &...parts)
{
    std::string text;
    llvm::raw_string_ostream stream(text);
    (stream << ... << parts);
    return text;
}

/// MLIR's own lowering copies elements of any number of bits, each in bytes of its own.
template <typename Op>
Reason memrefReason(Op op, StringRef side, MemRefType type, const LLVMTypeConverter &converter)
{
    Type element = type.getElementType();
    std::optional<uint64_t> bits = statedBits(element);
    if (bits && (*bits == 0 || *bits % 8 != 0) && !upstreamLowers(op))
        return sentence("cannot be done by bytes: the ", side, "'s element type '", element,
                        "' is not a whole number of bytes");

    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (failed(stridesAndOffset(type, strides, offset)))
        return sentence("cannot be lowered: the ", side, "'s layout '", type.getLayout(),
                        "' is not of strided form");

    Type elementInLLVM = converter.convertType(element);
    if (!elementInLLVM || !LLVM::isCompatibleType(elementInLLVM))
        return sentence("cannot be lowered: the ", side, "'s element type '", element,
                        "' has no form in LLVM");
    if (failed(converter.getMemRefAddressSpace(type)) || !converter.convertType(type))
        return sentence("cannot be lowered: the ", side, "'s memory space '", type.getMemorySpace(),
                        "' has no number");
    return std::nullopt;
}

/// The run-time functions are called from the host.
Reason deviceReason(Operation *op)
{
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
        if (isa<gpu::GPUFuncOp, gpu::GPUModuleOp, gpu::LaunchOp>(parent))
            return sentence("is inside '", parent->getName(), "'; only the host can ask for it");
    }
    return std::nullopt;
}

bool hasOneDependency(gpu::AsyncOpInterface op)
{
    return op.getAsyncToken() && op.getAsyncDependencies().size() == 1;
}

} // namespace

bool upstreamLowers(gpu::AllocOp op)
{
    return op.getType().getLayout().isIdentity();
}

bool upstreamLowers(gpu::MemcpyOp op)
{
    return hasOneDependency(op) &&
           cast<MemRefType>(op.getDst().getType()).getLayout().isIdentity() &&
           cast<MemRefType>(op.getSrc().getType()).getLayout().isIdentity();
}

bool upstreamLowers(gpu::MemsetOp op)
{
    Type value = op.getValue().getType();
    return hasOneDependency(op) &&
           cast<MemRefType>(op.getDst().getType()).getLayout().isIdentity() &&
           value.isIntOrFloat() &&
           (value.getIntOrFloatBitWidth() == 16 || value.getIntOrFloatBitWidth() == 32);
}

Reason unsupportedReason(gpu::AllocOp op, const LLVMTypeConverter &converter)
{
    if (Reason reason = deviceReason(op))
        return reason;
    return memrefReason(op, "result", op.getType(), converter);
}

Reason unsupportedReason(gpu::MemcpyOp op, const LLVMTypeConverter &converter)
{
    if (Reason reason = deviceReason(op))
        return reason;
    if (Reason reason =
            memrefReason(op, "destination", cast<MemRefType>(op.getDst().getType()), converter))
        return reason;
    return memrefReason(op, "source", cast<MemRefType>(op.getSrc().getType()), converter);
}

Reason unsupportedReason(gpu::MemsetOp op, const LLVMTypeConverter &converter)
{
    if (Reason reason = deviceReason(op))
        return reason;
    return memrefReason(op, "destination", cast<MemRefType>(op.getDst().getType()), converter);
}

bool convertsTokens(const LLVMTypeConverter &converter, MLIRContext *context)
{
    return static_cast<bool>(converter.convertType(gpu::AsyncTokenType::get(context)));
}

void addMemorySpaceConversion(LLVMTypeConverter &converter)
{
    converter.addTypeAttributeConversion([&converter](BaseMemRefType, gpu::AddressSpaceAttr space)
                                             -> TypeConverter::AttributeConversionResult {
        MLIRContext *context = space.getContext();
        if (space.getValue() != gpu::AddressSpace::Global || !convertsTokens(converter, context))
            return TypeConverter::AttributeConversionResult::na();
        return IntegerAttr::get(IntegerType::get(context, 64), 0);
    });
}

} // namespace astride
