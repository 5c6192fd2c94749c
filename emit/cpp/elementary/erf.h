//@ elementary.erf_small needs elementary.polynomial
// erf(x) less 2/sqrt(pi)*x, by x*z, where z = x*x is up to 0.47.
template <class D> $inline D erf_small(D z) {
    return polynomial(z, -0x1.f30013e17ae80p-31, 0x1.eac3406c7b3d4p-27, -0x1.5e634658fbe7dp-23, 0x1.b9d2804ab1b7ap-20, -0x1.f4d162d5f92c0p-17,
        0x1.f9a31f423f1afp-14, -0x1.c02db3da11e09p-11, 0x1.565bcd0dfbf39p-8, -0x1.b82ce312876d7p-6, 0x1.ce2f21a042bcap-4, -0x1.812746b0379e7p-2);
}

//@ elementary.erfc_large needs elementary.exp_reduced elementary.power_of_two elementary.ratio
// erfc(x) for x from 0.57 to 28. It is e^(g - x*x) / x, where g, which is never far from -ln(sqrt(pi)), is a constant and
// a polynomial in each of four intervals.
template <class D> $inline D by_interval(mask<D> a, mask<D> b, mask<D> c, float64 x, float64 y, float64 z, float64 w) {
    return pick<D>(a, x, pick<D>(b, y, pick<D>(c, z, all<D>(w))));
}
template <class D> $inline D erfc_large(D x) {
    const sum<D> square = product(x, x);
    const mask<D> a = x < 1.25, b = x < 2.4, c = x < 5;
    const D middle = by_interval<D>(a, b, c, 0.8125, 1.75, 3.4, 0);
    const D t = pick<D>(c, x - middle, 1.0) / pick<D>(c, x + middle, square.hi);
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
    const sum<D> g = ordered_sum(by_interval<D>(a, b, c, -0x1.dcff608d99789p-1, -0x1.64390c25a359bp-1, -0x1.39329b750b43dp-1, -0x1.250d048e7a1bdp-1), p * t);
    const D g_lo = by_interval<D>(a, b, c, -0x1.31e2aaad73542p-56, -0x1.46d4c6b3fd9cfp-55, -0x1.3bdc592869c19p-56, -0x1.7abf2ad8d5088p-58);
    const sum<D> e = exact_sum(-square.hi, g.hi);
    const power<D> r = exp_reduced(e.hi, e.lo + ((g.lo + g_lo) - square.lo));
    const sum<D> one = ordered_sum(all<D>(1), r.s.hi), y = ratio(sum<D>{one.hi, one.lo + r.s.lo}, sum<D>{x, D{}});
    return times_power(y.hi + y.lo, r.k);
}

//@ elementary.erf needs elementary.erf_small elementary.erfc_large elementary.magnitude elementary.with_sign
template <class D> $inline D erf(D x) {
    const D size = magnitude(x), z = x * x;
    const D small = size + size * (0x1.06eba8214db69p-3 + z * erf_small(z));
    const D large = 1 - erfc_large(pick<D>(size < 0.68, 0.68, pick<D>(size > 7, 7.0, size)));
    return with_sign(pick<D>(size < 0.68, small, pick<D>(x == x, large, x)), x);
}

//@ elementary.erfc needs elementary.erf_small elementary.erfc_large elementary.magnitude
template <class D> $inline D erfc(D x) {
    const D size = magnitude(x), z = x * x;
    const sum<D> p = product(pick<D>(size < 0.57, x, 0.0), all<D>(0x1.20dd750429b6dp+0)), s = exact_sum(all<D>(1), -p.hi);
    const D small = s.hi + (s.lo - (p.lo + (x * 0x1.1ae3a914fed80p-56 + x * z * erf_small(z))));
    const D large = erfc_large(pick<D>(size < 0.57, 0.57, pick<D>(size > 28, 28.0, size)));
    return pick<D>(size < 0.57, small, pick<D>(x == x, pick<D>(x < 0, 2 - large, large), x));
}
