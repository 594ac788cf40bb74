/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The kernels that are the same for every vector unit: rows, and tiles of a transpose. The file
 * that includes this one has defined the vector and its operations:
 *
 *   VECTOR, LANES            the type, and how many lanes of 16 bytes it has
 *   LOAD, STORE, STREAM      unaligned load and store; aligned store that passes the caches by
 *   LOAD_LANES(p, pitch)     lane i is the 16 bytes at p + i * pitch
 *   ZIP_LOW_<n>, ZIP_HIGH_<n>  elements of n bytes of two vectors in turn, lane by lane
 *   LANE, LANE_LOAD, LANE_STORE, LANE_ZIP_LOW_<n>, LANE_ZIP_HIGH_<n>  the same for one lane
 *   COPY_SHORT(dst, src, n)  less than 64 bytes
 *   EDGE_LOAD(p, mask), JOIN_LANES(lanes)  a lane of some bytes, where vectors have masks
 *   PREFETCH(p)              asks for a line; p may be any address
 *
 * Transposes work lane by lane: 16 bytes of as many rows of the source as a lane has elements
 * become 16 bytes of as many rows of the destination by zipping them log2 times; the lanes of a
 * vector are further rows of the source, so that a vector is a longer run of the destination.
 */
#include <string.h>

#define LINE_BYTES 64

/* Whole lines of a dense destination; one that two units share is put together first. */
typedef struct line_writer {
    uint8_t line[LINE_BYTES] __attribute__((aligned(LINE_BYTES)));
    uint8_t *next;      /* where the next byte goes */
    size_t first, fill; /* bytes of `line` that are filled */
} line_writer;

ASTRIDE__HOST_INLINE void begin_lines(line_writer *writer, uint8_t *dst)
{
    writer->next = dst;
    writer->first = writer->fill = (uintptr_t)dst % LINE_BYTES;
}

ASTRIDE__HOST_INLINE void stream_line(uint8_t *dst, const uint8_t *src)
{
    ASTRIDE__HOST_UNROLL
    for (int i = 0; i < 4 / LANES; i++)
        STREAM(dst + i * 16 * LANES, LOAD(src + i * 16 * LANES));
}

ASTRIDE__HOST_INLINE void end_lines(line_writer *writer)
{
    const size_t count = writer->fill - writer->first;
    if (count > 0)
        COPY_SHORT(writer->next - count, writer->line + writer->first, count);
    writer->first = writer->fill = 0;
}

ASTRIDE__HOST_INLINE void write_lines(line_writer *writer, const uint8_t *src, size_t bytes)
{
    if (writer->fill > 0) {
        const size_t room = LINE_BYTES - writer->fill;
        const size_t count = bytes < room ? bytes : room;
        if (count == LINE_BYTES)
            memcpy(writer->line, src, LINE_BYTES);
        else
            COPY_SHORT(writer->line + writer->fill, src, count);
        writer->fill += count;
        writer->next += count;
        src += count;
        bytes -= count;
        if (writer->fill < LINE_BYTES)
            return;
        if (writer->first == 0) {
            stream_line(writer->next - LINE_BYTES, writer->line);
            writer->fill = 0;
        } else {
            end_lines(writer);
        }
    }
    uint8_t *dst = writer->next;
    for (; bytes >= 4 * LINE_BYTES; bytes -= 4 * LINE_BYTES) {
        ASTRIDE__HOST_UNROLL
        for (int i = 0; i < 4; i++)
            stream_line(dst + i * LINE_BYTES, src + i * LINE_BYTES);
        dst += 4 * LINE_BYTES;
        src += 4 * LINE_BYTES;
    }
    for (; bytes >= LINE_BYTES; bytes -= LINE_BYTES) {
        stream_line(dst, src);
        dst += LINE_BYTES;
        src += LINE_BYTES;
    }
    if (bytes > 0)
        COPY_SHORT(writer->line, src, bytes);
    writer->next = dst + bytes;
    writer->fill = bytes;
}

