// The kernel mpm99 of ../peerkernels.go as a C++ programmer writes it. One thread adds without atomic operations, as the kernel does. Floats come
// by their bits, as integers.

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

struct Vec2 {
    float x, y;
};
struct Vec3 {
    float x, y, z;
};
struct Mat2 {
    float a, b, c, d; // by rows
};
struct Particle {
    Vec2 x, v;
    Mat2 c, f;
    float jp;
    int material; // 0: liquid, 1: jelly, 2: snow
};

float float32(unsigned bits) { return __builtin_bit_cast(float, bits); }

Mat2 operator*(Mat2 m, Mat2 o) { return {m.a * o.a + m.b * o.c, m.a * o.b + m.b * o.d, m.c * o.a + m.d * o.c, m.c * o.b + m.d * o.d}; }
Mat2 operator*(float s, Mat2 m) { return {s * m.a, s * m.b, s * m.c, s * m.d}; }
Mat2 operator+(Mat2 m, Mat2 o) { return {m.a + o.a, m.b + o.b, m.c + o.c, m.d + o.d}; }
Mat2 operator-(Mat2 m, Mat2 o) { return {m.a - o.a, m.b - o.b, m.c - o.c, m.d - o.d}; }
Mat2 transposed(Mat2 m) { return {m.a, m.c, m.b, m.d}; }
Vec2 operator*(Mat2 m, Vec2 v) { return {m.a * v.x + m.b * v.y, m.c * v.x + m.d * v.y}; }

// m = u * diag(s) * v^T: first the rotation that makes m symmetric, then one of Jacobi's.
void svd(Mat2 m, Mat2 &u, Vec2 &s, Mat2 &v) {
    float x = m.a + m.d, y = m.c - m.b;
    const float h = sqrtf(x * x + y * y);
    if (h > 0) {
        x /= h, y /= h;
    } else {
        x = 1, y = 0;
    }
    const Mat2 r = {x, -y, y, x};
    const Mat2 p = transposed(r) * m;
    float cosine = 1, sine = 0;
    s = {p.a, p.d};
    if (fabsf(p.b) > 1e-10f) {
        const float half = (p.a - p.d) / 2, w = sqrtf(half * half + p.b * p.b);
        const float t = half > 0 ? p.b / (half + w) : p.b / (half - w);
        cosine = 1 / sqrtf(t * t + 1), sine = -t * cosine;
        s = {cosine * cosine * p.a - 2 * cosine * sine * p.b + sine * sine * p.d, sine * sine * p.a + 2 * cosine * sine * p.b + cosine * cosine * p.d};
    }
    if (s.x < s.y) {
        const float larger = s.y;
        s.y = s.x, s.x = larger;
        v = {-sine, cosine, -cosine, -sine};
    } else {
        v = {cosine, sine, -sine, cosine};
    }
    u = r * v;
}

void weights(const Particle &p, long n, int &i, int &j, Vec2 &fx, Vec2 w[3]) {
    const Vec2 at = {p.x.x * n, p.x.y * n};
    i = int(at.x - 0.5f), j = int(at.y - 0.5f);
    fx = {at.x - i, at.y - j};
    w[0] = {0.5f * (1.5f - fx.x) * (1.5f - fx.x), 0.5f * (1.5f - fx.y) * (1.5f - fx.y)};
    w[1] = {0.75f - (fx.x - 1) * (fx.x - 1), 0.75f - (fx.y - 1) * (fx.y - 1)};
    w[2] = {0.5f * (fx.x - 0.5f) * (fx.x - 0.5f), 0.5f * (fx.y - 0.5f) * (fx.y - 0.5f)};
}

template <bool alone> inline void add(float &to, float x) {
    if (alone) {
        to += x;
    } else {
#pragma omp atomic
        to += x;
    }
}

