// The kernels of ../arraykernels.go as a C++ programmer writes them.

namespace {

struct BoxNode {
    int left, right;
    float low, high;
};

} // namespace

extern "C" void median(long height, long width, const float *in, float *out) {
#pragma omp parallel for schedule(static) firstprivate(in, out)
    for (long i = 0; i < height - 2; i++) {
        for (long j = 0; j < width - 2; j++) {
            float v[9];
            int n = 0;
            for (int dy = 0; dy < 3; dy++) {
                for (int dx = 0; dx < 3; dx++) {
                    const float p = in[(i + dy) * width + j + dx];
                    int k = n++;
                    for (; k > 0 && v[k - 1] > p; k--) {
                        v[k] = v[k - 1];
                    }
                    v[k] = p;
                }
            }
            out[i * (width - 2) + j] = v[4];
        }
    }
}

extern "C" void determinants(long count, const float *in, float *out) {
    const int n = 8;
#pragma omp parallel for schedule(static) firstprivate(in, out)
    for (long i = 0; i < count; i++) {
        float m[n][n];
        for (int r = 0; r < n; r++) {
            for (int c = 0; c < n; c++) {
                m[r][c] = in[i * n * n + r * n + c];
            }
        }
        float d = 1;
        for (int k = 0; k < n; k++) {
            for (int r = k + 1; r < n; r++) {
                const float f = m[r][k] / m[k][k];
                for (int c = k; c < n; c++) {
                    m[r][c] -= f * m[k][c];
                }
            }
            d *= m[k][k];
        }
        out[i] = d;
    }
}

extern "C" void boxes(long count, const BoxNode *nodes, const float *in, int *out) {
#pragma omp parallel for schedule(static) firstprivate(nodes, in, out)
    for (long i = 0; i < count; i++) {
        const float x = in[i];
        int stack[32];
        int n = 1, leaves = 0;
        stack[0] = 0;
        while (n > 0) {
            const BoxNode node = nodes[stack[--n]];
            if (x < node.low || x > node.high) {
                continue;
            }
            if (node.left == 0) {
                leaves++;
                continue;
            }
            stack[n++] = node.left;
            stack[n++] = node.right;
        }
        out[i] = leaves;
    }
}

extern "C" void commonest(long count, long length, const unsigned char *in, int *out) {
#pragma omp parallel for schedule(static) firstprivate(in, out)
    for (long i = 0; i < count; i++) {
        int bins[16] = {};
        for (long k = 0; k < length; k++) {
            bins[in[i * length + k] & 15]++;
        }
        int best = 0;
        for (int k = 0; k < 16; k++) {
            if (bins[k] > bins[best]) {
                best = k;
            }
        }
        out[i] = best;
    }
}

struct Transitions {
    unsigned char next[64][128];
    constexpr Transitions() : next() {
        for (int s = 0; s < 64; s++)
            for (int c = 0; c < 128; c++) next[s][c] = (s * 5 + c * s + c) % 64;
    }
};

extern "C" void automaton(long count, long length, const unsigned char *text, int *ends) {
    static constexpr Transitions table;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; i++) {
        unsigned char s = 1;
        for (long k = 0; k < length; k++) s = table.next[s & 63][text[i * length + k] & 127];
        ends[i] = s;
    }
}
