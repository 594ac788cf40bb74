// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A million copies of one element in a loop. Each needs a few words of stack for its geometry, which
// would come to 40 megabytes if they were not given back.
// without gpu-async-region: each copy is to be a synchronous call

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %count = arith.constant 1000000 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<64xi64>
  %copy = memref.alloc() : memref<64xi64>
  scf.for %i = %c0 to %c64 step %c1 {
    %value = arith.index_cast %i : index to i64
    memref.store %value, %values[%i] : memref<64xi64>
    memref.store %none, %copy[%i] : memref<64xi64>
  }

  // Copy i moves element i mod 64; the value moved grows by 1 with each round of 64.
  scf.for %i = %c0 to %count step %c1 {
    %place = arith.remui %i, %c64 : index
    %old = memref.load %values[%place] : memref<64xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %values[%place] : memref<64xi64>
    %source = memref.subview %values[%place] [1] [1]
        : memref<64xi64> to memref<1xi64, strided<[1], offset: ?>>
    %target = memref.subview %copy[%place] [1] [1]
        : memref<64xi64> to memref<1xi64, strided<[1], offset: ?>>
    gpu.memcpy %target, %source
        : memref<1xi64, strided<[1], offset: ?>>, memref<1xi64, strided<[1], offset: ?>>
  }

  // 1000000 / 64 = 15625 rounds.
  %rounds = arith.constant 15625 : i64
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %start = arith.index_cast %i : index to i64
    %want = arith.addi %start, %rounds : i64
    %got = memref.load %copy[%i] : memref<64xi64>
    %differs = arith.cmpi ne, %got, %want : i64
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  %checked = arith.constant 64 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  memref.dealloc %values : memref<64xi64>
  memref.dealloc %copy : memref<64xi64>
  return
}
