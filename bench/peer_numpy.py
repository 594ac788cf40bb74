# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's copyto between strided views; peer_process.c says what is asked on standard input."""

import sys
import time

try:
    import numpy
    from numpy.lib.stride_tricks import as_strided
except ImportError as error:
    numpy = None
    REASON = str(error)

TYPES = {1: "u1", 2: "u2", 4: "f4", 8: "f8", 16: "c16"}
POISON = 0xA5


def words(count):
    """The source's contents, as bench_fill_source() makes them."""
    numbers = numpy.arange(1, (count + 7) // 8 + 1, dtype=numpy.uint64)
    numbers *= numpy.uint64(0x9E3779B97F4A7C15)
    numbers ^= numbers >> numpy.uint64(29)
    return numbers.view(numpy.uint8)[:count]


def hash_of(data):
    """As bench_hash()."""
    padded = numpy.zeros((len(data) + 7) // 8 * 8, dtype=numpy.uint8)
    padded[: len(data)] = data
    numbers = padded.view(numpy.uint64)
    numbers ^= numbers >> numpy.uint64(32)
    factors = numpy.arange(len(numbers), dtype=numpy.uint64) * numpy.uint64(2) + numpy.uint64(1)
    return int((numbers * factors).sum(dtype=numpy.uint64))


class Case:
    """Two buffers and the views that are copied."""

    def __init__(self, numbers):
        element, rank, dst_bytes, src_bytes, dst_offset, src_offset = numbers[:6]
        rest = numbers[6:]
        extents, dst, src = rest[:rank], rest[rank : 2 * rank], rest[2 * rank :]
        kind = numpy.dtype(TYPES[element])
        self.dst = numpy.empty(dst_bytes, dtype=numpy.uint8)
        self.src = numpy.empty(src_bytes, dtype=numpy.uint8)
        self.src[:] = words(src_bytes)
        self.to = as_strided(self.dst[dst_offset:dst_offset + element].view(kind), extents, dst)
        self.origin = as_strided(self.src[src_offset:src_offset + element].view(kind), extents, src)


def main():
    case = None
    for line in sys.stdin:
        request = line.split()
        answer = "no"
        if request[0] == "hello":
            answer = "ready" if numpy is not None else REASON
        elif request[0] == "layout":
            case = Case([int(word) for word in request[1:]])
            answer = "ok"
        elif request[0] == "hash":
            case.dst[:] = POISON
            numpy.copyto(case.to, case.origin)
            answer = str(hash_of(case.dst))
        elif request[0] == "run":
            begin = time.perf_counter_ns()
            for _ in range(int(request[1])):
                numpy.copyto(case.to, case.origin)
            answer = str(time.perf_counter_ns() - begin)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