static void stream_run(uint8_t *restrict dst, const uint8_t *restrict src, size_t bytes)
{
    line_writer writer;
    begin_lines(&writer, dst);
    write_lines(&writer, src, bytes);
    end_lines(&writer);
}

#define VECTOR_BYTES ((size_t)16 * LANES)
/* Wider units are worth the care that copy_run takes of the destination's lines. */
#ifndef UNIT_BYTES
#define UNIT_BYTES (4 * VECTOR_BYTES)
#endif

/* Keeps the compiler from making a call of memmove out of a loop. */
#define KEEP_LOOP __asm__ volatile("")

/* A dense run of at least a line: stores that lie in one line each but for the first and last. */
static void copy_run(uint8_t *restrict dst, const uint8_t *restrict src, size_t bytes)
{
    const size_t head = (0 - (uintptr_t)dst) % LINE_BYTES;
    size_t done = 0;
    if (head > 0) {
        ASTRIDE__HOST_UNROLL
        for (int i = 0; i < 4 / LANES; i++)
            STORE(dst + i * 16 * LANES, LOAD(src + i * 16 * LANES));
        done = head;
    }
    for (; bytes - done >= 4 * LINE_BYTES; done += 4 * LINE_BYTES) {
        ASTRIDE__HOST_UNROLL
        for (int i = 0; i < 16 / LANES; i++)
            STORE(dst + done + i * 16 * LANES, LOAD(src + done + i * 16 * LANES));
        KEEP_LOOP;
    }
    for (; bytes - done >= VECTOR_BYTES; done += VECTOR_BYTES) {
        STORE(dst + done, LOAD(src + done));
        KEEP_LOOP;
    }
    if (done < bytes)
        STORE(dst + bytes - VECTOR_BYTES, LOAD(src + bytes - VECTOR_BYTES));
}

#ifdef EDGE_LOAD
/* Vectors, and a mask for the rest: a part of a line is cheaper than a vector that lies in two. */
ASTRIDE__HOST_INLINE void copy_unit(uint8_t *restrict dst, const uint8_t *restrict src,
                                    size_t bytes)
{
    size_t done = 0;
    for (; bytes - done >= VECTOR_BYTES; done += VECTOR_BYTES) {
        STORE(dst + done, LOAD(src + done));
        KEEP_LOOP;
    }
    if (done < bytes)
        COPY_SHORT(dst + done, src + done, bytes - done);
}
#else
/* VECTOR_BYTES to four of them through two or four vectors, which may overlap. */
ASTRIDE__HOST_INLINE void copy_unit(uint8_t *restrict dst, const uint8_t *restrict src,
                                    size_t bytes)
{
    const size_t last = bytes - VECTOR_BYTES;
    STORE(dst, LOAD(src));
    if (bytes > 2 * VECTOR_BYTES) {
        const size_t second_last = last - VECTOR_BYTES;
        STORE(dst + VECTOR_BYTES, LOAD(src + VECTOR_BYTES));
        STORE(dst + second_last, LOAD(src + second_last));
    }
    STORE(dst + last, LOAD(src + last));
}
#endif

/* How far ahead of the loads the lines of the next rows are asked for, and how many of each. */
#define AHEAD_BYTES 2048
#define AHEAD_LINES_BYTES 1024
/* Units that do not join are mostly whole lines from this width on. */
#define JOINED_BYTES 1024

ASTRIDE__HOST_INLINE void fetch(const uint8_t *src, ptrdiff_t offset, size_t bytes)
{
    const uintptr_t first = (uintptr_t)src + (uintptr_t)offset;
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        PREFETCH(first + i);
    PREFETCH(first + bytes - 1);
}

