//@ elementary.sinh needs elementary.expm1_sum elementary.exp_of_sum elementary.ratio elementary.magnitude elementary.with_sign
// (e + e/(e+1)) / 2, where e is e^x - 1.
template <class D> $inline D sinh(D x) {
    const D size = magnitude(x);
    const sum<D> e = expm1_sum(pick<D>(size < 40, size, 40.0));
    const sum<D> below = exact_sum(all<D>(1), e.hi), q = ratio(e, sum<D>{below.hi, below.lo + e.lo}), s = exact_sum(e.hi, q.hi);
    const D small = 0.5 * (s.hi + (s.lo + (e.lo + q.lo))), large = exp_of_sum(size - 0x1.62e42fee00000p-1, all<D>(-0x1.a39ef35793c76p-33));
    return pick<D>(size < 0x1p-27, x, pick<D>(x == x, with_sign(pick<D>(size < 40, small, large), x), x));
}

//@ elementary.cosh needs elementary.exp_reduced elementary.exp_of_sum elementary.ratio elementary.magnitude elementary.expm1_sum
// (e + 1/e) / 2, where e is e^x.
template <class D> $inline D cosh(D x) {
    const D size = magnitude(x);
    const sum<D> m = expm1_sum(pick<D>(size < 40, size, 40.0)), e = exact_sum(all<D>(1), m.hi);
    const D lo = e.lo + m.lo, q = 1 / e.hi;
    const sum<D> s = ordered_sum(e.hi, q);
    const D small = 0.5 * (s.hi + (s.lo + (lo - lo * q * q))), large = exp_of_sum(size - 0x1.62e42fee00000p-1, all<D>(-0x1.a39ef35793c76p-33));
    return pick<D>(size < 40, small, large);
}

//@ elementary.tanh needs elementary.expm1_sum elementary.ratio elementary.magnitude elementary.with_sign
// e / (e+2), where e is e^2x - 1.
template <class D> $inline D tanh(D x) {
    const D size = magnitude(x);
    const sum<D> e = expm1_sum(2 * pick<D>(size < 20, size, 20.0)), below = exact_sum(all<D>(2), e.hi);
    const sum<D> q = ratio(e, sum<D>{below.hi, below.lo + e.lo});
    return pick<D>(size < 0x1p-27, x, pick<D>(x == x, with_sign(q.hi + q.lo, x), x));
}

//@ elementary.cbrt_guess needs elementary.rounded elementary.magnitude elementary.with_sign elementary.polynomial
// The cube root of x is that of m, from 1 to 8, by a power of two; t is near the root of m.
template <class D> struct cube {
    D m, t, scale;
    // Where x has no such root it is its own.
    D special(D x, D root) const {
        const D size = magnitude(x), inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
        return pick<D>(size > 0, pick<D>(size < inf, with_sign(root * scale, x), x), x);
    }
};
template <class D> $inline cube<D> cbrt_guess(D x) {
    const D size = magnitude(x);
    const mask<D> tiny = size < 0x1p-1022;
    const words<D> u = __builtin_bit_cast(words<D>, pick<D>(tiny, size * 0x1p54, size));
    // The exponent is 3*third + rest, both from 0 on.
    const D e = __builtin_bit_cast(D, (u >> 52) | 0x4330000000000000u) - pick<D>(tiny, 0x1p52 + 54 - 1500, all<D>(0x1p52 - 1500));
    const rounding<D> third = rounded(e * 0x1.5555555555555p-2 - 0x1.5555555555555p-2);
    const D rest = e - 3 * third.whole;
    const D m = __builtin_bit_cast(D, (u & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    const D guess = polynomial(m, -0x1.4b077fcd0882bp-7, 0x1.544aaec5e4624p-4, -0x1.2d024eeecb9cbp-2, 0x1.6c697f83452edp-1, 0x1.04bc2bde493b9p-1);
    return {m * pick<D>(rest == 0, 1.0, pick<D>(rest == 1, 2.0, all<D>(4))),
        guess * pick<D>(rest == 0, 1.0, pick<D>(rest == 1, 0x1.428a2f98d728bp+0, all<D>(0x1.965fea53d6e3dp+0))),
        __builtin_bit_cast(D, (third.word + (1023 - 841)) << 52)};
}

//@ elementary.cbrt needs elementary.cbrt_guess
// Two steps of Halley's method, which has three times as many digits after each; the second from a number of 26
// bits, whose square is exact (FreeBSD's s_cbrt.c).
template <class D> $inline D cbrt(D x) {
    const cube<D> c = cbrt_guess(x);
    const D s = c.t * c.t * c.t, near = c.t * ((s + 2 * c.m) / (2 * s + c.m));
    const D t = __builtin_bit_cast(D, (__builtin_bit_cast(words<D>, near) + 0x4000000u) & 0xfffffffff8000000u), r = c.m / (t * t);
    return c.special(x, t + t * ((r - t) / (t + t + r)));
}

//@ elementary.hypot needs elementary.product elementary.root elementary.magnitude
template <class D> $inline D hypot(D x, D y) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    const D a = magnitude(x), b = magnitude(y);
    const D large = pick<D>(a > b, a, b), small = pick<D>(a > b, b, a);
    const D scale = pick<D>(large > 0x1p500, 0x1p-600, pick<D>(large < 0x1p-400, 0x1p600, all<D>(1)));
    const D back = pick<D>(large > 0x1p500, 0x1p600, pick<D>(large < 0x1p-400, 0x1p-600, all<D>(1)));
    const sum<D> p = product(large * scale, large * scale), q = product(small * scale, small * scale), s = ordered_sum(p.hi, q.hi);
    const D r = root(s.hi);
    const sum<D> square = product(r, r);
    const D lost = ((s.hi - square.hi) - square.lo) + (s.lo + (p.lo + q.lo));
    const D h = (r + pick<D>(r > 0, lost / (r + r), 0.0)) * back;
    return pick<D>(a == inf, inf, pick<D>(b == inf, inf, pick<D>(a == a, pick<D>(b == b, h, b), a)));
}
