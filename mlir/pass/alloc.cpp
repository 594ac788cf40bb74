// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations with a strided layout; see alloc.h.

#include "alloc.h"

#include "compat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace astride
{
namespace
{

/// Offset, sizes and strides of the result; constants wherever the type states them.
struct Numbers {
    OpFoldResult offset;
    SmallVector<OpFoldResult> sizes;
    SmallVector<OpFoldResult> strides;
};

FailureOr<Numbers> readNumbers(gpu::AllocOp op, OpBuilder &builder)
{
    MemRefType type = op.getType();
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (failed(stridesAndOffset(type, strides, offset)))
        return failure();
    ValueRange symbols = op.getSymbolOperands();
    if (!symbols.empty() && !isa<StridedLayoutAttr>(type.getLayout())) {
        op.emitOpError() << "cannot be lowered: the layout '" << type.getLayout()
                         << "' has symbols; only strided<...> may leave numbers open";
        return failure();
    }

    /* The symbols of strided<...> are the open numbers in the order written: offset last there,
     * first among the symbols. */
    Numbers numbers;
    auto number = [&](int64_t stated, ValueRange &open) -> OpFoldResult {
        if (!ShapedType::isDynamic(stated))
            return builder.getIndexAttr(stated);
        Value value = open.front();
        open = open.drop_front();
        return value;
    };
    numbers.offset = number(offset, symbols);
    for (int64_t stride : strides)
        numbers.strides.push_back(number(stride, symbols));
    ValueRange dynamicSizes = op.getDynamicSizes();
    for (int64_t extent : type.getShape())
        numbers.sizes.push_back(number(extent, dynamicSizes));
    return numbers;
}

/// Number of elements from the base to the last one: 1 + offset + sum of (size - 1) * stride, each
/// term at least 0. An empty dimension makes it larger than needed, which is harmless.
class Span
{
  public:
    Span(OpBuilder &builder, Location location) : builder(builder), location(location) {}

    void add(OpFoldResult value)
    {
        if (std::optional<int64_t> constant = getConstantIntValue(value))
            stated += *constant;
        else
            addValue(cast<Value>(value));
    }

    void addDimension(OpFoldResult size, OpFoldResult stride)
    {
        std::optional<int64_t> extent = getConstantIntValue(size);
        std::optional<int64_t> step = getConstantIntValue(stride);
        if (extent && step) {
            stated += std::max<int64_t>(0, (*extent - 1) * *step);
            return;
        }
        Value last = create<arith::SubIOp>(builder, location, value(size), index(1));
        Value reach = create<arith::MulIOp>(builder, location, last, value(stride));
        addValue(create<arith::MaxSIOp>(builder, location, reach, index(0)));
    }

    OpFoldResult total()
    {
        if (!open)
            return builder.getIndexAttr(stated);
        return create<arith::AddIOp>(builder, location, open, index(stated)).getResult();
    }

  private:
    Value index(int64_t number)
    {
        return create<arith::ConstantIndexOp>(builder, location, number);
    }

    Value value(OpFoldResult number)
    {
        if (auto known = dyn_cast<Value>(number))
            return known;
        return index(*getConstantIntValue(number));
    }

    void addValue(Value term)
    {
        open = open ? create<arith::AddIOp>(builder, location, open, term).getResult() : term;
    }

    OpBuilder &builder;
    Location location;
    int64_t stated = 0;
    Value open;
};

/// With negative strides the first element in memory is not the first one of the index space.
LogicalResult verifyReach(gpu::AllocOp op, const Numbers &numbers)
{
    std::optional<int64_t> lowest = getConstantIntValue(numbers.offset);
    if (!lowest)
        return success();
    for (auto [size, stride] : llvm::zip_equal(numbers.sizes, numbers.strides)) {
        std::optional<int64_t> extent = getConstantIntValue(size);
        std::optional<int64_t> step = getConstantIntValue(stride);
        if (extent && *extent == 0)
            return success();
        if (extent && step)
            *lowest += std::min<int64_t>(0, (*extent - 1) * *step);
    }
    if (*lowest < 0)
        return op.emitOpError() << "cannot be lowered: the layout '" << op.getType().getLayout()
                                << "' reaches below the start of the allocation";
    return success();
}

} // namespace

LogicalResult flattenAlloc(gpu::AllocOp op, RewriterBase &rewriter)
{
    Location location = op.getLoc();
    FailureOr<Numbers> numbers = readNumbers(op, rewriter);
    if (failed(numbers) || failed(verifyReach(op, *numbers)))
        return failure();

    Span span(rewriter, location);
    span.add(rewriter.getIndexAttr(1));
    span.add(numbers->offset);
    for (auto [size, stride] : llvm::zip_equal(numbers->sizes, numbers->strides))
        span.addDimension(size, stride);

    MemRefType type = op.getType();
    SmallVector<OpFoldResult> flatSize{span.total()};
    SmallVector<int64_t> flatShape;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(flatSize, dynamicSizes, flatShape);
    auto flatType = MemRefType::get(flatShape, type.getElementType(), MemRefLayoutAttrInterface(),
                                    type.getMemorySpace());
    Value token = op.getAsyncToken();
    auto flat = create<gpu::AllocOp>(rewriter, location, flatType, token ? token.getType() : Type(),
                                     op.getAsyncDependencies(), dynamicSizes,
                                     /*symbolOperands=*/ValueRange(), op.getHostShared());
    flat->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Value view =
        create<memref::ReinterpretCastOp>(rewriter, location, type, flat.getMemref(),
                                          numbers->offset, numbers->sizes, numbers->strides);
    SmallVector<Value> results{view};
    if (token)
        results.push_back(flat.getAsyncToken());
    rewriter.replaceOp(op, results);
    return success();
}

} // namespace astride