ASTRIDE__HOST_INLINE void fetch_to_write(const uint8_t *dst, ptrdiff_t offset, size_t bytes)
{
    const uintptr_t first = (uintptr_t)dst + (uintptr_t)offset;
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        __builtin_prefetch((const void *)(first + i), 1);
    __builtin_prefetch((const void *)(first + bytes - 1), 1);
}

ASTRIDE__HOST_INLINE void rows_of(uint8_t *restrict dst, const uint8_t *restrict src,
                                  const astride__host_block *block, size_t bytes)
{
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *row_dst = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *row_src = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++) {
            uint8_t *to = row_dst + (ptrdiff_t)column * block->dst_column;
            const uint8_t *from = row_src + (ptrdiff_t)column * block->src_column;
            if (bytes <= UNIT_BYTES)
                copy_unit(to, from, bytes);
            else
                copy_run(to, from, bytes);
        }
    }
}

#ifdef EDGE_LOAD
/* The same for a number of whole vectors that is a constant, and one mask for what is left. */
ASTRIDE__HOST_INLINE void rows_of_vectors(uint8_t *restrict dst, const uint8_t *restrict src,
                                          const astride__host_block *block, size_t whole)
{
    const size_t rest = block->unit_bytes - whole * VECTOR_BYTES;
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *to = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *from = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++) {
            ASTRIDE__HOST_UNROLL
            for (size_t i = 0; i < whole; i++)
                STORE(to + i * VECTOR_BYTES, LOAD(from + i * VECTOR_BYTES));
            if (rest > 0)
                COPY_SHORT(to + whole * VECTOR_BYTES, from + whole * VECTOR_BYTES, rest);
            to += block->dst_column;
            from += block->src_column;
        }
    }
}
#endif

#ifdef EDGE_LOAD
/*
 * Units of 16 to 32 bytes: a masked vector would ask for the line behind them, too, where that is
 * all that the mask leaves out.
 */
ASTRIDE__HOST_INLINE void rows_of_lanes(uint8_t *restrict dst, const uint8_t *restrict src,
                                        const astride__host_block *block)
{
    const size_t last = block->unit_bytes - 16;
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *to = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *from = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++) {
            const LANE low = LANE_LOAD(from), high = LANE_LOAD(from + last);
            LANE_STORE(to, low);
            LANE_STORE(to + last, high);
            to += block->dst_column;
            from += block->src_column;
        }
    }
}
#endif

static void rows_near(uint8_t *restrict dst, const uint8_t *restrict src,
                      const astride__host_block *block)
{
    const size_t bytes = block->unit_bytes;
#ifdef EDGE_LOAD
    if (bytes <= 32)
        rows_of_lanes(dst, src, block);
    else if (bytes < VECTOR_BYTES)
        rows_of_vectors(dst, src, block, 0);
    else if (bytes < 2 * VECTOR_BYTES)
        rows_of_vectors(dst, src, block, 1);
    else if (bytes < 3 * VECTOR_BYTES)
        rows_of_vectors(dst, src, block, 2);
    else if (bytes < 4 * VECTOR_BYTES)
        rows_of_vectors(dst, src, block, 3);
    else if (bytes < 5 * VECTOR_BYTES)
        rows_of_vectors(dst, src, block, 4);
    else
        rows_of(dst, src, block, bytes);
#else
    if (bytes == LINE_BYTES)
        rows_of(dst, src, block, LINE_BYTES);
    else
        rows_of(dst, src, block, bytes);
#endif
}

/* How many units ahead of the present one the caches are told of; never a whole row. */
ASTRIDE__HOST_INLINE size_t units_ahead(const astride__host_block *block)
{
    const size_t units = AHEAD_BYTES / block->unit_bytes + 1;
    return units < block->columns ? units : block->columns - 1;
}

/* Index of the unit that lies `units` behind the present one, maybe at the start of the next row.
 */
typedef struct position {
    ptrdiff_t row, column;
} position;

