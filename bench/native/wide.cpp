// The kernels of ../wide.go as a C++ programmer writes them, with OpenMP.

typedef unsigned long word;
typedef unsigned __int128 wide;

static const word prime = -59ul, inverse = 3751880150584993549ul;

static inline word montgomery(word x, word y) {
    const wide p = (wide)x * y;
    const word hi = p >> 64, m = (wide)((word)p * inverse) * prime >> 64;
    return hi < m ? hi - m + prime : hi - m;
}

extern "C" void powers(long n, const word *x, word *y) {
#pragma omp parallel for schedule(static) firstprivate(x, y)
    for (long i = 0; i < n; i++) {
        word base = x[i], power = 1;
        for (word e = 0xf0f0f0f0f0f0f0f0; e > 0; e >>= 1) {
            if (e & 1) power = montgomery(power, base);
            base = montgomery(base, base);
        }
        y[i] = power;
    }
}

extern "C" void dividing(long n, const word *x, word *y) {
#pragma omp parallel for schedule(static) firstprivate(x, y)
    for (long i = 0; i < n; i++) {
        word base = x[i] % prime, power = 1;
        for (int e = 0xf0; e > 0; e >>= 1) {
            if (e & 1) power = (wide)power * base % prime;
            base = (wide)base * base % prime;
        }
        y[i] = power;
    }
}

extern "C" void dxsm(long n, const word *x, word *y) {
#pragma omp parallel for schedule(static) firstprivate(x, y)
    for (long i = 0; i < n; i++) {
        const wide multiplier = (wide)2549297995355413924ul << 64 | 4865540595714422341ul;
        const wide increment = (wide)6364136223846793005ul << 64 | 1442695040888963407ul;
        wide state = (wide)i << 64 | x[i];
        word sum = 0;
        for (int k = 0; k < 64; k++) {
            state = state * multiplier + increment;
            word r = state >> 64;
            r ^= r >> 32;
            r *= 0xda942042e4dd58b5;
            r ^= r >> 48;
            sum += r * ((word)state | 1);
        }
        y[i] = sum;
    }
}

extern "C" void products(long n, const word *x, word *y) {
#pragma omp parallel for schedule(static) firstprivate(x, y)
    for (long i = 0; i < n; i++) {
        const word a[4] = {x[i], ~x[i], x[i] * 3, x[i] * 5};
        word b[4] = {a[0], a[1], a[2], a[3]};
        for (int turn = 0; turn < 16; turn++) {
            word p[4] = {};
            for (int j = 0; j < 4; j++) {
                word carry = 0;
                for (int k = 0; k < 4 - j; k++) {
                    const wide w = (wide)a[j] * b[k] + carry + p[j + k];
                    p[j + k] = w;
                    carry = w >> 64;
                }
            }
            const wide low = ((wide)p[1] << 64 | p[0]), more = ((wide)a[1] << 64 | a[0]), sum = low + more;
            const wide high = ((wide)p[3] << 64 | p[2]) - ((wide)a[3] << 64 | a[2]) - (sum < low);
            b[0] = sum, b[1] = sum >> 64, b[2] = high, b[3] = high >> 64;
        }
        y[i] = b[0] ^ b[1] ^ b[2] ^ b[3];
    }
}

extern "C" void folding(long n, long length, const word *text, word *y) {
#pragma omp parallel for schedule(static) firstprivate(text, y)
    for (long i = 0; i < n; i++) {
        word h = length;
        for (long k = 0; k < length; k += 2) {
            const wide p = (wide)(text[i * length + k] ^ 0xa0761d6478bd642f) * (text[i * length + k + 1] ^ h);
            h = (word)(p >> 64) ^ (word)p;
        }
        y[i] = h;
    }
}
