// The kernels of ../structkernels.go as a C++ programmer writes them. Floats come by their bits, as integers.

namespace {

struct Vec3 {
    float x, y, z;
};
struct Particle {
    Vec3 at, speed;
    float mass, age;
};

float float32(unsigned bits) { return __builtin_bit_cast(float, bits); }

Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

} // namespace

extern "C" void move(long n, unsigned bits, Particle *ps) {
    const float dt = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(ps)
    for (long i = 0; i < n; i++) {
        Particle p = ps[i];
        const float drag = 0.1f * __builtin_sqrtf(p.speed.x * p.speed.x + p.speed.y * p.speed.y + p.speed.z * p.speed.z) / p.mass;
        p.speed.x += (0 - p.speed.x * drag) * dt;
        p.speed.y += (-9.81f - p.speed.y * drag) * dt;
        p.speed.z += (0 - p.speed.z * drag) * dt;
        p.at.x += p.speed.x * dt;
        p.at.y += p.speed.y * dt;
        p.at.z += p.speed.z * dt;
        const bool below = p.at.y < 0;
        p.at.y = below ? -p.at.y : p.at.y;
        p.speed.y = below ? -0.5f * p.speed.y : p.speed.y;
        p.age += dt;
        ps[i] = p;
    }
}

extern "C" void push(long n, unsigned bits, Particle *ps) {
    const float dt = float32(bits);
#pragma omp parallel for schedule(static) firstprivate(ps)
    for (long i = 0; i < n; i++) {
        Particle &p = ps[i];
        const float r = p.at.x * p.at.x + p.at.y * p.at.y + p.at.z * p.at.z + 1e-3f;
        const float s = dt * p.mass / (r * __builtin_sqrtf(r));
        p.speed.x -= p.at.x * s;
        p.speed.y -= p.at.y * s;
        p.speed.z -= p.at.z * s;
    }
}

extern "C" void spin(long n, unsigned x, unsigned y, unsigned z, const Vec3 *from, Vec3 *to) {
    const Vec3 axis = {float32(x), float32(y), float32(z)};
#pragma omp parallel for schedule(static) firstprivate(from, to)
    for (long i = 0; i < n; i++) {
        const Vec3 v = from[i], a = cross(axis, v), b = cross(axis, a);
        to[i] = {v.x + a.x * 2 + b.x * 2, v.y + a.y * 2 + b.y * 2, v.z + a.z * 2 + b.z * 2};
    }
}
