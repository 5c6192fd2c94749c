// Instructions of PTX, as the manual of its ISA describes them, for a warp of 32 threads.

static inline float ptx_float(unsigned bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The number of IEEE 754's binary16.
static inline float ptx_half(unsigned short bits) {
    const unsigned sign = (unsigned)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    if (exponent == 31) return ptx_float(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) return (sign ? -1.0f : 1.0f) * fraction * 0x1p-24f;
    return ptx_float(sign | (exponent + 112) << 23 | fraction << 13);
}
static inline float ptx_bfloat(unsigned short bits) { return ptx_float((unsigned)bits << 16); }

inline void ptx_cvt_f32_f16(float& x, unsigned short bits) { x = ptx_half(bits); }

// A NaN becomes the one that all bits make.
inline void ptx_add_f32(float& to, float x, float y) { to = x + y == x + y ? x + y : ptx_float(0x7fffffff); }

// To the nearest number with 10 bits behind the point, away from zero if two are as near. On an H200 a
// NaN whose bits are all among those that are dropped becomes an infinity.
inline void ptx_cvt_rna_tf32_f32(unsigned& to, float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    to = (bits & 0x7fffffff) > 0x7f800000 ? bits & 0xffffe000 : (bits + 0x1000) & 0xffffe000;
}

// The number in a register with one of TF32. What the lower bits of one mean that was not converted is not defined.
static inline float ptx_tf32(unsigned bits) {
    if (bits & 0x1fff) {
        dprintf(shim_errors, "mma.sync of numbers that are not of TF32\n");
        abort();
    }
    return ptx_float(bits);
}

// The register of a matrix fragment that a thread has: two words hold four registers.
static inline unsigned ptx_register(const unsigned long long (&given)[4], int i) { return unsigned(given[i / 2] >> i % 2 * 32); }

// The element of A at a row and a column, of numbers that lie in registers by so many bits: "Matrix Fragments for mma.m16n8k16",
// and its like for m16n8k32. The thread that has it is that of its row in its group, and of its column.
static inline unsigned ptx_a(unsigned long long (*given)[4], int row, int k, int bits) {
    const int per = 32 / bits;
    const int lane = row % 8 * 4 + k / per % 4, reg = row / 8 + k / (4 * per) * 2;
    return ptx_register(given[lane], reg) >> k % per * bits & ~0u >> (32 - bits);
}

// The element of B at a row and a column.
static inline unsigned ptx_b(unsigned long long (*given)[4], int k, int column, int bits) {
    const int per = 32 / bits;
    const int lane = column * 4 + k / per % 4, reg = 4 + k / (4 * per);
    return ptx_register(given[lane], reg) >> k % per * bits & ~0u >> (32 - bits);
}

// D = A B + C: a thread has the elements of C in rows lane / 4 and that plus 8, in columns lane % 4 * 2 and the next.
template <class T, class Product>
static inline void ptx_mma(T& c0, T& c1, T& c2, T& c3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1, int depth, int bits, Product product) {
    unsigned long long (*given)[4] = shim_exchange({a0 | (unsigned long long)a1 << 32, a2 | (unsigned long long)a3 << 32, b0 | (unsigned long long)b1 << 32, 0});
    T* const c[4] = {&c0, &c1, &c2, &c3};
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        for (int k = 0; k < depth; k++) *c[i] = product(ptx_a(given, row, k, bits), ptx_b(given, k, column, bits), *c[i]);
    }
}

// The matrices of 8 x 4 and 4 x 8 have one element in each thread: that in row lane / 4 of A, column lane / 4 of B, and lane % 4 of the other axis.
inline void ptx_mma_sync_aligned_m8n8k4_row_col_f64_f64_f64_f64(double& c0, double& c1, double a, double b) {
    unsigned long long mine[4] = {};
    memcpy(&mine[0], &a, 8);
    memcpy(&mine[1], &b, 8);
    unsigned long long (*given)[4] = shim_exchange(mine);
    const int lane = threadIdx.x % 32;
    for (int k = 0; k < 4; k++) {
        double x, y0, y1;
        memcpy(&x, &given[lane / 4 * 4 + k][0], 8);
        memcpy(&y0, &given[lane % 4 * 2 * 4 + k][1], 8);
        memcpy(&y1, &given[(lane % 4 * 2 + 1) * 4 + k][1], 8);
        c0 = fma(x, y0, c0);
        c1 = fma(x, y1, c1);
    }
}

