// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of mgpuMemcpyStrided and mgpuMemsetStrided: geometry array on the stack, element size,
// declaration. The ABI is that of include/astride/mlir.h.

#include "lower_copy.h"

#include "compat.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace astride
{
namespace
{

/// Writes the LLVM operations around one call.
class CallWriter
{
  public:
    CallWriter(Operation *op, const LLVMTypeConverter &converter, OpBuilder &builder)
        : op(op), converter(converter), builder(builder), location(op->getLoc()),
          pointerType(LLVM::LLVMPointerType::get(op->getContext())), int64Type(builder.getI64Type())
    {
    }

    Value constant(int64_t value)
    {
        return create<LLVM::ConstantOp>(builder, location, int64Type,
                                        builder.getI64IntegerAttr(value));
    }

    Value null()
    {
        return create<LLVM::ZeroOp>(builder, location, pointerType);
    }

    /// A number of a descriptor: a constant if its type says so, else the field, sign-extended
    /// where the index type is narrower (strides can be negative).
    template <typename Field> Value number(int64_t stated, Field field)
    {
        if (!ShapedType::isDynamic(stated))
            return constant(stated);
        Value value = field();
        unsigned width = value.getType().getIntOrFloatBitWidth();
        if (width < 64)
            return create<LLVM::SExtOp>(builder, location, int64Type, value);
        if (width > 64)
            return create<LLVM::TruncOp>(builder, location, int64Type, value);
        return value;
    }

    /// The aligned pointer, without the offset, in the address space of the run-time functions.
    Value basePointer(Value descriptor)
    {
        Value pointer = MemRefDescriptor(descriptor).alignedPtr(builder, location);
        if (pointer.getType() == pointerType)
            return pointer;
        return create<LLVM::AddrSpaceCastOp>(builder, location, pointerType, pointer);
    }

    void appendSizes(SmallVectorImpl<Value> &numbers, ArrayRef<int64_t> shape, Value descriptor)
    {
        for (auto [i, extent] : llvm::enumerate(shape)) {
            numbers.push_back(number(extent, [&, i = static_cast<unsigned>(i)] {
                return MemRefDescriptor(descriptor).size(builder, location, i);
            }));
        }
    }

    void appendOffset(SmallVectorImpl<Value> &numbers, int64_t offset, Value descriptor)
    {
        numbers.push_back(
            number(offset, [&] { return MemRefDescriptor(descriptor).offset(builder, location); }));
    }

    void appendStrides(SmallVectorImpl<Value> &numbers, ArrayRef<int64_t> strides, Value descriptor)
    {
        for (auto [i, stride] : llvm::enumerate(strides)) {
            numbers.push_back(number(stride, [&, i = static_cast<unsigned>(i)] {
                return MemRefDescriptor(descriptor).stride(builder, location, i);
            }));
        }
    }

    /// Distance between neighbours of this element type, padding included, as the strides count.
    Value elementBytes(Type element)
    {
        Value end = create<LLVM::GEPOp>(builder, location, pointerType,
                                        converter.convertType(element), null(), LLVM::GEPArg(1));
        return create<LLVM::PtrToIntOp>(builder, location, int64Type, end);
    }

    /// Stack memory for one call is given back after it: a copy in a loop must not grow the stack.
    Value saveStack()
    {
        return create<LLVM::StackSaveOp>(builder, location, pointerType);
    }

    void restoreStack(Value saved)
    {
        create<LLVM::StackRestoreOp>(builder, location, saved);
    }

    Value allocate(Type type, int64_t count)
    {
        return create<LLVM::AllocaOp>(builder, location, pointerType, type, constant(count),
                                      /*alignment=*/0);
    }

    void store(Value value, Value address)
    {
        create<LLVM::StoreOp>(builder, location, value, address);
    }

    Value storeGeometry(ArrayRef<Value> numbers)
    {
        Value array = allocate(int64Type, static_cast<int64_t>(numbers.size()));
        for (auto [i, value] : llvm::enumerate(numbers)) {
            Value slot = array;
            if (i != 0)
                slot = create<LLVM::GEPOp>(builder, location, pointerType, int64Type, array,
                                           LLVM::GEPArg(static_cast<int32_t>(i)));
            store(value, slot);
        }
        return array;
    }

    LogicalResult call(StringRef name, ArrayRef<Value> arguments)
    {
        return callRuntime(op, builder, name, LLVM::LLVMVoidType::get(op->getContext()), arguments);
    }

  private:
    Operation *op;
    const LLVMTypeConverter &converter;
    OpBuilder &builder;
    Location location;
    LLVM::LLVMPointerType pointerType;
    IntegerType int64Type;
};

/// True if `symbol` is a function of this type, of the LLVM dialect or of the func dialect.
bool hasFunctionType(Operation *symbol, Type result, TypeRange arguments)
{
    auto function = dyn_cast<FunctionOpInterface>(symbol);
    if (!isa<func::FuncOp, LLVM::LLVMFuncOp>(symbol) ||
        TypeRange(function.getArgumentTypes()) != arguments)
        return false;
    ArrayRef<Type> results = function.getResultTypes();
    if (isa<LLVM::LLVMVoidType>(result))
        return results.empty() || (results.size() == 1 && results.front() == result);
    return results.size() == 1 && results.front() == result;
}

} // namespace

FailureOr<Value> callRuntime(Operation *user, OpBuilder &builder, StringRef name, Type result,
                             ValueRange arguments)
{
    auto module = user->getParentOfType<ModuleOp>();
    if (!module) {
        user->emitOpError() << "is in no module that could declare @" << name;
        return failure();
    }
    TypeRange argumentTypes = arguments.getTypes();
    Operation *symbol = SymbolTable::lookupSymbolIn(module, name);
    if (!symbol) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToEnd(module.getBody());
        create<LLVM::LLVMFuncOp>(
            builder, user->getLoc(), name,
            LLVM::LLVMFunctionType::get(result, llvm::to_vector(argumentTypes)));
    } else if (!hasFunctionType(symbol, result, argumentTypes)) {
        InFlightDiagnostic error = user->emitOpError()
                                   << "needs the run-time function @" << name
                                   << ", but that name is taken by something of another type";
        error.attachNote(symbol->getLoc()) << "it is here";
        return failure();
    }
    bool isVoid = isa<LLVM::LLVMVoidType>(result);
    TypeRange results = isVoid ? TypeRange() : TypeRange(result);
    auto callee = FlatSymbolRefAttr::get(user->getContext(), name);
    Operation *call;
    if (isa_and_nonnull<func::FuncOp>(symbol))
        call = create<func::CallOp>(builder, user->getLoc(), callee, results, arguments);
    else
        call = create<LLVM::CallOp>(builder, user->getLoc(), results, callee, arguments);
    return isVoid ? Value() : call->getResult(0);
}

