// The kernels of ../indexkernels.go as a C++ programmer writes them, with OpenMP. Floats come by their bits, as integers.

static inline float float32(unsigned bits) { return __builtin_bit_cast(float, bits); }

extern "C" void native_wrap(long n, long m, unsigned bits, const float *u, float *next) {
    const float r = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(n, m, r, u, next)
    for (long i = 0; i < n; i++) {
        const float *up = u + (i > 0 ? i - 1 : n - 1) * m;
        const float *row = u + i * m;
        const float *down = u + (i < n - 1 ? i + 1 : 0) * m;
#pragma omp simd
        for (long j = 0; j < m; j++) {
            const long left = j > 0 ? j - 1 : m - 1, right = j < m - 1 ? j + 1 : 0;
            next[i * m + j] = row[j] + r * (up[j] + down[j] + row[left] + row[right] - 4 * row[j]);
        }
    }
}

// The same by somebody who has taken the first and the last column out of the loop.
extern "C" void tuned_wrap(long n, long m, unsigned bits, const float *u, float *next) {
    const float r = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(n, m, r, u, next)
    for (long i = 0; i < n; i++) {
        const float *up = u + (i > 0 ? i - 1 : n - 1) * m;
        const float *row = u + i * m;
        const float *down = u + (i < n - 1 ? i + 1 : 0) * m;
        float *to = next + i * m;
        to[0] = row[0] + r * (up[0] + down[0] + row[m - 1] + row[1] - 4 * row[0]);
#pragma omp simd
        for (long j = 1; j < m - 1; j++) to[j] = row[j] + r * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
        to[m - 1] = row[m - 1] + r * (up[m - 1] + down[m - 1] + row[m - 2] + row[0] - 4 * row[m - 1]);
    }
}

extern "C" void native_blur3(long n, long m, const float *in, float *out) {
#pragma omp parallel for schedule(static) firstprivate(n, m, in, out)
    for (long i = 0; i < n; i++) {
        const float *rows[] = {in + (i > 0 ? i - 1 : 0) * m, in + i * m, in + (i < n - 1 ? i + 1 : n - 1) * m};
#pragma omp simd
        for (long j = 0; j < m; j++) {
            const long left = j > 0 ? j - 1 : 0, right = j < m - 1 ? j + 1 : m - 1;
            float sum = 0;
            for (const float *row : rows) sum += row[left], sum += row[j], sum += row[right];
            out[i * m + j] = sum / 9;
        }
    }
}

extern "C" void tuned_blur3(long n, long m, const float *in, float *out) {
#pragma omp parallel for schedule(static) firstprivate(n, m, in, out)
    for (long i = 0; i < n; i++) {
        const float *up = in + (i > 0 ? i - 1 : 0) * m, *row = in + i * m, *down = in + (i < n - 1 ? i + 1 : n - 1) * m;
        const auto mean = [=](long left, long j, long right) {
            return (up[left] + up[j] + up[right] + row[left] + row[j] + row[right] + down[left] + down[j] + down[right]) / 9;
        };
        float *to = out + i * m;
        to[0] = mean(0, 0, 1);
#pragma omp simd
        for (long j = 1; j < m - 1; j++) to[j] = mean(j - 1, j, j + 1);
        to[m - 1] = mean(m - 2, m - 1, m - 1);
    }
}

// A fluid

static inline __attribute__((always_inline)) void cell(float omega, long n, const float *f, float *next, long at, long row, long south, long north, long west, long x, long east) {
    const float f0 = f[row + x], f1 = f[n + row + west], f2 = f[2 * n + south + x], f3 = f[3 * n + row + east], f4 = f[4 * n + north + x];
    const float f5 = f[5 * n + south + west], f6 = f[6 * n + south + east], f7 = f[7 * n + north + east], f8 = f[8 * n + north + west];
    const float density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    const float u = (f1 - f3 + f5 - f6 - f7 + f8) / density, v = (f2 - f4 + f5 + f6 - f7 - f8) / density;
    const float rest = 1 - 1.5f * (u * u + v * v), near = density / 9, far = density / 36;
    next[at] = f0 + omega * (4 * near * rest - f0);
    next[n + at] = f1 + omega * (near * (rest + 3 * u + 4.5f * u * u) - f1);
    next[2 * n + at] = f2 + omega * (near * (rest + 3 * v + 4.5f * v * v) - f2);
    next[3 * n + at] = f3 + omega * (near * (rest - 3 * u + 4.5f * u * u) - f3);
    next[4 * n + at] = f4 + omega * (near * (rest - 3 * v + 4.5f * v * v) - f4);
    const float a = u + v, b = u - v;
    next[5 * n + at] = f5 + omega * (far * (rest + 3 * a + 4.5f * a * a) - f5);
    next[6 * n + at] = f6 + omega * (far * (rest - 3 * b + 4.5f * b * b) - f6);
    next[7 * n + at] = f7 + omega * (far * (rest - 3 * a + 4.5f * a * a) - f7);
    next[8 * n + at] = f8 + omega * (far * (rest + 3 * b + 4.5f * b * b) - f8);
}

extern "C" void native_lbm(long h, long w, unsigned bits, const float *f, float *next) {
    const float omega = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(h, w, omega, f, next)
    for (long y = 0; y < h; y++) {
        const long row = y * w, south = (y > 0 ? y - 1 : h - 1) * w, north = (y < h - 1 ? y + 1 : 0) * w;
#pragma omp simd
        for (long x = 0; x < w; x++) cell(omega, h * w, f, next, row + x, row, south, north, x > 0 ? x - 1 : w - 1, x, x < w - 1 ? x + 1 : 0);
    }
}