ASTRIDE__HOST_INLINE position position_ahead(const astride__host_block *block, size_t row,
                                             size_t column, size_t units)
{
    const bool next = column + units >= block->columns;
    return (position){(ptrdiff_t)row + next,
                      (ptrdiff_t)(column + units) - (next ? (ptrdiff_t)block->columns : 0)};
}

ASTRIDE__HOST_INLINE void fetch_source(const uint8_t *src, const astride__host_block *block,
                                       position at, size_t bytes)
{
    fetch(src, at.row * block->src_row + at.column * block->src_column, bytes);
}

/* The same from and to memory that is in no cache: both sides are asked for in time. */
static void rows_apart(uint8_t *restrict dst, const uint8_t *restrict src,
                       const astride__host_block *block)
{
    const size_t bytes = block->unit_bytes;
    const size_t units = units_ahead(block);
    for (size_t row = 0; row < block->rows; row++) {
        for (size_t column = 0; column < block->columns; column++) {
            const position at = position_ahead(block, row, column, units);
            uint8_t *to =
                dst + (ptrdiff_t)row * block->dst_row + (ptrdiff_t)column * block->dst_column;
            const uint8_t *from =
                src + (ptrdiff_t)row * block->src_row + (ptrdiff_t)column * block->src_column;
            fetch_source(src, block, at, bytes);
            fetch_to_write(dst, at.row * block->dst_row + at.column * block->dst_column, bytes);
            if (bytes <= UNIT_BYTES)
                copy_unit(to, from, bytes);
            else
                copy_run(to, from, bytes);
        }
    }
}

/* Past the caches, with whole lines wherever units join in the destination. */
static void rows_joined(uint8_t *restrict dst, const uint8_t *restrict src,
                        const astride__host_block *block)
{
    const size_t bytes = block->unit_bytes;
    const size_t units = units_ahead(block);
    const size_t fetched = bytes < AHEAD_LINES_BYTES ? bytes : AHEAD_LINES_BYTES;
    const bool fetches = block->columns > 1 && block->src_column != (ptrdiff_t)bytes;
    line_writer writer;
    begin_lines(&writer, dst);
    for (size_t row = 0; row < block->rows; row++) {
        for (size_t column = 0; column < block->columns; column++) {
            uint8_t *to =
                dst + (ptrdiff_t)row * block->dst_row + (ptrdiff_t)column * block->dst_column;
            const uint8_t *from =
                src + (ptrdiff_t)row * block->src_row + (ptrdiff_t)column * block->src_column;
            if (fetches)
                fetch_source(src, block, position_ahead(block, row, column, units), fetched);
            if (to != writer.next) {
                end_lines(&writer);
                begin_lines(&writer, to);
            }
            write_lines(&writer, from, bytes);
        }
    }
    end_lines(&writer);
}

/* Lines that are read and written whole and never join: the unit is a line or several. */
static void rows_of_lines(uint8_t *restrict dst, const uint8_t *restrict src,
                          const astride__host_block *block)
{
    const size_t bytes = block->unit_bytes;
    const size_t units = units_ahead(block);
    for (size_t row = 0; row < block->rows; row++) {
        for (size_t column = 0; column < block->columns; column++) {
            uint8_t *to =
                dst + (ptrdiff_t)row * block->dst_row + (ptrdiff_t)column * block->dst_column;
            const uint8_t *from =
                src + (ptrdiff_t)row * block->src_row + (ptrdiff_t)column * block->src_column;
            fetch_source(src, block, position_ahead(block, row, column, units), bytes);
            for (size_t i = 0; i < bytes; i += LINE_BYTES)
                stream_line(to + i, from + i);
        }
    }
}

/* Bytes between the first and the last unit of a side beyond which neighbours share no cache. */
#define WIDE_BYTES ((size_t)2 << 20)

static bool is_wide(const astride__host_block *block)
{
    const size_t pitch = (size_t)(block->src_column < 0 ? -block->src_column : block->src_column);
    return pitch >= 2 * block->unit_bytes && pitch > WIDE_BYTES / block->columns;
}

