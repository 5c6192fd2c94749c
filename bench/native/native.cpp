// The kernels of ../kernels.go as a C++ programmer writes them, with OpenMP.
// Compiled by the same compiler with the same options plus -fopenmp. Variables are
// firstprivate, without which clang reads them anew in every turn of a loop.

extern "C" void native_saxpy(long n, float a, const float *x, float *y) {
#pragma omp parallel for simd schedule(static) firstprivate(a, x, y)
    for (long i = 0; i < n; i++)
        y[i] += a * x[i];
}

// The same by somebody who has looked at the assembly: clang vectorizes the loop when
// it stands outside of the OpenMP construct, with pointers that are said not to alias.
static void saxpy_range(long begin, long end, float a, const float *__restrict x, float *__restrict y) {
    for (long i = begin; i < end; i++)
        y[i] += a * x[i];
}

extern "C" void native_saxpy_tuned(long n, float a, const float *x, float *y) {
    const long chunk = 1 << 16;
#pragma omp parallel for schedule(static)
    for (long begin = 0; begin < n; begin += chunk)
        saxpy_range(begin, begin + chunk < n ? begin + chunk : n, a, x, y);
}

extern "C" void native_heat(long n, long m, float r, const float *u, float *next) {
#pragma omp parallel for schedule(static) firstprivate(n, m, r, u, next)
    for (long i = 0; i < n; i++) {
        const float *up = u + (i > 0 ? i - 1 : 0) * m;
        const float *row = u + i * m;
        const float *down = u + (i < n - 1 ? i + 1 : n - 1) * m;
#pragma omp simd
        for (long j = 0; j < m; j++) {
            const long left = j > 0 ? j - 1 : 0, right = j < m - 1 ? j + 1 : m - 1;
            next[i * m + j] = row[j] + r * (up[j] + down[j] + row[left] + row[right] - 4 * row[j]);
        }
    }
}

extern "C" void native_mandelbrot(long height, long width, double x0, double y0, double pixel, int limit, int *out) {
#pragma omp parallel for collapse(2) schedule(dynamic, 256) firstprivate(width, x0, y0, pixel, limit, out)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col++) {
            const double cx = x0 + col * pixel, cy = y0 + row * pixel;
            double x = 0, y = 0;
            int n = 0;
            while (n < limit && x * x + y * y <= 4) {
                const double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                n++;
            }
            out[row * width + col] = n;
        }
}

extern "C" void native_blur(long height, long width, long taps, const float *weights, const float *in, float *out) {
    const long radius = taps / 2;
#pragma omp parallel for schedule(static) firstprivate(width, taps, weights, in, out)
    for (long i = 0; i < height; i++)
        for (long j = 0; j < width; j++) {
            float sum = 0;
            for (long k = 0; k < taps; k++) {
                long at = j + k - radius;
                at = at < 0 ? 0 : at > width - 1 ? width - 1 : at;
                sum += weights[k] * in[i * width + at];
            }
            out[i * width + j] = sum;
        }
}

// What qdgen's side calls with integer arguments only: floats by their bits.

extern "C" void bench_saxpy(long n, unsigned a, const float *x, float *y) {
    native_saxpy(n, __builtin_bit_cast(float, a), x, y);
}

extern "C" void bench_saxpy_tuned(long n, unsigned a, const float *x, float *y) {
    native_saxpy_tuned(n, __builtin_bit_cast(float, a), x, y);
}

extern "C" void bench_heat(long n, long m, unsigned r, const float *u, float *next) {
    native_heat(n, m, __builtin_bit_cast(float, r), u, next);
}

extern "C" void bench_mandelbrot(long height, long width, unsigned long x0, unsigned long y0, unsigned long pixel, int limit, int *out) {
    native_mandelbrot(height, width, __builtin_bit_cast(double, x0), __builtin_bit_cast(double, y0),
                      __builtin_bit_cast(double, pixel), limit, out);
}