extern "C" void tuned_lbm(long h, long w, unsigned bits, const float *f, float *next) {
    const float omega = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(h, w, omega, f, next)
    for (long y = 0; y < h; y++) {
        const long row = y * w, south = (y > 0 ? y - 1 : h - 1) * w, north = (y < h - 1 ? y + 1 : 0) * w;
        cell(omega, h * w, f, next, row, row, south, north, w - 1, 0, 1);
#pragma omp simd
        for (long x = 1; x < w - 1; x++) cell(omega, h * w, f, next, row + x, row, south, north, x - 1, x, x + 1);
        cell(omega, h * w, f, next, row + w - 1, row, south, north, w - 2, w - 1, 0);
    }
}

// Random numbers

extern "C" void native_philox(long n, unsigned long seed, unsigned long *out) {
#pragma omp parallel for simd schedule(static) firstprivate(n, seed, out)
    for (long i = 0; i < n; i++) {
        unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32), c0 = (unsigned)i, c1 = (unsigned)((unsigned long)i >> 32), c2 = 0, c3 = 0;
        for (int round = 0; round < 10; round++) {
            const unsigned long p = c0 * 0xd2511f53ul, q = c2 * 0xcd9e8d57ul;
            c0 = (unsigned)(q >> 32) ^ c1 ^ k0, c1 = (unsigned)q;
            c2 = (unsigned)(p >> 32) ^ c3 ^ k1, c3 = (unsigned)p;
            k0 += 0x9e3779b9, k1 += 0xbb67ae85;
        }
        out[i] = (unsigned long)c1 << 32 | c0;
    }
}

extern "C" void native_pcg(long n, unsigned *out) {
#pragma omp parallel for simd schedule(static) firstprivate(n, out)
    for (long i = 0; i < n; i++) {
        const unsigned state = (unsigned)i * 747796405u + 2891336453u;
        const unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        out[i] = (word >> 22) ^ word;
    }
}

extern "C" void pixels(long h, long w, const float *in, float *out) {
#pragma omp parallel for schedule(static) firstprivate(h, w, in, out)
    for (long i = 0; i < h; i++) {
        for (long j = 0; j < w; j++) {
            for (long k = 0; k < 3; k++) {
                float v = in[(i * w + j) * 3 + k];
                v = v * (2.51f * v + 0.03f) / (v * (2.43f * v + 0.59f) + 0.14f);
                v = v < 0 ? 0 : v > 1 ? 1 : v;
                out[(i * w + j) * 3 + k] = __builtin_sqrtf(v);
            }
        }
    }
}

extern "C" void gray(long n, const unsigned char *rgb, float *light) {
#pragma omp parallel for simd schedule(static) firstprivate(n, rgb, light)
    for (long i = 0; i < n; i++) {
        const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        light[i] = float((299 * r + 587 * g + 114 * b + 500) / 1000);
    }
}

static inline unsigned char brighter(unsigned char x, unsigned bits) {
    float gain;
    __builtin_memcpy(&gain, &bits, sizeof gain);
    const float v = x * gain;
    return (unsigned char)(int)(v < 255 ? v : 255);
}

extern "C" void brighten(long n, unsigned gain, const unsigned char *pixels, unsigned char *next) {
#pragma omp parallel for simd schedule(static) firstprivate(n, gain, pixels, next)
    for (long i = 0; i < n; i++) {
        for (long c = 0; c < 3; c++) next[3 * i + c] = brighter(pixels[3 * i + c], gain);
    }
}

extern "C" void brighten_some(long n, unsigned gain, const unsigned char *mask, const unsigned char *pixels, unsigned char *next) {
#pragma omp parallel for schedule(static) firstprivate(n, gain, mask, pixels, next)
    for (long i = 0; i < n; i++) {
        if (!mask[i]) continue;
        for (long c = 0; c < 3; c++) next[3 * i + c] = brighter(pixels[3 * i + c], gain);
    }
}

extern "C" void windows(long h, long w, long radius, const float *u, float *sums) {
#pragma omp parallel for schedule(static) firstprivate(h, w, radius, u, sums)
    for (long i = 0; i < h; i++) {
        for (long j = 0; j < w; j++) {
            float sum = 0;
            for (long k = -radius; k <= radius; k++) {
                long at = j + k;
                at = at < 0 ? 0 : at > w - 1 ? w - 1 : at;
                sum += u[i * w + at];
            }
            sums[i * w + j] = sum;
        }
    }
}

extern "C" void heat_flat(long h, long w, const float *u, float *next) {
#pragma omp parallel for schedule(static) firstprivate(h, w, u, next)
    for (long y = 0; y < h; y++) {
        for (long x = 0; x < w; x++) {
            const long i = y * w + x;
            if (x == 0 || x == w - 1 || y == 0 || y == h - 1) next[i] = u[i];
            else next[i] = u[i] + 0.2f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4 * u[i]);
        }
    }
}

extern "C" void divisors(long n, const int *a, const int *b, float *divisors) {
#pragma omp parallel for schedule(static) firstprivate(n, a, b, divisors)
    for (long i = 0; i < n; i++) {
        int x = a[i], y = b[i];
        while (y != 0) {
            const int rest = x % y;
            x = y;
            y = rest;
        }
        divisors[i] = float(x);
    }
}
