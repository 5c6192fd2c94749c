//@ elementary.parts needs elementary.types
// A positive number is 2^k * (1 + f), with 1+f between the roots of 1/2 and 2.
template <class D> struct parts { D k, f; };

//@ elementary.split needs elementary.parts
template <class D> $inline parts<D> split(D x) {
    const mask<D> tiny = x < 0x1p-1022;
    const words<D> u = __builtin_bit_cast(words<D>, pick<D>(tiny, x * 0x1p54, x)) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    const D k = __builtin_bit_cast(D, (u >> 52) | 0x4330000000000000u) - pick<D>(tiny, 0x1p52 + 1077, all<D>(0x1p52 + 1023));
    return {k, __builtin_bit_cast(D, (u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1};
}

//@ elementary.log_special needs elementary.types
// y is the logarithm of x in whatever base where x is positive and finite.
template <class D> $inline D log_special(D x, D y) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    return pick<D>(x > 0, pick<D>(x < inf, y, x), pick<D>(x == 0, -inf, __builtin_bit_cast(D, words<D>{} + 0xfff8000000000000u)));
}

//@ elementary.log_tail needs elementary.types
// log(1+f) is f - f*f/2 + s*(f*f/2 + tail), where s = f/(2+f): FreeBSD's e_log.c, whose coefficients Go has too.
template <class D> $inline D log_tail(D s) {
    const D s2 = s * s, s4 = s2 * s2;
    const D t1 = s2 * (6.666666666666735130e-01 + s4 * (2.857142874366239149e-01 + s4 * (1.818357216161805012e-01 + s4 * 1.479819860511658591e-01)));
    const D t2 = s4 * (3.999999999940941908e-01 + s4 * (2.222219843214978396e-01 + s4 * 1.531383769920937332e-01));
    return t1 + t2;
}

//@ elementary.log needs elementary.split elementary.log_tail elementary.log_special
// The operations are those of Go, in its order, so that the result is Go's, to the bit.
template <class D> $inline D log(D x) {
    const parts<D> p = split(x);
    const D s = p.f / (2 + p.f), half = 0.5 * p.f * p.f;
    const D y = p.k * 6.93147180369123816490e-01 - ((half - (s * (half + log_tail(s)) + p.k * 1.90821492927058770002e-10)) - p.f);
    return log_special(x, y);
}

//@ elementary.log1p needs elementary.split elementary.log_tail elementary.log_special elementary.sum elementary.magnitude
template <class D> $inline D log1p(D x) {
    const sum<D> u = exact_sum(all<D>(1), x);
    const parts<D> p = split(u.hi);
    const mask<D> near = p.k == 0;
    const D f = pick<D>(near, x, p.f), lost = pick<D>(near, 0.0, u.lo / u.hi);
    const D s = f / (2 + f), half = 0.5 * f * f;
    const D y = p.k * 6.93147180369123816490e-01 - ((half - (s * (half + log_tail(s)) + (p.k * 1.90821492927058770002e-10 + lost))) - f);
    return pick<D>(magnitude(x) < 0x1p-54, x, log_special(u.hi, y));
}

//@ elementary.log_sum needs elementary.split elementary.product elementary.polynomial
// The logarithm of 2^k * (1+f), to about 68 bits. It is 2 atanh(s) = 2s + 2/3 s^3 + 2/5 s^5 + ..., where s = f/(2+f).
template <class D> $inline sum<D> log_sum(parts<D> p) {
    const sum<D> below = ordered_sum(all<D>(2), p.f);
    const D s = p.f / below.hi;
    const sum<D> back = product(s, below.hi);
    const D s_lo = (((p.f - back.hi) - back.lo) - s * below.lo) / below.hi;
    const sum<D> square = product(s, s);
    const D z = square.hi, z_lo = square.lo + 2 * s * s_lo;
    const D q = polynomial(z, 0x1.e032e4d8436a1p-4, 0x1.df7c5bc7c7563p-4, 0x1.1118c9ee5b8a4p-3, 0x1.3b1395c881220p-3, 0x1.745d177aad02ap-3,
        0x1.c71c71c6ea871p-3, 0x1.2492492492522p-2, 0x1.999999999999ap-2);
    // 2/3 + z*q, times z, times s.
    const D zq = z * q;
    const sum<D> c = ordered_sum(all<D>(0x1.5555555555555p-1), zq);
    const D c_lo = c.lo + 0x1.5555555555555p-55;
    const sum<D> zc = product(z, c.hi);
    const D zc_lo = zc.lo + (z * c_lo + z_lo * c.hi);
    const sum<D> szc = product(s, zc.hi);
    const D szc_lo = szc.lo + (s * zc_lo + s_lo * zc.hi);
    const sum<D> a = ordered_sum(2 * s, szc.hi);
    const sum<D> b = exact_sum(p.k * 0x1.62e42fefa3000p-1, a.hi);
    return ordered_sum(b.hi, b.lo + (a.lo + (szc_lo + 2 * s_lo) + p.k * 0x1.3de6af278ece6p-42));
}

//@ elementary.log_times needs elementary.log_sum
// A logarithm to another base, without the power of two: log(1+f) * (hi + lo).
template <class D> $inline sum<D> log_times(D f, float64 hi, float64 lo) {
    const sum<D> l = log_sum(parts<D>{D{}, f}), p = product(l.hi, all<D>(hi));
    return {p.hi, p.lo + (l.hi * lo + l.lo * hi)};
}

//@ elementary.log2 needs elementary.log_times elementary.log_special
template <class D> $inline D log2(D x) {
    const parts<D> p = split(x);
    const sum<D> l = log_times(p.f, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56), y = exact_sum(p.k, l.hi);
    return log_special(x, y.hi + (y.lo + l.lo));
}

//@ elementary.log10 needs elementary.log_times elementary.log_special
template <class D> $inline D log10(D x) {
    const parts<D> p = split(x);
    const sum<D> l = log_times(p.f, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57), y = exact_sum(p.k * 0x1.34413509f6000p-2, l.hi);
    return log_special(x, y.hi + (y.lo + (l.lo + p.k * 0x1.9fef311f12b36p-42)));
}

//@ elementary.pow_special needs elementary.magnitude elementary.with_sign
// r is |x|^y where x and y are finite and not 0; the special cases are those of Go.
template <class D> $inline D pow_special(D x, D y, D r) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    const D size = magnitude(x), large = magnitude(y);
    const mask<D> grows = y > 0;
    const D limit = pick<D>(grows, inf, 0.0), inverse = pick<D>(grows, 0.0, inf);
    r = pick<D>(size == 0, inverse, pick<D>(size == inf, limit, r));
    r = pick<D>(large == inf, pick<D>(size > 1, limit, pick<D>(size < 1, inverse, 1.0)), r);
    // From 2^52 on all numbers are integers, from 2^53 on even ones.
    const D half = 0.5 * large;
    const D whole = pick<D>(large < 0x1p52, (large + 0x1p52) - 0x1p52, large), whole_half = pick<D>(half < 0x1p52, (half + 0x1p52) - 0x1p52, half);
    const D odd = pick<D>(whole == large, pick<D>(whole_half == half, 0.0, all<D>(1)), 0.0);
    r = pick<D>(odd == 1, with_sign(r, x), r);
    r = pick<D>(x < 0, pick<D>(size < inf, pick<D>(whole == large, r, inf - inf), r), r);
    r = pick<D>(x == x, pick<D>(y == y, r, y), x);
    return pick<D>(y == 0, 1.0, pick<D>(x == 1, 1.0, r));
}

//@ elementary.pow needs elementary.log_sum elementary.exp_of_sum elementary.pow_special
template <class D> $inline D pow(D x, D y) {
    const sum<D> l = log_sum(split(magnitude(x)));
    // A larger exponent changes nothing, but would overflow on the way.
    const D e = pick<D>(y > 0x1p70, 0x1p70, pick<D>(y < -0x1p70, -0x1p70, y));
    const sum<D> p = product(e, l.hi);
    return pow_special(x, y, exp_of_sum(p.hi, p.lo + e * l.lo));
}
