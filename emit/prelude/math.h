//@ math.Inf needs math.frombits.float64
template <class T> $inline T Inf(int64 sign) {
    const T inf = T(Float64frombits(0x7ff0000000000000u));
    return sign >= 0 ? inf : -inf;
}

//@ math.NaN needs math.frombits.float64
template <class T> $inline T NaN() { return T(Float64frombits(0x7ff8000000000001u)); }

//@ math.IsNaN.F
$inline bool IsNaN($T x) { return x != x; }

//@ math.IsInf.F needs math.Inf
$inline bool IsInf($T x, int64 sign) {
    return (sign >= 0 && x == Inf<$T>(1)) || (sign <= 0 && x == Inf<$T>(-1));
}

//@ math.Signbit.F needs math.bits.F
$inline bool Signbit($T x) { return Float$bitsbits(x) >> ($bits - 1) != 0; }

//@ math.Dim.F
$inline $T Dim($T x, $T y) {
    const $T v = x - y;
    return v <= 0 ? 0 : v;
}

//@ math.Max.F needs math.Inf math.bits.F math.frombits.F
// Unlike in the built-in max, an infinity beats a NaN.
$inline $T Max($T x, $T y) {
    if (x == Inf<$T>(1) || y == Inf<$T>(1)) return Inf<$T>(1);
    if (x > y) return x;
    if (y > x) return y;
    if (x == y) return Float$bitsfrombits(Float$bitsbits(x) & Float$bitsbits(y));
    return x + y;
}

//@ math.Min.F needs math.Inf math.bits.F math.frombits.F
// Unlike in the built-in min, an infinity beats a NaN.
$inline $T Min($T x, $T y) {
    if (x == Inf<$T>(-1) || y == Inf<$T>(-1)) return Inf<$T>(-1);
    if (x < y) return x;
    if (y < x) return y;
    if (x == y) return Float$bitsfrombits(Float$bitsbits(x) | Float$bitsbits(y));
    return x + y;
}

//@ math.Nextafter.F needs math.bits.F math.frombits.F
$inline $T Nextafter($T x, $T y) {
    if (x != x || y != y) return x + y;
    if (x == y) return x;
    if (x == 0) return y > 0 ? Float$bitsfrombits(1) : -Float$bitsfrombits(1);
    const $U bits = Float$bitsbits(x);
    return Float$bitsfrombits((y > x) == (x > 0) ? bits + 1 : bits - 1);
}

//@ math.Frexp.F
// An infinity or a NaN comes back with exponent 0, which C does not promise.
$inline pair<$T, int64> Frexp($T x) {
    if (x - x != 0) return {x, 0};
    int exp = 0;
    const $T frac = $math_frexp$f(x, &exp);
    return {frac, exp};
}

//@ math.Ldexp.F
// The exponent is cut to what C's int holds; past 4096 either way nothing changes.
$inline $T Ldexp($T frac, int64 exp) {
    return $math_ldexp$f(frac, exp < -4096 ? -4096 : exp > 4096 ? 4096 : int(exp));
}

//@ math.Ilogb.F
$inline int64 Ilogb($T x) {
    if (x == 0) return -2147483648;
    if (x - x != 0) return 2147483647;
    return $math_ilogb$f(x);
}

//@ math.Modf.F
// The fraction of an infinity is a NaN, unlike C's.
$inline pair<$T, $T> Modf($T x) {
    const $T whole = $math_trunc$f(x);
    return {whole, $math_copysign$f(x - whole, x)};
}

//@ math.Sincos.F
$inline pair<$T, $T> Sincos($T x) { return {$math_sin$f(x), $math_cos$f(x)}; }

//@ math.Lgamma.F needs math.Inf
// C's lgamma gives no sign, and +Inf for -Inf.
$inline pair<$T, int64> Lgamma($T x) {
    if (x == Inf<$T>(-1)) return {x, 1};
    const $T whole = $math_floor$f(x);
    // Between two negative integers the sign is that of the lower one's parity.
    const bool negative = x < 0 && x != whole && whole != 2 * $math_floor$f(whole / 2);
    return {$math_lgamma$f(x), negative ? -1 : 1};
}

