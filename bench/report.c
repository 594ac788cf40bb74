/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The figures as a table, as JSON and as a picture.
 */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static double ratio(const bench_result *result, size_t peer)
{
    return result->ns[peer] > 0 ? result->memcpy_ns / result->ns[peer] : -1;
}

void bench_report_heading(const bench_peer *peers, size_t peer_count)
{
    printf("%-32s %9s", "layout", "memcpy/us");
    for (size_t p = 0; p < peer_count; p++)
        printf(" %11s", peers[p].name);
    putchar('\n');
    fflush(stdout);
}

void bench_report_row(const bench_result *result, size_t peer_count)
{
    printf("%-32s %9.1f", result->layout.name, result->memcpy_ns / 1e3);
    for (size_t p = 0; p < peer_count; p++) {
        if (result->ns[p] > 0)
            printf(" %11.3f", ratio(result, p));
        else
            printf(" %11s", "-");
    }
    putchar('\n');
    fflush(stdout);
}

static bool is_packaged(const bench_peer *peer)
{
    return peer->threads == 0 && peer->run != bench_specialised_run;
}

/*
 * Geometric means. A contestant's own is over the layouts that it took part in, and stands beside
 * Astride's over the same ones.
 */
void bench_report_means(const bench_result *results, size_t result_count, const bench_peer *peers,
                        size_t peer_count)
{
    double best_sum = 0, astride_sum = 0;
    size_t best_count = 0;
    if (peer_count == 0 || peers[0].threads == 0)
        return;
    putchar('\n');
    for (size_t p = 1; p < peer_count; p++) {
        double own = 0, astride = 0;
        size_t count = 0;
        for (size_t r = 0; r < result_count; r++) {
            if (results[r].ns[p] <= 0 || results[r].ns[0] <= 0)
                continue;
            own += log(ratio(&results[r], p));
            astride += log(ratio(&results[r], 0));
            count++;
        }
        if (count > 0)
            printf("geometric mean over %zu layouts: %s %.3f, Astride %.3f (%.2f x)\n", count,
                   peers[p].name, exp(own / (double)count), exp(astride / (double)count),
                   exp((astride - own) / (double)count));
    }
    for (size_t r = 0; r < result_count; r++) {
        double best = 0;
        for (size_t p = 1; p < peer_count; p++) {
            if (is_packaged(&peers[p]) && ratio(&results[r], p) > best)
                best = ratio(&results[r], p);
        }
        if (best <= 0 || results[r].ns[0] <= 0)
            continue;
        best_sum += log(best);
        astride_sum += log(ratio(&results[r], 0));
        best_count++;
        if (best > ratio(&results[r], 0))
            printf("behind a packaged peer: %s, %.3f against %.3f\n", results[r].layout.name,
                   ratio(&results[r], 0), best);
    }
    if (best_count > 0)
        printf("geometric mean over %zu layouts: best packaged peer of each %.3f, Astride %.3f "
               "(%.2f x)\n",
               best_count, exp(best_sum / (double)best_count),
               exp(astride_sum / (double)best_count),
               exp((astride_sum - best_sum) / (double)best_count));
}

static bool close_file(FILE *file, const char *path)
{
    const bool bad = ferror(file) != 0;
    if (fclose(file) == 0 && !bad)
        return true;
    fprintf(stderr, "bench: %s could not be written\n", path);
    return false;
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        fprintf(stderr, "bench: %s cannot be opened\n", path);
    return file;
}

bool bench_report_json(const char *path, const bench_result *results, size_t result_count,
                       const bench_peer *peers, size_t peer_count)
{
    FILE *file = open_file(path);
    if (file == NULL)
        return false;
    fputs("{\n  \"layouts\": [", file);
    for (size_t r = 0; r < result_count; r++) {
        fprintf(file,
                "%s\n    {\"name\": \"%s\", \"payload_bytes\": %zu, \"memcpy_ns\": %.1f, \"ns\": {",
                r == 0 ? "" : ",", results[r].layout.name, results[r].layout.payload_bytes,
                results[r].memcpy_ns);
        const char *separator = "";
        for (size_t p = 0; p < peer_count; p++) {
            if (results[r].ns[p] <= 0)
                continue;
            fprintf(file, "%s\"%s\": %.1f", separator, peers[p].name, results[r].ns[p]);
            separator = ", ";
        }
        fputs("}}", file);
    }
    fputs("\n  ]\n}\n", file);
    return close_file(file, path);
}

/* Horizontal bars: a group for each layout, a bar for each contestant, a line at memcpy's pace. */
bool bench_report_plot(const char *path, const bench_result *results, size_t result_count,
                       const bench_peer *peers, size_t peer_count)
{
    static const char *const colours[] = {"#0b5fa5", "#7fb2dd", "#999999", "#d1495b",
                                          "#edae49", "#66a182", "#8d6a9f", "#444444"};
    enum { LEFT = 250, UNIT = 420, BAR = 6, GAP = 8, TOP = 40 };
    const int group = (int)peer_count * BAR + GAP;
    const int height = TOP + (int)result_count * group + 20;
    FILE *file = open_file(path);
    if (file == NULL)
        return false;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            LEFT + 2 * UNIT, height);
    for (size_t p = 0; p < peer_count; p++)
        fprintf(file,
                "<rect x=\"%d\" y=\"8\" width=\"10\" height=\"10\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"17\">%s</text>\n",
                LEFT + (int)p * 95, colours[p % 8], LEFT + 14 + (int)p * 95, peers[p].name);
    for (size_t r = 0; r < result_count; r++) {
        const int y = TOP + (int)r * group;
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
                y + group / 2, results[r].layout.name);
        for (size_t p = 0; p < peer_count; p++) {
            const double length = ratio(&results[r], p);
            if (length > 0)
                fprintf(file,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                        LEFT, y + (int)p * BAR, length * UNIT, BAR - 1, colours[p % 8]);
        }
    }
    fprintf(file,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"black\"/>"
            "<text x=\"%d\" y=\"%d\">memcpy</text>\n</svg>\n",
            LEFT + UNIT, TOP - 6, LEFT + UNIT, height - 14, LEFT + UNIT - 18, height - 2);
    return close_file(file, path);
}
