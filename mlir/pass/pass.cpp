// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass astride-gpu-copy. It rewrites the same operations to the same calls as conversion.cpp
// does, but ahead of the conversion: a memref is seen as its descriptor, and a token as its stream,
// through builtin.unrealized_conversion_cast, which gpu-to-llvm later makes the identity.

#include "pass.h"

#include "alloc.h"
#include "compat.h"
#include "conversion.h"
#include "dependencies.h"
#include "lower_copy.h"
#include "support.h"

#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace astride
{
namespace
{

class GpuCopyPass : public PassWrapper<GpuCopyPass, OperationPass<ModuleOp>>
{
  public:
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuCopyPass)

    GpuCopyPass() = default;
    GpuCopyPass(const GpuCopyPass &other) : PassWrapper(other) {}

    StringRef getArgument() const final
    {
        return "astride-gpu-copy";
    }

    StringRef getDescription() const final
    {
        return "Lower strided gpu.memcpy and gpu.memset to calls of the Astride run-time library";
    }

    void getDependentDialects(DialectRegistry &registry) const final
    {
        registry.insert<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                        memref::MemRefDialect>();
        /* A later gpu-to-llvm then has the rule for #gpu.address_space, without which it fails. */
        insertDialect(registry);
    }

    void runOnOperation() final;

  private:
    Option<unsigned> indexBitwidth{
        *this, "index-bitwidth",
        llvm::cl::desc("Bits of the index type in the conversions that follow"),
        llvm::cl::init(64)};
};

/// The state of one run.
class ModuleRewriter
{
  public:
    ModuleRewriter(ModuleOp module, const LLVMTypeConverter &converter)
        : module(module), converter(converter), rewriter(module.getContext())
    {
    }

    /// Every operation gets its diagnostic, so nothing stops at the first failure.
    LogicalResult run()
    {
        /* All dependencies come first: what reads a token must be known when it is replaced. */
        forEach<gpu::WaitOp>([&](gpu::WaitOp op) { (void)pruneDependencies(op, rewriter); });
        forEach<gpu::AllocOp>([&](gpu::AllocOp op) { join(op); });
        forEach<gpu::DeallocOp>([&](gpu::DeallocOp op) { join(op); });
        forEach<gpu::MemcpyOp>([&](gpu::MemcpyOp op) { join(op); });
        forEach<gpu::MemsetOp>([&](gpu::MemsetOp op) { join(op); });

        bool failedOnce = false;
        forEach<gpu::AllocOp>([&](gpu::AllocOp op) { failedOnce |= failed(lowerAlloc(op)); });
        forEach<gpu::MemcpyOp>(
            [&](gpu::MemcpyOp op) { failedOnce |= failed(lower(op, op.getDst(), op.getSrc())); });
        forEach<gpu::MemsetOp>(
            [&](gpu::MemsetOp op) { failedOnce |= failed(lower(op, op.getDst(), op.getValue())); });
        return failure(failedOnce);
    }

  private:
    /// Calls `action`, which may erase what it is given, on every operation of one kind.
    template <typename Op, typename Action> void forEach(Action action)
    {
        SmallVector<Op> found;
        module.walk([&](Op op) { found.push_back(op); });
        for (Op op : found) {
            rewriter.setInsertionPoint(op);
            action(op);
        }
    }

    template <typename Op> void join(Op op)
    {
        if (dependenciesNeedRewriting(op))
            rewriteDependencies(op, rewriter);
    }

    LogicalResult lowerAlloc(gpu::AllocOp op)
    {
        if (upstreamLowers(op))
            return success();
        if (std::optional<std::string> reason = unsupportedReason(op, converter))
            return op.emitOpError() << *reason;
        return flattenAlloc(op, rewriter);
    }

    template <typename Op> LogicalResult lower(Op op, Value destination, Value source)
    {
        if (std::optional<std::string> reason = unsupportedReason(op, converter))
            return op.emitOpError() << *reason;
        if (upstreamLowers(op))
            return success();
        CallOperands operands;
        operands.destination = asLLVM(destination);
        operands.source = asLLVM(source);
        Value token = op.getAsyncToken();
        if (!token) {
            if (failed(emitStridedCall(op, operands, converter, rewriter)))
                return failure();
            rewriter.eraseOp(op);
            return success();
        }
        Value dependency = op.getAsyncDependencies().front();
        if (dependency == token)
            return op.emitOpError() << "depends on its own token";
        operands.stream = cast(dependency, pointerType());
        if (failed(emitStridedCall(op, operands, converter, rewriter)) ||
            failed(recordEvents(op, token, operands.stream)))
            return failure();
        rewriter.replaceOp(op, dependency);
        return success();
    }

    /// gpu-to-llvm records the event that a `gpu.wait async` waits for right after the operation
    /// that defines the token. Once the token is that of the dependency, this would be before the
    /// copy; so such a wait gets the event of a record made here.
    LogicalResult recordEvents(Operation *op, Value token, Value stream)
    {
        for (OpOperand &use : llvm::make_early_inc_range(token.getUses())) {
            auto wait = dyn_cast<gpu::WaitOp>(use.getOwner());
            if (!wait || !wait.getAsyncToken())
                continue;
            FailureOr<Value> event =
                callRuntime(op, rewriter, "mgpuEventCreate", pointerType(), ValueRange());
            if (failed(event) ||
                failed(callRuntime(op, rewriter, "mgpuEventRecord", voidType(), {*event, stream})))
                return failure();
            Value eventToken = cast(*event, token.getType());
            rewriter.modifyOpInPlace(wait, [&] { use.set(eventToken); });
        }
        return success();
    }

    Value asLLVM(Value value)
    {
        return cast(value, converter.convertType(value.getType()));
    }

    Value cast(Value value, Type type)
    {
        if (value.getType() == type)
            return value;
        return create<UnrealizedConversionCastOp>(rewriter, value.getLoc(), type, value)
            .getResult(0);
    }

    Type pointerType()
    {
        return LLVM::LLVMPointerType::get(module.getContext());
    }

    Type voidType()
    {
        return LLVM::LLVMVoidType::get(module.getContext());
    }

    ModuleOp module;
    const LLVMTypeConverter &converter;
    IRRewriter rewriter;
};

void GpuCopyPass::runOnOperation()
{
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    if (indexBitwidth != 32 && indexBitwidth != 64) {
        emitError(getOperation().getLoc())
            << getArgument() << ": index-bitwidth=" << indexBitwidth.getValue()
            << " is neither 32 nor 64";
        return signalPassFailure();
    }
    options.overrideIndexBitwidth(indexBitwidth);
    LLVMTypeConverter converter(context, options);
    converter.addConversion(
        [](gpu::AsyncTokenType type) { return LLVM::LLVMPointerType::get(type.getContext()); });
    addMemorySpaceConversion(converter);
    if (failed(ModuleRewriter(getOperation(), converter).run()))
        signalPassFailure();
}

} // namespace

void registerPass()
{
    PassRegistration<GpuCopyPass>();
}

} // namespace astride
