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

//@ math.MulAdd.F
// One operation.
$inline $T MulAdd($T x, $T y, $T z) { return $math_fma$f(x, y, z); }

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

//@ math.log_normal
// What Go's Log gives of a positive number that is not denormal, to the bit: FreeBSD's e_log.c.
$inline float64 log_normal(float64 x) {
    int exp = 0;
    float64 f = $math_frexp(x, &exp);
    if (f < 0.70710678118654752440) {
        f *= 2;
        exp--;
    }
    f -= 1;
    const float64 k = exp;
    const float64 s = f / (2 + f);
    const float64 s2 = s * s;
    const float64 s4 = s2 * s2;
    const float64 t1 = s2 * (6.666666666666735130e-01
        + s4 * (2.857142874366239149e-01 + s4 * (1.818357216161805012e-01 + s4 * 1.479819860511658591e-01)));
    const float64 t2 = s4 * (3.999999999940941908e-01 + s4 * (2.222219843214978396e-01 + s4 * 1.531383769920937332e-01));
    const float64 half = 0.5 * f * f;
    return k * 6.93147180369123816490e-01 - ((half - (s * (half + (t1 + t2)) + k * 1.90821492927058770002e-10)) - f);
}

//@ math.Erfinv.float64 needs math.Inf math.log_normal
// The quantile of the normal distribution: Wichura, "Algorithm AS 241", 1988. The coefficients
// and the order of the operations are Go's, so that the result is, to the bit.
$inline float64 Erfinv(float64 x) {
    const float64 size = x < 0 ? -x : x;
    if (size == 1) return Inf<float64>(x > 0 ? 1 : -1);
    if (!(size < 1)) return (x - x) / (x - x);
    float64 num, den;
    if (size <= 0.85) {
        const float64 r = 0.180625 - 0.25 * x * x;
        num = ((((((8.8709406962545514830200e2 * r + 1.1819493347062294404278e4) * r + 2.3782041382114385731252e4) * r
            + 1.6235862515167575384252e4) * r + 4.8548868893843886794648e3) * r + 6.9706266534389598238465e2) * r
            + 4.7072688112383978012285e1) * r + 1.1975323115670912564578e0;
        den = ((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r
            + 2.1213794301586595867e4) * r + 5.3941960214247511077e3) * r + 6.8718700749205790830e2) * r
            + 4.2313330701600911252e1) * r + 1.0000000000000000000e0;
        return x * num / den;
    }
    float64 r = $math_sqrt(0.69314718055994530942 - log_normal(1 - size));
    if (r <= 5) {
        r -= 1.6;
        num = ((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r
            + 1.27045825245236838258e0) * r + 3.64784832476320460504e0) * r + 5.76949722146069140550e0) * r
            + 4.63033784615654529590e0) * r + 1.42343711074968357734e0;
        den = ((((((1.4859850019840355905497876e-9 * r + 7.7441459065157709165577218e-4) * r + 2.1494160384252876777097297e-2) * r
            + 2.0945065210512749128288442e-1) * r + 9.7547832001787427186894837e-1) * r + 2.3707661626024532365971225e0) * r
            + 2.9036514445419946173133295e0) * r + 1.4142135623730950488016887e0;
    } else {
        r -= 5;
        num = ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r
            + 2.65321895265761230930e-2) * r + 2.96560571828504891230e-1) * r + 1.78482653991729133580e0) * r
            + 5.46378491116411436990e0) * r + 6.65790464350110377720e0;
        den = ((((((2.891024605872965461538222e-15 * r + 2.010321207683943062279931e-7) * r + 2.611088405080593625138020e-5) * r
            + 1.112800997078859844711555e-3) * r + 2.103693768272068968719679e-2) * r + 1.936480946950659106176712e-1) * r
            + 8.482908416595164588112026e-1) * r + 1.414213562373095048801689e0;
    }
    return x < 0 ? -(num / den) : num / den;
}

//@ math.Erfinv.float32 needs math.Erfinv.float64
$inline float32 Erfinv(float32 x) { return float32(Erfinv(float64(x))); }

//@ math.Erfcinv.F needs math.Erfinv.float64
$inline $T Erfcinv($T x) { return $T(Erfinv(1 - float64(x))); }