static void copy_rows(uint8_t *restrict dst, const uint8_t *restrict src,
                      const astride__host_block *block)
{
    const uintptr_t phases = (uintptr_t)dst | (uintptr_t)block->dst_row |
                             (uintptr_t)block->dst_column | block->unit_bytes;
    if (!block->streams) {
        if (is_wide(block))
            rows_apart(dst, src, block);
        else
            rows_near(dst, src, block);
    } else if (phases % LINE_BYTES == 0 && block->unit_bytes <= 4 * LINE_BYTES) {
        rows_of_lines(dst, src, block);
    } else if (block->unit_bytes >= JOINED_BYTES) {
        rows_joined(dst, src, block);
    } else {
        rows_apart(dst, src, block);
    }
}

/* How far ahead of a tile's loads, along each of the source's lines, the next are asked for. */
#define TILE_AHEAD LINE_BYTES

/* Zips `count` vectors of elements of `size` bytes until each is 16 bytes of a column. */
#define ZIP_STAGE(type, prefix, size, count, from, to)                                             \
    ASTRIDE__HOST_UNROLL                                                                           \
    for (int i = 0; i < (count) / 2; i++) {                                                        \
        (to)[2 * i] = prefix##ZIP_LOW_##size((from)[i], (from)[i + (count) / 2]);                  \
        (to)[2 * i + 1] = prefix##ZIP_HIGH_##size((from)[i], (from)[i + (count) / 2]);             \
    }

/*
 * Every stage zips the first half of the vectors with the second half; after log2(count) of them
 * vector k is column k. An even number of stages ends in `v`, an odd one in `w`.
 */
#define ZIP_16(type, prefix, v, w, result) result = (v)
#define ZIP_8(type, prefix, v, w, result)                                                          \
    ZIP_STAGE(type, prefix, 8, 2, v, w)                                                            \
    result = (w)
#define ZIP_4(type, prefix, v, w, result)                                                          \
    ZIP_STAGE(type, prefix, 4, 4, v, w)                                                            \
    ZIP_STAGE(type, prefix, 4, 4, w, v)                                                            \
    result = (v)
#define ZIP_2(type, prefix, v, w, result)                                                          \
    ZIP_STAGE(type, prefix, 2, 8, v, w)                                                            \
    ZIP_STAGE(type, prefix, 2, 8, w, v)                                                            \
    ZIP_STAGE(type, prefix, 2, 8, v, w)                                                            \
    result = (w)
#define ZIP_1(type, prefix, v, w, result)                                                          \
    ZIP_STAGE(type, prefix, 1, 16, v, w)                                                           \
    ZIP_STAGE(type, prefix, 1, 16, w, v)                                                           \
    ZIP_STAGE(type, prefix, 1, 16, v, w)                                                           \
    ZIP_STAGE(type, prefix, 1, 16, w, v)                                                           \
    result = (v)

/* Elements that fill no lane, one by one. */
ASTRIDE__HOST_INLINE void copy_corner(uint8_t *restrict dst, const uint8_t *restrict src,
                                      size_t rows, size_t columns, ptrdiff_t dst_row,
                                      ptrdiff_t src_column, size_t size)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            memcpy(dst + (ptrdiff_t)row * dst_row + column * size,
                   src + row * size + (ptrdiff_t)column * src_column, size);
}

/*
 * The last rows of a block, which fill no lane. Where vectors have masks by bytes they are tiles
 * like all others.
 */
