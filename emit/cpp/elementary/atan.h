//@ elementary.atan_part needs elementary.sum elementary.polynomial
// The arctangent of num/den, which is from 0 to 1 and given as a sum: that of 0, 1/2 or 1, and what remains as a series. What
// is larger or negative has been brought here by the caller: the result is base plus or minus it.
template <class D> struct atan_parts { D fixed, fixed_lo, t, rest; };
template <class D> $inline atan_parts<D> atan_part(sum<D> q) {
    const D x = q.hi;
    const mask<D> small = x < 0.4375, middle = x < 0.6875;
    const D c = pick<D>(small, 0.0, pick<D>(middle, 0.5, 1.0));
    const D t = (x - c) / (1 + x * c), z = t * t;
    const D p = polynomial(z, 0x1.e3ddb8d3850abp-7, -0x1.0f54730d6c30ep-5, 0x1.6ffb4e901f5dbp-5, -0x1.ab582fd05ec97p-5, 0x1.e1704532a7e28p-5,
        -0x1.110c9a0c8644ap-4, 0x1.3b1375a0eb258p-4, -0x1.745d154ac3da3p-4, 0x1.c71c71bd21787p-4, -0x1.2492492485417p-3, 0x1.99999999998c4p-3,
        -0x1.5555555555555p-2);
    return {pick<D>(small, 0.0, pick<D>(middle, 0x1.dac670561bb4fp-2, 0x1.921fb54442d18p-1)),
        pick<D>(small, 0.0, pick<D>(middle, 0x1.a2b7f222f65e2p-56, 0x1.1a62633145c07p-55)), t, t * z * p + q.lo / (1 + x * x)};
}

//@ elementary.angle_of needs elementary.atan_part
// The angle of a point whose smaller coordinate by the larger is q, both without signs: steep if that is x, left if x
// is negative.
template <class D> $inline D angle_of(sum<D> q, mask<D> steep, mask<D> left) {
    const atan_parts<D> a = atan_part(q);
    // pi/2 less what is steep, then pi less what is on the left.
    const mask<D> turned = steep != left;
    const D base = pick<D>(steep, 0x1.921fb54442d18p+0, pick<D>(left, 0x1.921fb54442d18p+1, all<D>(0)));
    const D base_lo = pick<D>(steep, 0x1.1a62633145c07p-54, pick<D>(left, 0x1.1a62633145c07p-53, all<D>(0)));
    const sum<D> b = ordered_sum(base, pick<D>(turned, -a.fixed, a.fixed));
    const D t = pick<D>(turned, -a.t, a.t), rest = pick<D>(turned, -a.rest, a.rest), fixed_lo = pick<D>(turned, -a.fixed_lo, a.fixed_lo);
    const sum<D> s = exact_sum(b.hi, t);
    return s.hi + (s.lo + (rest + (b.lo + (base_lo + fixed_lo))));
}

//@ elementary.atan needs elementary.angle_of elementary.product elementary.magnitude elementary.with_sign
template <class D> $inline D atan(D x) {
    const D size = magnitude(x);
    const mask<D> steep = size > 1;
    // A size at which the quotient does not underflow.
    const D down = pick<D>(size > 0x1p60, 0x1p60, size), q = 1 / down;
    const sum<D> back = product(q, down);
    const D y = angle_of(sum<D>{pick<D>(steep, q, size), pick<D>(steep, ((1 - back.hi) - back.lo) * q, 0.0)}, steep, size < 0);
    return pick<D>(size < 0x1p-27, x, pick<D>(x == x, with_sign(y, x), x));
}

