// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One dependency for each asynchronous operation; see dependencies.h.

#include "dependencies.h"

#include "compat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace astride
{
namespace
{

/// How many operations are looked at before a dependency counts as not implied by another, which is
/// always safe to assume.
constexpr unsigned searchLimit = 1000;

/// True if whatever waits for `later` has also waited for `earlier`.
bool implies(Value later, Value earlier)
{
    llvm::SmallPtrSet<Operation *, 16> seen;
    SmallVector<Value> open{later};
    while (!open.empty() && seen.size() < searchLimit) {
        auto op = open.pop_back_val().getDefiningOp<gpu::AsyncOpInterface>();
        if (!op || !seen.insert(op).second)
            continue;
        for (Value dependency : op.getAsyncDependencies()) {
            if (dependency == earlier)
                return true;
            open.push_back(dependency);
        }
    }
    return false;
}

/// The dependencies that no other one implies, each once. Unreachable code may depend on itself in
/// a circle; the first of two that imply each other stays.
SmallVector<Value> withoutImplied(ValueRange dependencies)
{
    SmallVector<Value> kept;
    for (Value dependency : dependencies) {
        if (llvm::any_of(kept, [&](Value other) {
                return other == dependency || implies(other, dependency);
            }))
            continue;
        llvm::erase_if(kept, [&](Value other) { return implies(dependency, other); });
        kept.push_back(dependency);
    }
    return kept;
}

/// The token that stands for the stream on which `token`'s operation runs: gpu-to-llvm makes a
/// stream for each gpu.wait and passes it along single dependencies.
Value streamOrigin(Value token)
{
    llvm::SmallPtrSet<Operation *, 8> seen;
    while (auto op = token.getDefiningOp<gpu::AsyncOpInterface>()) {
        if (isa<gpu::WaitOp>(op.getOperation()) || op.getAsyncDependencies().size() != 1 ||
            !seen.insert(op).second)
            break;
        token = op.getAsyncDependencies().front();
    }
    return token;
}

/// One dependency for each stream; a stream runs in order, and all of `dependencies` are on it.
SmallVector<Value> onePerStream(ValueRange dependencies)
{
    SmallVector<Value> kept;
    for (Value dependency : dependencies) {
        if (llvm::none_of(
                kept, [&](Value other) { return streamOrigin(other) == streamOrigin(dependency); }))
            kept.push_back(dependency);
    }
    return kept;
}

Type tokenType(RewriterBase &rewriter)
{
    return gpu::AsyncTokenType::get(rewriter.getContext());
}

/// The single token after which `op` may start. A synchronous operation is followed by a wait that
/// destroys the stream, so it needs one of its own.
Value joinDependencies(gpu::AsyncOpInterface op, RewriterBase &rewriter)
{
    SmallVector<Value> dependencies = withoutImplied(op.getAsyncDependencies());
    if (op.getAsyncToken()) {
        SmallVector<Value> streams = onePerStream(dependencies);
        if (streams.size() == 1)
            return streams.front();
    }
    return create<gpu::WaitOp>(rewriter, op->getLoc(), tokenType(rewriter), dependencies)
        .getAsyncToken();
}

/// Puts `asynchronous`, whose last result is its token, in the place of `op`.
void replace(gpu::AsyncOpInterface op, Operation *asynchronous, RewriterBase &rewriter)
{
    SmallVector<Value> results(asynchronous->getResults());
    if (!op.getAsyncToken()) {
        create<gpu::WaitOp>(rewriter, op->getLoc(), Type(), results.back());
        results.pop_back();
    }
    rewriter.replaceOp(op, results);
}

} // namespace

bool dependenciesNeedRewriting(gpu::AsyncOpInterface op)
{
    return op.getAsyncDependencies().size() != (op.getAsyncToken() ? 1 : 0);
}

void rewriteDependencies(gpu::AllocOp op, RewriterBase &rewriter)
{
    Value dependency = joinDependencies(op, rewriter);
    replace(op,
            create<gpu::AllocOp>(rewriter, op.getLoc(), op.getType(), tokenType(rewriter),
                                 dependency, op.getDynamicSizes(), op.getSymbolOperands(),
                                 op.getHostShared()),
            rewriter);
}

void rewriteDependencies(gpu::DeallocOp op, RewriterBase &rewriter)
{
    Value dependency = joinDependencies(op, rewriter);
    replace(op,
            create<gpu::DeallocOp>(rewriter, op.getLoc(), tokenType(rewriter), dependency,
                                   op.getMemref()),
            rewriter);
}

void rewriteDependencies(gpu::MemcpyOp op, RewriterBase &rewriter)
{
    Value dependency = joinDependencies(op, rewriter);
    replace(op,
            create<gpu::MemcpyOp>(rewriter, op.getLoc(), tokenType(rewriter), dependency,
                                  op.getDst(), op.getSrc()),
            rewriter);
}

void rewriteDependencies(gpu::MemsetOp op, RewriterBase &rewriter)
{
    Value dependency = joinDependencies(op, rewriter);
    replace(op,
            create<gpu::MemsetOp>(rewriter, op.getLoc(), tokenType(rewriter), dependency,
                                  op.getDst(), op.getValue()),
            rewriter);
}

LogicalResult pruneDependencies(gpu::WaitOp op, RewriterBase &rewriter)
{
    SmallVector<Value> kept = withoutImplied(op.getAsyncDependencies());
    if (!op.getAsyncToken())
        kept = onePerStream(kept);
    if (kept.size() == op.getAsyncDependencies().size())
        return failure();
    Type token = op.getAsyncToken() ? tokenType(rewriter) : Type();
    rewriter.replaceOp(op, create<gpu::WaitOp>(rewriter, op.getLoc(), token, kept)->getResults());
    return success();
}

} // namespace astride