#ifdef EDGE_LOAD
#define DEFINE_LAST_ROWS(size)                                                                     \
    ASTRIDE__HOST_INLINE void last_rows_##size(uint8_t *restrict dst, const uint8_t *restrict src, \
                                               ptrdiff_t dst_row, ptrdiff_t src_column,            \
                                               size_t rows, size_t columns)                        \
    {                                                                                              \
        enum { COUNT = 16 / (size), LINE = LINE_BYTES / (size) };                                  \
        const uint32_t wanted = (UINT32_C(1) << rows * (size)) - 1;                                \
        size_t column = 0;                                                                         \
        for (; rows > 0 && column + LINE <= columns; column += LINE) {                             \
            const uint8_t *from = src + (ptrdiff_t)column * src_column;                            \
            VECTOR v[COUNT], w[COUNT];                                                             \
            const VECTOR *result;                                                                  \
            ASTRIDE__HOST_UNROLL                                                                   \
            for (int i = 0; i < COUNT; i++) {                                                      \
                LANE lanes[LANES];                                                                 \
                ASTRIDE__HOST_UNROLL                                                               \
                for (int lane = 0; lane < LANES; lane++)                                           \
                    lanes[lane] = EDGE_LOAD(from + (lane * COUNT + i) * src_column, wanted);       \
                v[i] = JOIN_LANES(lanes);                                                          \
            }                                                                                      \
            (void)w;                                                                               \
            ZIP_##size(VECTOR, , v, w, result);                                                    \
            ASTRIDE__HOST_UNROLL                                                                   \
            for (size_t k = 0; k < COUNT; k++) {                                                   \
                if (k < rows)                                                                      \
                    STORE(dst + (ptrdiff_t)k * dst_row + column * (size), result[k]);              \
            }                                                                                      \
        }                                                                                          \
        copy_corner(dst + column * (size), src + (ptrdiff_t)column * src_column, rows,             \
                    columns - column, dst_row, src_column, size);                                  \
    }
#else
#define DEFINE_LAST_ROWS(size)                                                                     \
    ASTRIDE__HOST_INLINE void last_rows_##size(uint8_t *restrict dst, const uint8_t *restrict src, \
                                               ptrdiff_t dst_row, ptrdiff_t src_column,            \
                                               size_t rows, size_t columns)                        \
    {                                                                                              \
        copy_corner(dst, src, rows, columns, dst_row, src_column, size);                           \
    }
#endif

/* The edges of a block: columns that fill no line, and the last rows. */
#define DEFINE_EDGE(size)                                                                          \
    DEFINE_LAST_ROWS(size)                                                                         \
                                                                                                   \
    ASTRIDE__HOST_INLINE void tile_lane_##size(uint8_t *restrict dst, const uint8_t *restrict src, \
                                               ptrdiff_t dst_row, ptrdiff_t src_column)            \
    {                                                                                              \
        enum { COUNT = 16 / (size) };                                                              \
        LANE v[COUNT], w[COUNT];                                                                   \
        const LANE *columns;                                                                       \
        ASTRIDE__HOST_UNROLL                                                                       \
        for (int i = 0; i < COUNT; i++)                                                            \
            v[i] = LANE_LOAD(src + i * src_column);                                                \
        (void)w;                                                                                   \
        ZIP_##size(LANE, LANE_, v, w, columns);                                                    \
        ASTRIDE__HOST_UNROLL                                                                       \
        for (int k = 0; k < COUNT; k++)                                                            \
            LANE_STORE(dst + k * dst_row, columns[k]);                                             \
    }                                                                                              \
                                                                                                   \
    static void edges_##size(uint8_t *restrict dst, const uint8_t *restrict src,                   \
                             const astride__host_block *block, size_t first_row,                   \
                             size_t first_column)                                                  \
    {                                                                                              \
        enum { COUNT = 16 / (size) };                                                              \
        const ptrdiff_t dst_row = block->dst_row, src_column = block->src_column;                  \
        size_t column = first_column;                                                              \
        for (; column + COUNT <= block->columns; column += COUNT) {                                \
            for (size_t row = 0; row < first_row; row += COUNT)                                    \
                tile_lane_##size(dst + (ptrdiff_t)row * dst_row + column * (size),                 \
                                 src + row * (size) + (ptrdiff_t)column * src_column, dst_row,     \
                                 src_column);                                                      \
        }                                                                                          \
        copy_corner(dst + column * (size), src + (ptrdiff_t)column * src_column, first_row,        \
                    block->columns - column, dst_row, src_column, size);                           \
        last_rows_##size(dst + (ptrdiff_t)first_row * dst_row, src + first_row * (size), dst_row,  \
                         src_column, block->rows - first_row, block->columns);                     \
    }

