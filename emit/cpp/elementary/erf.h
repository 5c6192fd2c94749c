//@ elementary.erf_small needs elementary.types
// Clang optimizes a function before it inlines it, and then once more together with its caller. So erfc_large, which is
// long, is out of line, and it spells out what other functions here call.
//
// erf(x) less 2/sqrt(pi)*x, by x*z, where z = x*x is up to 0.47.
template <class D> $inline D erf_small(D z) {
    return -0x1.812746b0379e7p-2 + z * (0x1.ce2f21a042bcap-4 + z * (-0x1.b82ce312876d7p-6 + z * (0x1.565bcd0dfbf39p-8 + z * (
        -0x1.c02db3da11e09p-11 + z * (0x1.f9a31f423f1afp-14 + z * (-0x1.f4d162d5f92c0p-17 + z * (
        0x1.b9d2804ab1b7ap-20 + z * (-0x1.5e634658fbe7dp-23 + z * (0x1.eac3406c7b3d4p-27 + z *
        -0x1.f30013e17ae80p-31)))))))));
}

//@ elementary.erfc_large needs elementary.types
// What a * b, rounded to p, has lost: see product.
template <class D> $inline D product_lo(D a, D b, D p) {
    const D t = a * 0x1.000002p27, u = b * 0x1.000002p27, a1 = t - (t - a), b1 = u - (u - b), a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
}

