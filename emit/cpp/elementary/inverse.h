//@ elementary.asinh needs elementary.log elementary.log1p elementary.root elementary.magnitude elementary.with_sign
// The inverse hyperbolic functions are those of Go, which are FreeBSD's, with the operations in their order.
template <class D> $inline D asinh(D x) {
    const D size = magnitude(x), r = root(size * size + 1);
    const mask<D> huge = size > 0x1p28;
    const D l = log(pick<D>(huge, size, 2 * size + 1 / (r + size)));
    const D y = pick<D>(size > 2, pick<D>(huge, l + 0.69314718055994530942, l), log1p(size + size * size / (1 + r)));
    return pick<D>(size < 0x1p-28, x, pick<D>(x == x, with_sign(y, x), x));
}

//@ elementary.acosh needs elementary.log elementary.log1p elementary.root
template <class D> $inline D acosh(D x) {
    const mask<D> huge = x >= 0x1p28;
    const D t = x - 1, l = log(pick<D>(huge, x, 2 * x - 1 / (x + root(x * x - 1))));
    const D y = pick<D>(x > 2, pick<D>(huge, l + 0.69314718055994530942, l), log1p(t + root(2 * t + t * t)));
    return pick<D>(x < 1, (x - x) / (x - x), y);
}

//@ elementary.atanh needs elementary.log1p elementary.magnitude elementary.with_sign
template <class D> $inline D atanh(D x) {
    const D size = magnitude(x), twice = size + size;
    const D y = 0.5 * log1p(pick<D>(size < 0.5, twice + twice * size / (1 - size), twice / (1 - size)));
    return pick<D>(size < 0x1p-28, x, pick<D>(x == x, with_sign(y, x), x));
}

//@ elementary.erfinv needs elementary.log elementary.root elementary.magnitude elementary.with_sign
// The quantile of the normal distribution: Wichura, "Algorithm AS 241" (1988). The coefficients and the order of the
// operations are Go's, so that the result is, to the bit.
template <class D> $inline D erfinv(D x) {
    const D size = magnitude(x);
    const mask<D> middle = size <= 0.85;
    D r = root(0.69314718055994530942 - log(pick<D>(middle, 0.5, 1 - size)));
    const mask<D> near = r <= 5;
    r = pick<D>(middle, 0.180625 - 0.25 * x * x, pick<D>(near, r - 1.6, r - 5));
    static constexpr float64 above[8][3] = {
        {8.8709406962545514830200e2, 7.74545014278341407640e-4, 2.01033439929228813265e-7},
        {1.1819493347062294404278e4, 2.27238449892691845833e-2, 2.71155556874348757815e-5},
        {2.3782041382114385731252e4, 2.41780725177450611770e-1, 1.24266094738807843860e-3},
        {1.6235862515167575384252e4, 1.27045825245236838258e0, 2.65321895265761230930e-2},
        {4.8548868893843886794648e3, 3.64784832476320460504e0, 2.96560571828504891230e-1},
        {6.9706266534389598238465e2, 5.76949722146069140550e0, 1.78482653991729133580e0},
        {4.7072688112383978012285e1, 4.63033784615654529590e0, 5.46378491116411436990e0},
        {1.1975323115670912564578e0, 1.42343711074968357734e0, 6.65790464350110377720e0},
    };
    static constexpr float64 below[8][3] = {
        {5.2264952788528545610e3, 1.4859850019840355905497876e-9, 2.891024605872965461538222e-15},
        {2.8729085735721942674e4, 7.7441459065157709165577218e-4, 2.010321207683943062279931e-7},
        {3.9307895800092710610e4, 2.1494160384252876777097297e-2, 2.611088405080593625138020e-5},
        {2.1213794301586595867e4, 2.0945065210512749128288442e-1, 1.112800997078859844711555e-3},
        {5.3941960214247511077e3, 9.7547832001787427186894837e-1, 2.103693768272068968719679e-2},
        {6.8718700749205790830e2, 2.3707661626024532365971225e0, 1.936480946950659106176712e-1},
        {4.2313330701600911252e1, 2.9036514445419946173133295e0, 8.482908416595164588112026e-1},
        {1.0000000000000000000e0, 1.4142135623730950488016887e0, 1.414213562373095048801689e0},
    };
    const auto at = [&](const float64* v) { return pick<D>(middle, v[0], pick<D>(near, v[1], all<D>(v[2]))); };
    D num = at(above[0]), den = at(below[0]);
    for (int i = 1; i < 8; i++) {
        num = num * r + at(above[i]);
        den = den * r + at(below[i]);
    }
    const D y = pick<D>(middle, x * num, pick<D>(x < 0, -num, num)) / den;
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    return pick<D>(size < 1, y, pick<D>(size == 1, with_sign(inf, x), (x - x) / (x - x)));
}

//@ elementary.erfcinv needs elementary.erfinv
template <class D> $inline D erfcinv(D x) { return erfinv(1 - x); }

//@ elementary.pow10 needs elementary.types
// The products of two powers that Go has, too.
$inline float64 pow10(int64 n) {
    static constexpr float64 small[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
    static constexpr float64 large[] = {1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288};
    static constexpr float64 inverse[] = {1e-0, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
    if (n < -323) return 0;
    if (n > 308) return __builtin_bit_cast(float64, 0x7ff0000000000000u);
    return n < 0 ? inverse[uint64(-n) / 32] / small[uint64(-n) % 32] : large[uint64(n) / 32] * small[uint64(n) % 32];
}