//@ elementary.atan2 needs elementary.angle_of elementary.product elementary.magnitude elementary.with_sign
template <class D> $inline D atan2(D y, D x) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    D a = magnitude(y), b = magnitude(x);
    const mask<D> steep = a > b, left = (__builtin_bit_cast(words<D>, x) >> 63) != 0;
    D num = pick<D>(steep, b, a), den = pick<D>(steep, a, b);
    const mask<D> both = num == inf;
    num = pick<D>(both, 1.0, num);
    den = pick<D>(both, 1.0, den);
    // Away from where products overflow or lose digits.
    const D scale = pick<D>(den > 0x1p900, 0x1p-100, pick<D>(den < 0x1p-100, 0x1p600, all<D>(1)));
    num *= scale;
    den *= scale;
    const D q = num / den;
    const sum<D> back = product(q, den);
    const D of = pick<D>(den == 0, 0.0, pick<D>(den == inf, 0.0, q)), lost = ((num - back.hi) - back.lo) / den;
    // What a tiny quotient has lost is nothing beside it, but may have underflowed.
    D r = angle_of(sum<D>{of, pick<D>(of < 0x1p-60, 0.0, lost)}, steep, left);
    r = with_sign(r, y);
    return pick<D>(x == x, pick<D>(y == y, r, y), x);
}

//@ elementary.asin_part needs elementary.polynomial
// (asin(x) - x) / x where z = x*x is up to 1/4.
template <class D> $inline D asin_part(D z) {
    return z * polynomial(z, 0x1.d78189767524ep-6, -0x1.e7a24f548c99dp-7, 0x1.1d661531b222ep-6, 0x1.653a8f8cfd43dp-8, 0x1.524ea8b3aad31p-7,
        0x1.78246f32d075cp-7, 0x1.c9cf3759fd8ffp-7, 0x1.1c4d343fa57f6p-6, 0x1.6e8bb1d89492bp-6, 0x1.f1c71c1d4aa0dp-6, 0x1.6db6db6e3292ep-5,
        0x1.3333333332ec4p-4, 0x1.5555555555556p-3);
}

//@ elementary.asin_half needs elementary.asin_part elementary.product
// asin(sqrt(z)) where z = (1-size)/2.
template <class D> $inline sum<D> asin_half(D z, D root) {
    const sum<D> square = product(root, root);
    const D lost = pick<D>(root > 0, ((z - square.hi) - square.lo) / (2 * root), 0.0);
    return ordered_sum(root, lost + root * asin_part(z));
}

//@ elementary.root needs elementary.types
$inline float64 root(float64 x) { return __builtin_sqrt(x); }
template <class D> $inline D root(D x) {
#pragma clang loop unroll(full)
    for (uint64 i = 0; i < sizeof(D) / sizeof(float64); i++) x[i] = __builtin_sqrt(x[i]);
    return x;
}

//@ elementary.asin needs elementary.asin_half elementary.root elementary.magnitude elementary.with_sign
template <class D> $inline D asin(D x) {
    const D size = magnitude(x), z = 0.5 * (1 - size);
    const sum<D> h = asin_half(z, root(z));
    const sum<D> s = ordered_sum(all<D>(0x1.921fb54442d18p+0), -2 * h.hi);
    const D large = s.hi + (s.lo + (0x1.1a62633145c07p-54 - 2 * h.lo));
    return with_sign(pick<D>(size > 0.5, large, size + size * asin_part(size * size)), x);
}

//@ elementary.acos needs elementary.asin_half elementary.root elementary.magnitude
template <class D> $inline D acos(D x) {
    const D size = magnitude(x), z = 0.5 * (1 - size);
    const sum<D> h = asin_half(z, root(z));
    const sum<D> left = ordered_sum(all<D>(0x1.921fb54442d18p+1), -2 * h.hi), middle = ordered_sum(all<D>(0x1.921fb54442d18p+0), -x);
    const D of_left = left.hi + (left.lo + (0x1.1a62633145c07p-53 - 2 * h.lo));
    const D of_middle = middle.hi + (middle.lo + (0x1.1a62633145c07p-54 - x * asin_part(x * x)));
    return pick<D>(x > 0.5, 2 * (h.hi + h.lo), pick<D>(x < -0.5, of_left, of_middle));
}