inline void ptx_mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(float& c0, float& c1, float& c2, float& c3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    ptx_mma(c0, c1, c2, c3, a0, a1, a2, a3, b0, b1, 16, 16, [](unsigned x, unsigned y, float sum) { return fmaf(ptx_half(x), ptx_half(y), sum); });
}
inline void ptx_mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32(float& c0, float& c1, float& c2, float& c3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    ptx_mma(c0, c1, c2, c3, a0, a1, a2, a3, b0, b1, 16, 16, [](unsigned x, unsigned y, float sum) { return fmaf(ptx_bfloat(x), ptx_bfloat(y), sum); });
}
inline void ptx_mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32(float& c0, float& c1, float& c2, float& c3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    ptx_mma(c0, c1, c2, c3, a0, a1, a2, a3, b0, b1, 8, 32, [](unsigned x, unsigned y, float sum) { return fmaf(ptx_tf32(x), ptx_tf32(y), sum); });
}
inline void ptx_mma_sync_aligned_m16n8k32_row_col_s32_s8_s8_s32(int& c0, int& c1, int& c2, int& c3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    ptx_mma(c0, c1, c2, c3, a0, a1, a2, a3, b0, b1, 32, 8, [](unsigned x, unsigned y, int sum) { return int((unsigned)sum + (unsigned)((int)(signed char)x * (int)(signed char)y)); });
}

// Four matrices of 8 x 8 numbers of 16 bits. Threads 0 to 7 have the addresses of the rows of the first one, 8 to 15 of the second.
// A thread gets two that follow each other, of row lane / 4; or of column lane / 4 if they are transposed.
static inline void ptx_ldmatrix(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned at, bool transposed) {
    if (at % 16 != 0) {
        dprintf(shim_errors, "ldmatrix of a row that is not aligned to 16 bytes\n");
        abort();
    }
    unsigned long long (*given)[4] = shim_exchange({at, 0, 0, 0});
    unsigned* const r[4] = {&r0, &r1, &r2, &r3};
    const int lane = threadIdx.x % 32;
    for (int m = 0; m < 4; m++) {
        unsigned short pair[2];
        for (int i = 0; i < 2; i++) {
            const int row = transposed ? lane % 4 * 2 + i : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + i;
            memcpy(&pair[i], (const char*)shim_generic(unsigned(given[m * 8 + row][0])) + 2 * column, 2);
        }
        memcpy(r[m], pair, 4);
    }
}
inline void ptx_ldmatrix_sync_aligned_m8n8_x4_shared_b16(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned at) { ptx_ldmatrix(r0, r1, r2, r3, at, false); }
inline void ptx_ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned at) { ptx_ldmatrix(r0, r1, r2, r3, at, true); }

// Copies that are on their way, the last one first: they happen when their thread waits for them, as late as they may.
struct ptx_copy {
    ptx_copy* before;
    int group; // how many groups were closed after it
    void* to;
    const void* from;
};
static inline void ptx_land(ptx_copy*& last, int groups) {
    if (!last) return;
    ptx_land(last->before, groups);
    if (last->group < groups) return;
    memcpy(last->to, last->from, 16);
    ptx_copy* const before = last->before;
    free(last);
    last = before;
}
inline void ptx_cp_async_cg_shared_global(unsigned to, __SIZE_TYPE__ from) {
    if (to % 16 != 0 || from % 16 != 0) {
        dprintf(shim_errors, "cp.async of 16 bytes that are not aligned so\n");
        abort();
    }
    ptx_copy* const c = (ptx_copy*)malloc(sizeof(ptx_copy));
    *c = {(ptx_copy*)shim_current->copies, 0, shim_generic(to), (const void*)from};
    shim_current->copies = c;
}
inline void ptx_cp_async_commit_group() {
    for (ptx_copy* c = (ptx_copy*)shim_current->copies; c; c = c->before) c->group++;
}
inline void ptx_cp_async_wait_group(int groups) {
    ptx_copy* last = (ptx_copy*)shim_current->copies;
    ptx_land(last, groups + 1);
    shim_current->copies = last;
}
inline void ptx_cp_async_wait_all() {
    ptx_copy* last = (ptx_copy*)shim_current->copies;
    ptx_land(last, 0);
    shim_current->copies = last;
}