template <bool alone> inline void scatter(Particle &p, long n, float dt, Vec3 *grid) {
    const float mu0 = 0.1e4f / (2 * 1.2f), lambda0 = 0.1e4f * 0.2f / (1.2f * 0.6f);
    const float dx = 1 / float(n), volume = dx * 0.5f * dx * 0.5f, mass = volume;
    const Mat2 one = {1, 0, 0, 1};
    int bi, bj;
    Vec2 fx, w[3];
    weights(p, n, bi, bj, fx, w);
    p.f = (one + dt * p.c) * p.f;
    const float h = p.material == 1 ? 0.3f : expf(10 * (1 - p.jp));
    const float mu = p.material == 0 ? 0 : mu0 * h, lambda = lambda0 * h;
    Mat2 u, v;
    Vec2 sig;
    svd(p.f, u, sig, v);
    sig = {fmaxf(sig.x, 1e-6f), fmaxf(sig.y, 1e-6f)};
    Vec2 kept = sig;
    if (p.material == 2) kept = {fminf(fmaxf(sig.x, 1 - 2.5e-2f), 1 + 4.5e-3f), fminf(fmaxf(sig.y, 1 - 2.5e-2f), 1 + 4.5e-3f)};
    p.jp *= sig.x / kept.x * (sig.y / kept.y);
    const float j = kept.x * kept.y;
    if (p.material == 0) {
        p.f = sqrtf(j) * one;
    } else if (p.material == 2) {
        p.f = u * Mat2{kept.x, 0, 0, kept.y} * transposed(v);
    }
    const Mat2 stress = 2 * mu * (p.f - u * transposed(v)) * transposed(p.f) + lambda * j * (j - 1) * one;
    const Mat2 affine = -dt * volume * 4 * n * n * stress + mass * p.c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const Vec2 by = affine * Vec2{(i - fx.x) * dx, (j - fx.y) * dx};
            const float weight = w[i].x * w[j].y;
            Vec3 &node = grid[(bi + i) * n + bj + j];
            add<alone>(node.x, (p.v.x * mass + by.x) * weight);
            add<alone>(node.y, (p.v.y * mass + by.y) * weight);
            add<alone>(node.z, weight * mass);
        }
    }
}

inline void gather(Particle &p, long n, float dt, const Vec3 *grid) {
    int bi, bj;
    Vec2 fx, w[3], v = {0, 0};
    Mat2 c = {0, 0, 0, 0};
    weights(p, n, bi, bj, fx, w);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const Vec3 there = grid[(bi + i) * n + bj + j];
            const float weight = w[i].x * w[j].y, x = i - fx.x, y = j - fx.y, more = 4 * float(n) * weight;
            v.x += there.x * weight;
            v.y += there.y * weight;
            c = c + more * Mat2{there.x * x, there.x * y, there.y * x, there.y * y};
        }
    }
    p.v = v, p.c = c;
    p.x.x += v.x * dt;
    p.x.y += v.y * dt;
}

template <bool alone> void step(long n, float dt, long particles, Particle *ps, Vec3 *grid) {
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n * n; k++) grid[k] = {0, 0, 0};
#pragma omp parallel for schedule(static)
    for (long k = 0; k < particles; k++) scatter<alone>(ps[k], n, dt, grid);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            Vec3 &node = grid[i * n + j];
            if (node.z <= 0) continue;
            float x = node.x / node.z, y = node.y / node.z - dt * 50;
            if ((i < 3 && x < 0) || (i > n - 3 && x > 0)) x = 0;
            if ((j < 3 && y < 0) || (j > n - 3 && y > 0)) y = 0;
            node.x = x, node.y = y;
        }
    }
#pragma omp parallel for schedule(static)
    for (long k = 0; k < particles; k++) gather(ps[k], n, dt, grid);
}

} // namespace

extern "C" void mpm(long steps, long n, unsigned bits, long particles, Particle *ps, Vec3 *grid) {
    bool alone = true;
#ifdef _OPENMP
    alone = omp_get_max_threads() == 1;
#endif
    for (long k = 0; k < steps; k++) {
        if (alone) {
            step<true>(n, float32(bits), particles, ps, grid);
        } else {
            step<false>(n, float32(bits), particles, ps, grid);
        }
    }
}