// erfc(x) for x from 0.57 to 28. It is e^(g - x*x) / x, where g, which is never far from -ln(sqrt(pi)), is a constant and
// a polynomial in each of four intervals. A name with _lo is what the number of the name before it has lost.
template <class D> $inline D by_interval(mask<D> a, mask<D> b, mask<D> c, float64 x, float64 y, float64 z, float64 w) {
    return a ? x - D{} : b ? y - D{} : c ? z - D{} : w - D{};
}
template <class D> [[gnu::noinline]] static D erfc_large(D x) {
    const D square = x * x, square_lo = product_lo(x, x, square);
    const mask<D> a = x < 1.25, b = x < 2.4, c = x < 5;
    const D middle = by_interval<D>(a, b, c, 0.8125, 1.75, 3.4, 0);
    const D t = (c ? x - middle : 1 - D{}) / (c ? x + middle : square);
    static constexpr float64 of_interval[15][4] = {
        {0x1.b78d0b3eb7959p-1, 0x1.90c128f9b2abdp-2, 0x1.275b0e4da2ab3p-3, -0x1.fffffffffffffp-2},
        {-0x1.51ade7fcaa2a6p-1, -0x1.02c4782972a6fp-1, -0x1.f29b683031a0cp-3, 0x1.3fffffffffbcep-1},
        {0x1.19f9b1b4ac77ep-2, 0x1.891ae4c04ccaap-2, 0x1.1c67c14331025p-2, -0x1.8aaaaaaa43a6dp+0},
        {-0x1.032e386c1481ep-2, -0x1.f947cd500cca5p-3, -0x1.08bb42daa9bccp-2, 0x1.60ffffd5b189ap+2},
        {0x1.b59a86e9c00ecp-3, 0x1.85ff8ef3b9066p-3, 0x1.b7aa44cf74678p-3, -0x1.98198f0347310p+4},
        {-0x1.3bfc234bb4bf1p-3, -0x1.5a89ff464ae0cp-3, -0x1.6034ec85bc412p-3, 0x1.1f85cbddbfefep+7},
        {0x1.31226fd65763cp-3, 0x1.286951f572811p-3, 0x1.2271b59a15b7cp-3, -0x1.dc92e132f6205p+9},
        {-0x1.fc19fbbc61bfep-4, -0x1.faf07db1846bbp-4, -0x1.f86b82b71b522p-4, 0x1.c4f5c055738c8p+12},
        {0x1.c078089bd1aa7p-4, 0x1.c67a513a3f396p-4, 0x1.c4e1d5c7a082dp-4, -0x1.e0a036b0ed17ep+15},
        {-0x1.a2308bc211286p-4, -0x1.9b605b73d84dap-4, -0x1.9ac20db49f309p-4, 0x1.0f518bad542fbp+19},
        {0x1.6e06e66f303fep-4, 0x1.73f91867972cdp-4, 0x1.7556baa807a6bp-4, -0x1.29e7f5ec62355p+22},
        {-0x1.56aa264dd27c9p-4, -0x1.53f3cf8752e47p-4, -0x1.5403b2bc00bc0p-4, 0x1.15bc824cd976cp+25},
        {0x1.40d19fd08309dp-4, 0x1.3884da2caf26ep-4, 0x1.3d0637ad498eap-4, -0x1.6cf167c3f4abap+27},
        {-0x1.4016ce9ad0d06p-4, -0x1.3e7e276a95fb2p-4, -0x1.43672f44309e5p-4, 0x1.e211adcdf8e2bp+28},
        {0x1.e1348ed7b186bp-5, 0x1.40062e22ac5ebp-4, 0x1.0c2a209e2449bp-4, 0},
    };
    D p = D{};
    for (int i = 14; i >= 0; i--) {
        const float64* v = of_interval[i];
        p = p * t + by_interval<D>(a, b, c, v[0], v[1], v[2], v[3]);
    }
    p = p * t;
    const D g0 = by_interval<D>(a, b, c, -0x1.dcff608d99789p-1, -0x1.64390c25a359bp-1, -0x1.39329b750b43dp-1, -0x1.250d048e7a1bdp-1);
    const D g0_lo = by_interval<D>(a, b, c, -0x1.31e2aaad73542p-56, -0x1.46d4c6b3fd9cfp-55, -0x1.3bdc592869c19p-56, -0x1.7abf2ad8d5088p-58);
    const D g = g0 + p, g_lo = (p - (g - g0)) + g0_lo;

    // e^(e + e_lo) is 2^k * (1 + s + s_lo): see exp_reduced.
    const D e = -square + g, of_g = e + square, e_lo = ((-square - (e - of_g)) + (g - of_g)) + (g_lo - square_lo);
    const D nearest = e * 0x1.71547652b82fep+0 + 0x1.8p52, whole = nearest - 0x1.8p52;
    const words<D> k = __builtin_bit_cast(words<D>, nearest) - 0x4338000000000000u;
    const D u = e - whole * 0x1.62e42fee00000p-1, v = e_lo - whole * 0x1.a39ef35793c76p-33;
    const D r = u + v, of_v = r - u, r_lo = (u - (r - of_v)) + (v - of_v), r2 = r * r;
    const D q = 0x1.5555555555555p-3 + r * (0x1.5555555555556p-5 + r * (0x1.1111111111111p-7 + r * (0x1.6c16c16c162a3p-10 + r * (
        0x1.a01a01a019b10p-13 + r * (0x1.a01a01a6f35fbp-16 + r * (0x1.71de3a59136fep-19 + r * (
        0x1.27e4db0f8a3efp-22 + r * (0x1.ae6433ef79a14p-26 + r * (0x1.1f73b376c0f55p-29 + r *
        0x1.61b373437eeb3p-33)))))))));
    const D rest = 0.5 * r2 + (r2 * r * q + (r_lo + r_lo * r)), s = r + rest, s_lo = rest - (s - r);

    // (1 + s) / x, times 2^k in two steps: see times_power.
    const D one = 1 + s, one_lo = (s - (one - 1)) + s_lo, y = one / x, back = y * x;
    const D y_lo = (((one - back) - product_lo(y, x, back)) + one_lo) / x;
    const words<D> half = ((k + 4096) >> 1) - 2048;
    return (y + y_lo) * __builtin_bit_cast(D, (half + 1023) << 52) * __builtin_bit_cast(D, (k - half + 1023) << 52);
}

//@ elementary.erf needs elementary.erf_small elementary.erfc_large elementary.magnitude elementary.with_sign
template <class D> $inline D erf(D x) {
    const D size = magnitude(x), z = x * x;
    const D small = size + size * (0x1.06eba8214db69p-3 + z * erf_small(z));
    const D large = 1 - erfc_large(size < 0.68 ? 0.68 - D{} : size > 7 ? 7 - D{} : size);
    return with_sign(size < 0.68 ? small : x == x ? large : x, x);
}

//@ elementary.erfc needs elementary.erf_small elementary.erfc_large elementary.magnitude
template <class D> $inline D erfc(D x) {
    const D size = magnitude(x), z = x * x, root = 0x1.20dd750429b6dp+0 - D{};
    const D low = size < 0.57 ? x : D{}, p = low * root, s = 1 - p, of_p = s - 1;
    const D s_lo = (1 - (s - of_p)) + (-p - of_p);
    const D small = s + (s_lo - (product_lo(low, root, p) + (x * 0x1.1ae3a914fed80p-56 + x * z * erf_small(z))));
    const D large = erfc_large(size < 0.57 ? 0.57 - D{} : size > 28 ? 28 - D{} : size);
    return size < 0.57 ? small : x == x ? (x < 0 ? 2 - large : large) : x;
}