#define DEFINE_TRANSPOSE(size)                                                                     \
    ASTRIDE__HOST_INLINE void tile_vector_##size(uint8_t *restrict dst,                            \
                                                 const uint8_t *restrict src, ptrdiff_t dst_row,   \
                                                 ptrdiff_t src_column, bool streams)               \
    {                                                                                              \
        enum { COUNT = 16 / (size) };                                                              \
        VECTOR v[COUNT], w[COUNT];                                                                 \
        const VECTOR *columns;                                                                     \
        ASTRIDE__HOST_UNROLL                                                                       \
        for (int i = 0; i < COUNT; i++)                                                            \
            v[i] = LOAD_LANES(src + i * src_column, COUNT * src_column);                           \
        (void)w;                                                                                   \
        ZIP_##size(VECTOR, , v, w, columns);                                                       \
        ASTRIDE__HOST_UNROLL                                                                       \
        for (int k = 0; k < COUNT; k++) {                                                          \
            if (streams)                                                                           \
                STREAM(dst + k * dst_row, columns[k]);                                             \
            else                                                                                   \
                STORE(dst + k * dst_row, columns[k]);                                              \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    DEFINE_EDGE(size)                                                                              \
                                                                                                   \
    ASTRIDE__HOST_INLINE void tiles_##size(uint8_t *restrict dst, const uint8_t *restrict src,     \
                                           const astride__host_block *block, bool streams)         \
    {                                                                                              \
        enum { COUNT = 16 / (size), WIDE = COUNT * LANES, LINE = LINE_BYTES / (size) };            \
        const ptrdiff_t dst_row = block->dst_row, src_column = block->src_column;                  \
        const size_t rows = block->rows - block->rows % COUNT;                                     \
        size_t column = 0;                                                                         \
        for (; column + LINE <= block->columns; column += LINE) {                                  \
            const uint8_t *from = src + (ptrdiff_t)column * src_column;                            \
            for (size_t row = 0; row < rows; row += COUNT) {                                       \
                const int quarter = (int)(row / COUNT % 4) * (LINE / 4);                           \
                for (int i = quarter; block->fetches && i < quarter + LINE / 4; i++)               \
                    PREFETCH((uintptr_t)(from + row * (size) + i * src_column) + TILE_AHEAD);      \
                ASTRIDE__HOST_UNROLL                                                               \
                for (int part = 0; part < 4 / LANES; part++)                                       \
                    tile_vector_##size(dst + (ptrdiff_t)row * dst_row +                            \
                                           (column + (size_t)(part * WIDE)) * (size),              \
                                       from + row * (size) + part * WIDE * src_column, dst_row,    \
                                       src_column, streams);                                       \
            }                                                                                      \
        }                                                                                          \
        edges_##size(dst, src, block, rows, column);                                               \
    }                                                                                              \
                                                                                                   \
    static void transpose_##size(uint8_t *restrict dst, const uint8_t *restrict src,               \
                                 const astride__host_block *block)                                 \
    {                                                                                              \
        if (block->streams && ((uintptr_t)dst | (uintptr_t)block->dst_row) % LINE_BYTES == 0)      \
            tiles_##size(dst, src, block, true);                                                   \
        else                                                                                       \
            tiles_##size(dst, src, block, false);                                                  \
    }
DEFINE_TRANSPOSE(1)
DEFINE_TRANSPOSE(2)
DEFINE_TRANSPOSE(4)
DEFINE_TRANSPOSE(8)
DEFINE_TRANSPOSE(16)