//@ math.Pow10
template <class T> $inline T Pow10(int64 n) {
    // Cut to a range that gives 0 and +Inf at its ends.
    const float64 power = float64(n < -324 ? -324 : n > 309 ? 309 : n);
    return T($math_pow(10.0, power));
}

//@ math.bessel_order
// The magnitude of an order, as C's int.
$inline int bessel_order(int64 n) {
    if (n < -2147483647 || n > 2147483647) return 2147483647;
    return int(n < 0 ? -n : n);
}

//@ math.Jn.F needs math.bessel_order libm_jn
// An odd order changes its sign with that of the order and with that of x.
$inline $T Jn(int64 n, $T x) {
    const bool flip = n % 2 != 0 && (n < 0) != (x < 0);
    const $T j = $T(::jn(bessel_order(n), x < 0 ? -x : x));
    // Where Go has a special case, or calls J1, there is no -0.
    const bool positive = n == 1 || n == -1 || x == 0 || x - x != 0;
    return (flip ? -j : j) + (positive ? $T(0) : $T(-0.0));
}

//@ math.Yn.F needs math.bessel_order libm_yn
// An odd order changes its sign with that of the order.
$inline $T Yn(int64 n, $T x) {
    const bool flip = n % 2 != 0 && n < 0;
    const $T y = $T(::yn(bessel_order(n), x));
    return (flip ? -y : y) + 0; // never -0
}

//@ math.Erfinv.float64 needs math.Inf
// The quantile of the normal distribution: Wichura, "Algorithm AS 241", 1988.
$inline float64 Erfinv(float64 x) {
    const float64 size = x < 0 ? -x : x;
    if (size == 1) return Inf<float64>(x > 0 ? 1 : -1);
    if (size <= 0.85) {
        const float64 r = 0.180625 - 0.25 * x * x;
        const float64 num = (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r
            + 45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r
            + 133.14166789178437745) * r + 3.3871328727963666080);
        const float64 den = (((((((5226.4952788528545610 * r + 28729.085735721942674) * r + 39307.895800092710610) * r
            + 21213.794301586595867) * r + 5394.1960214247511077) * r + 687.18700749205790830) * r
            + 42.313330701600911252) * r + 1.0);
        return 0.5 * x * num / den * 0.70710678118654752440;
    }
    // The logarithm of a negative number is the NaN that is due past 1.
    float64 r = $math_sqrt(0.69314718055994530942 - $math_log(1 - size));
    float64 num, den;
    if (r <= 5) {
        r -= 1.6;
        num = (((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r
            + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.76949722146069140550) * r
            + 4.63033784615654529590) * r + 1.42343711074968357734);
        den = (((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r + 1.51986665636164571966e-2) * r
            + 1.48103976427480074590e-1) * r + 6.89767334985100004550e-1) * r + 1.67638483018380384940) * r
            + 2.05319162663775882187) * r + 1.0);
    } else {
        r -= 5;
        num = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r
            + 2.65321895265761230930e-2) * r + 2.96560571828504891230e-1) * r + 1.78482653991729133580) * r
            + 5.46378491116411436990) * r + 6.65790464350110377720);
        den = (((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5) * r
            + 7.86869131145613259100e-4) * r + 1.48753612908506148525e-2) * r + 1.36929880922735805310e-1) * r
            + 5.99832206555887937690e-1) * r + 1.0);
    }
    const float64 tail = num / den * 0.70710678118654752440;
    return x < 0 ? -tail : tail;
}

//@ math.Erfinv.float32 needs math.Erfinv.float64
$inline float32 Erfinv(float32 x) { return float32(Erfinv(float64(x))); }

//@ math.Erfcinv.F needs math.Erfinv.float64
$inline $T Erfcinv($T x) { return $T(Erfinv(1 - float64(x))); }
