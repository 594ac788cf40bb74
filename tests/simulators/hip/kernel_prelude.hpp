// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands before the source of kernels when the simulated compiler gives it to the host's: the
// words of HIP that the packing kernels use. The built-in variables are where the simulator says
// that the work-item at hand is. Shared memory is static: one block runs at a time. It has a
// section of its own, by whose name kernel_launchers.hpp finds all of it.
struct astride_sim_dimensions {
    unsigned x, y, z;
};
struct astride_sim_place {
    astride_sim_dimensions thread, block, block_size, grid;
    void (*barrier)(astride_sim_place *place);
};
static astride_sim_place *astride_sim_at;
struct alignas(16) astride_sim_vector4 {
    unsigned x, y, z, w;
};

#define threadIdx (astride_sim_at->thread)
#define blockIdx (astride_sim_at->block)
#define blockDim (astride_sim_at->block_size)
#define gridDim (astride_sim_at->grid)
#define __device__
#define __shared__ static __attribute__((section("astride_sim_shared")))
#define __launch_bounds__(...)
#define __syncthreads() (astride_sim_at->barrier(astride_sim_at))

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