LogicalResult emitStridedCall(gpu::MemcpyOp op, const CallOperands &operands,
                              const LLVMTypeConverter &converter, OpBuilder &builder)
{
    auto destinationType = cast<MemRefType>(op.getDst().getType());
    auto sourceType = cast<MemRefType>(op.getSrc().getType());
    SmallVector<int64_t> destinationStrides, sourceStrides;
    int64_t destinationOffset = 0, sourceOffset = 0;
    if (failed(stridesAndOffset(destinationType, destinationStrides, destinationOffset)) ||
        failed(stridesAndOffset(sourceType, sourceStrides, sourceOffset)))
        return failure();

    /* The shapes agree wherever both state a number; take it from the side that does. */
    SmallVector<int64_t> shape(sourceType.getShape());
    for (auto [extent, other] : llvm::zip_equal(shape, destinationType.getShape())) {
        if (ShapedType::isDynamic(extent))
            extent = other;
    }

    CallWriter writer(op, converter, builder);
    Value saved = writer.saveStack();
    SmallVector<Value> geometry;
    writer.appendOffset(geometry, destinationOffset, operands.destination);
    writer.appendOffset(geometry, sourceOffset, operands.source);
    writer.appendSizes(geometry, shape, operands.source);
    writer.appendStrides(geometry, destinationStrides, operands.destination);
    writer.appendStrides(geometry, sourceStrides, operands.source);
    Value array = writer.storeGeometry(geometry);
    if (failed(
            writer.call("mgpuMemcpyStrided", {writer.basePointer(operands.destination),
                                              writer.basePointer(operands.source), array,
                                              writer.constant(destinationType.getRank()),
                                              writer.elementBytes(destinationType.getElementType()),
                                              operands.stream ? operands.stream : writer.null()})))
        return failure();
    writer.restoreStack(saved);
    return success();
}

LogicalResult emitStridedCall(gpu::MemsetOp op, const CallOperands &operands,
                              const LLVMTypeConverter &converter, OpBuilder &builder)
{
    auto type = cast<MemRefType>(op.getDst().getType());
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (failed(stridesAndOffset(type, strides, offset)))
        return failure();

    CallWriter writer(op, converter, builder);
    Value saved = writer.saveStack();
    SmallVector<Value> geometry;
    writer.appendOffset(geometry, offset, operands.destination);
    writer.appendSizes(geometry, type.getShape(), operands.destination);
    writer.appendStrides(geometry, strides, operands.destination);
    Value array = writer.storeGeometry(geometry);
    Value pattern = writer.allocate(operands.source.getType(), 1);
    writer.store(operands.source, pattern);
    if (failed(
            writer.call("mgpuMemsetStrided", {writer.basePointer(operands.destination), pattern,
                                              array, writer.constant(type.getRank()),
                                              writer.elementBytes(type.getElementType()),
                                              operands.stream ? operands.stream : writer.null()})))
        return failure();
    writer.restoreStack(saved);
    return success();
}

} // namespace astride
