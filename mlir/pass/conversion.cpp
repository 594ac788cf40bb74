// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect and its conversion patterns: gpu-to-llvm asks every loaded dialect for patterns, and
// these have a higher benefit than its own. What they emit is written in lower_copy.cpp.

#include "conversion.h"

#include "alloc.h"
#include "compat.h"
#include "dependencies.h"
#include "lower_copy.h"
#include "support.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace astride
{
namespace
{

/// MLIR's patterns have benefit 1. The refusal comes first, so that whatever follows can rely on
/// strided layouts and whole bytes.
enum Benefit : unsigned short { benefitLower = 10, benefitDependencies = 20, benefitRefuse = 30 };

/// Stands in the place of a refused gpu.memset whose value is neither an integer nor a float: the
/// pattern that would be tried next, MLIR's own of LLVM 22, ends in a segmentation fault. The
/// operation is not registered, so that the verifier rejects the program after the conversion.
constexpr StringLiteral unsupportedOperation = "astride.unsupported";

/// Says why an operation cannot be lowered before the driver says only that it was not.
template <typename Op> struct RefuseUnsupported : OpRewritePattern<Op> {
    explicit RefuseUnsupported(const LLVMTypeConverter &converter)
        : OpRewritePattern<Op>(&converter.getContext(), benefitRefuse), converter(converter)
    {
    }

    LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override
    {
        if (!convertsTokens(converter, op.getContext()) || dependenciesNeedRewriting(op))
            return failure();
        std::optional<std::string> reason = unsupportedReason(op, converter);
        if (!reason)
            return failure();
        op.emitOpError() << *reason;
        if constexpr (std::is_same_v<Op, gpu::MemsetOp>) {
            if (!op.getValue().getType().isIntOrIndexOrFloat()) {
                rewriter.create(OperationState(op.getLoc(), unsupportedOperation));
                rewriter.replaceOp(op, op.getAsyncDependencies());
                return success();
            }
        }
        return failure();
    }

    const LLVMTypeConverter &converter;
};

template <typename Op> struct OneDependency : OpRewritePattern<Op> {
    explicit OneDependency(const LLVMTypeConverter &converter)
        : OpRewritePattern<Op>(&converter.getContext(), benefitDependencies), converter(converter)
    {
    }

    LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override
    {
        if (!convertsTokens(converter, op.getContext()) || !dependenciesNeedRewriting(op))
            return failure();
        rewriteDependencies(op, rewriter);
        return success();
    }

    const LLVMTypeConverter &converter;
};

struct PruneWait : OpRewritePattern<gpu::WaitOp> {
    explicit PruneWait(const LLVMTypeConverter &converter)
        : OpRewritePattern<gpu::WaitOp>(&converter.getContext(), benefitDependencies),
          converter(converter)
    {
    }

    LogicalResult matchAndRewrite(gpu::WaitOp op, PatternRewriter &rewriter) const override
    {
        if (!convertsTokens(converter, op.getContext()))
            return failure();
        return pruneDependencies(op, rewriter);
    }

    const LLVMTypeConverter &converter;
};

/// One operation, asynchronous with one dependency or synchronous with none, to one call.
template <typename Op> struct LowerToCall : ConvertOpToLLVMPattern<Op> {
    using Adaptor = typename ConvertOpToLLVMPattern<Op>::OpAdaptor;

    explicit LowerToCall(const LLVMTypeConverter &converter)
        : ConvertOpToLLVMPattern<Op>(converter, benefitLower)
    {
    }

    LogicalResult matchAndRewrite(Op op, Adaptor adaptor,
                                  ConversionPatternRewriter &rewriter) const override
    {
        const LLVMTypeConverter &converter = *this->getTypeConverter();
        if (upstreamLowers(op) || dependenciesNeedRewriting(op) ||
            unsupportedReason(op, converter) || !areLLVM(adaptor.getOperands()))
            return failure();
        CallOperands operands = callOperands(adaptor);
        if (failed(emitStridedCall(op, operands, converter, rewriter)))
            return failure();
        if (operands.stream)
            rewriter.replaceOp(op, operands.stream);
        else
            rewriter.eraseOp(op);
        return success();
    }

  private:
    static bool areLLVM(ValueRange operands)
    {
        return llvm::all_of(operands.getTypes(), [](Type t) { return LLVM::isCompatibleType(t); });
    }

    static Value stream(Adaptor adaptor)
    {
        ValueRange dependencies = adaptor.getAsyncDependencies();
        return dependencies.empty() ? Value() : dependencies.front();
    }

    static CallOperands callOperands(gpu::MemcpyOpAdaptor adaptor)
    {
        return {adaptor.getDst(), adaptor.getSrc(), stream(adaptor)};
    }

    static CallOperands callOperands(gpu::MemsetOpAdaptor adaptor)
    {
        return {adaptor.getDst(), adaptor.getValue(), stream(adaptor)};
    }
};

struct FlattenAlloc : OpRewritePattern<gpu::AllocOp> {
    explicit FlattenAlloc(const LLVMTypeConverter &converter)
        : OpRewritePattern<gpu::AllocOp>(&converter.getContext(), benefitLower),
          converter(converter)
    {
    }

    LogicalResult matchAndRewrite(gpu::AllocOp op, PatternRewriter &rewriter) const override
    {
        if (!convertsTokens(converter, op.getContext()) || upstreamLowers(op) ||
            unsupportedReason(op, converter))
            return failure();
        return flattenAlloc(op, rewriter);
    }

    const LLVMTypeConverter &converter;
};

class ConvertToLLVM : public ConvertToLLVMPatternInterface
{
  public:
    using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

    void populateConvertToLLVMConversionPatterns(ConversionTarget &target,
                                                 LLVMTypeConverter &converter,
                                                 RewritePatternSet &patterns) const final
    {
        addMemorySpaceConversion(converter);
        patterns.add<RefuseUnsupported<gpu::AllocOp>, RefuseUnsupported<gpu::MemcpyOp>,
                     RefuseUnsupported<gpu::MemsetOp>, OneDependency<gpu::AllocOp>,
                     OneDependency<gpu::DeallocOp>, OneDependency<gpu::MemcpyOp>,
                     OneDependency<gpu::MemsetOp>, PruneWait, LowerToCall<gpu::MemcpyOp>,
                     LowerToCall<gpu::MemsetOp>, FlattenAlloc>(converter);

        target.addLegalOp(OperationName(unsupportedOperation, &converter.getContext()));
        /* The conversion is a partial one: what is not illegal may be left behind in silence. */
        auto illegalInGpuToLLVM = [&converter](Operation *op) -> std::optional<bool> {
            if (!convertsTokens(converter, op->getContext()))
                return std::nullopt;
            return false;
        };
        target.addDynamicallyLegalOp<gpu::MemcpyOp, gpu::MemsetOp>(illegalInGpuToLLVM);
        target.addDynamicallyLegalOp<gpu::AllocOp>(
            [illegalInGpuToLLVM](Operation *op) -> std::optional<bool> {
                if (upstreamLowers(cast<gpu::AllocOp>(op)))
                    return std::nullopt;
                return illegalInGpuToLLVM(op);
            });
    }
};

class AstrideDialect : public Dialect
{
  public:
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AstrideDialect)

    static StringRef getDialectNamespace()
    {
        return "astride";
    }

    explicit AstrideDialect(MLIRContext *context)
        : Dialect(getDialectNamespace(), context, TypeID::get<AstrideDialect>())
    {
        context->loadDialect<arith::ArithDialect, LLVM::LLVMDialect, memref::MemRefDialect>();
        addInterfaces<ConvertToLLVM>();
    }
};

} // namespace

void insertDialect(DialectRegistry &registry)
{
    registry.insert<AstrideDialect>();
}

void registerDialect(DialectRegistry &registry)
{
    insertDialect(registry);
    registry.addExtension(
        +[](MLIRContext *context, gpu::GPUDialect *) { context->loadDialect<AstrideDialect>(); });
}

} // namespace astride
