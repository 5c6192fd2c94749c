//@ int8
using int8 = signed char;
//@ int16
using int16 = short;
//@ int32
using int32 = int;
//@ int64
using int64 = long long;
//@ uint8
using uint8 = unsigned char;
//@ uint16
using uint16 = unsigned short;
//@ uint32
using uint32 = unsigned int;
//@ uint64
using uint64 = unsigned long long;
//@ float32
using float32 = float;
//@ float64
using float64 = double;

//@ slice
// A Go slice: its elements and their number.
template <class T> struct slice {
    T* data;
    int64 len;
    $device T& operator[](int64 i) const { return data[i]; }
};

//@ array
// A Go array: its elements are its value.
template <class T, int64 N> struct array {
    T data[N];
    $device T& operator[](int64 i) { return data[i]; }
    $device const T& operator[](int64 i) const { return data[i]; }
};

//@ empty_array needs array
// One that takes no room. None of its elements is ever read.
template <class T> struct array<T, 0> {
    $device T& operator[](int64) { return *(T*)this; }
    $device const T& operator[](int64) const { return *(const T*)this; }
};

//@ array_equal needs array
// Arrays are equal if their elements are.
template <class T, int64 N> $inline bool operator==(const array<T, N>& a, const array<T, N>& b) {
    for (int64 i = 0; i < N; i++) {
        if (!(a[i] == b[i])) return false;
    }
    return true;
}
template <class T, int64 N> $inline bool operator!=(const array<T, N>& a, const array<T, N>& b) { return !(a == b); }

//@ load needs array
// A matrix in memory, read by whole rows: where columns are needed, the compiler then turns it
// over in registers, and does not pick up the elements one by one.
template <class T, int64 R, int64 C> $inline array<array<T, C>, R> load(const array<array<T, C>, R>& m) {
    typedef T vector __attribute__((vector_size(C * sizeof(T))));
    array<array<T, C>, R> rows;
    for (int64 i = 0; i < R; i++) {
        vector row;
        __builtin_memcpy(&row, &m[i], sizeof row);
        for (int64 j = 0; j < C; j++) rows[i][j] = row[j];
    }
    return rows;
}

//@ sliceof needs slice array
// Go's x[:] of an array.
template <class T, int64 N> $inline slice<T> sliceof(array<T, N>& x) {
    return {x.data, N};
}

//@ subslice
// Go's x[lo:hi].
template <class T> $inline slice<T> subslice(slice<T> x, int64 lo, int64 hi) {
    return {x.data + lo, hi - lo};
}

//@ apart needs slice
// Whether two slices have no memory in common.
template <class A, class B> $inline bool apart(slice<A> x, slice<B> y) {
    const uint64 a = uint64(x.data), b = uint64(y.data);
    return a + uint64(x.len) * sizeof(A) <= b || b + uint64(y.len) * sizeof(B) <= a;
}

//@ same_or_apart needs apart
// Whether two slices have no memory in common, or are one.
template <class A, class B> $inline bool same_or_apart(slice<A> x, slice<B> y) {
    return (const void*)x.data == (const void*)y.data || apart(x, y);
}

//@ pair
// Two results.
template <class A, class B> struct pair {
    A first;
    B second;
};

//@ math.bits.F
$inline $U Float$bitsbits($T x) {
    $U bits;
    $math_memcpy(&bits, &x, sizeof(x));
    return bits;
}

//@ math.frombits.F
$inline $T Float$bitsfrombits($U bits) {
    $T x;
    $math_memcpy(&x, &bits, sizeof(x));
    return x;
}

//@ go.add.I
// Go's integers wrap. Signed ones of C++ must not overflow, unsigned ones wrap.
$inline $T add$bits($T a, $T b) { return $T($U(a) + $U(b)); }
//@ go.sub.I
$inline $T sub$bits($T a, $T b) { return $T($U(a) - $U(b)); }
//@ go.mul.I
$inline $T mul$bits($T a, $T b) { return $T($U(a) * $U(b)); }
//@ go.neg.I
$inline $T neg$bits($T a) { return $T(0 - $U(a)); }

//@ go.divisor
// A divisor, or 1 in place of 0 and -1, which processors cannot always divide by. There is no branch, as compilers take
// long to thread jumps through many of these.
template <class T> $inline T divisor(T b) { return b == 0 || (T(-1) < T(1) && b == T(-1)) ? T(1) : b; }

//@ go.div needs go.divisor
// Integer division: 0 where Go panics, and the smallest integer over -1 is itself.
template <class T> $inline T div(T a, T b) {
    const T q = T(a / divisor(b));
    return b == 0 ? T(0) : T(-1) < T(1) && b == T(-1) ? T(0 - uint64(a)) : q;
}

//@ go.rem needs go.divisor
// The remainder of a division; 0 where Go panics.
template <class T> $inline T rem(T a, T b) { return T(a % divisor(b)); }

//@ go.shl
// A count past the width shifts everything out; so does a negative one, which is huge here.
template <class T> $inline T shl(T a, uint64 n) {
    if (n >= 8 * sizeof(T)) return 0;
    return sizeof(T) == 8 ? T(uint64(a) << n) : T(uint32(a) << n);
}

//@ go.shr
// A count past the width leaves the sign, or 0.
template <class T> $inline T shr(T a, uint64 n) {
    const uint64 width = 8 * sizeof(T);
    if (T(-1) < T(1)) return a >> (n < width ? n : width - 1);
    return n < width ? a >> n : 0;
}

//@ go.min.Z
$inline $T min($T a, $T b) { return b < a ? b : a; }
//@ go.max.Z
$inline $T max($T a, $T b) { return a < b ? b : a; }
//@ go.min.small
template <class T> $inline T min(T a, T b) { return b < a ? b : a; }
//@ go.max.small
template <class T> $inline T max(T a, T b) { return a < b ? b : a; }

//@ go.min.F needs math.bits.F math.frombits.F
// A NaN wins; -0 is less than 0, which only their bits tell apart.
$inline $T min($T a, $T b) {
    if (a < b) return a;
    if (b < a) return b;
    if (a == b) return math::Float$bitsfrombits(math::Float$bitsbits(a) | math::Float$bitsbits(b));
    return a + b;
}

//@ go.max.F needs math.bits.F math.frombits.F
// A NaN wins; 0 is greater than -0, which only their bits tell apart.
$inline $T max($T a, $T b) {
    if (a > b) return a;
    if (b > a) return b;
    if (a == b) return math::Float$bitsfrombits(math::Float$bitsbits(a) & math::Float$bitsbits(b));
    return a + b;
}

//@ go.copy
// Go's copy: the slices may overlap.
template <class T> $inline int64 copy(slice<T> to, slice<T> from) {
    const int64 n = from.len < to.len ? from.len : to.len;
    if (to.data <= from.data) {
        for (int64 i = 0; i < n; i++) to[i] = from[i];
    } else {
        for (int64 i = n - 1; i >= 0; i--) to[i] = from[i];
    }
    return n;
}

//@ bits.ReverseBytes.U
// The bytes in the opposite order.
$inline $T ReverseBytes$bits($T x) {
    uint64 y = x;
    y = (y >> 8 & 0x00ff00ff00ff00ff) | (y & 0x00ff00ff00ff00ff) << 8;
    y = (y >> 16 & 0x0000ffff0000ffff) | (y & 0x0000ffff0000ffff) << 16;
    return $T((y >> 32 | y << 32) >> (64 - $bits));
}

//@ bits.long_division
// A digit of 32 bits of a quotient: D. E. Knuth, "The Art of Computer Programming", volume 2, algorithm 4.3.1 D.
$inline uint64 digit(uint64 top, uint64 next, uint64 y) {
    const uint64 y1 = y >> 32, y0 = uint32(y);
    uint64 q = top / y1, rest = top % y1;
    while (q >> 32 != 0 || q * y0 > (rest << 32 | next)) {
        q--;
        rest += y1;
        if (rest >> 32 != 0) break;
    }
    return q;
}
// The quotient and the remainder of a number of 128 bits by y, which is more than hi.
$inline pair<uint64, uint64> long_division(uint64 hi, uint64 lo, uint64 y) {
    if (hi == 0) return {lo / y, lo % y};
    int shift = 0;
    for (int n = 32; n > 0; n /= 2) {
        if (y >> (64 - n) == 0) {
            y <<= n;
            shift += n;
        }
    }
    hi = hi << shift | (lo >> 1) >> (63 - shift);
    lo <<= shift;
    const uint64 lo1 = lo >> 32, lo0 = uint32(lo);
    const uint64 q1 = digit(hi, lo1, y), rest = (hi << 32 | lo1) - q1 * y;
    const uint64 q0 = digit(rest, lo0, y);
    return {q1 << 32 | q0, ((rest << 32 | lo0) - q0 * y) >> shift};
}

//@ bits.Div64 needs bits.long_division
// Divides a number of 128 bits. A quotient that has more than 64 bits is 0.
$inline pair<uint64, uint64> Div64(uint64 hi, uint64 lo, uint64 y) {
    if (y <= hi) return {0, 0};
    return long_division(hi, lo, y);
}

//@ go.is_below
// Whether a number is smaller in size than another one: one comparison, where a range takes two.
template <class F> $inline bool is_below(F x, F limit) {
    if constexpr (sizeof(F) == 4) {
        return $math_fabsf(x) < limit;
    } else {
        return $math_fabs(x) < limit;
    }
}

//@ go.to_int32 needs go.is_below
// What an int32 cannot hold gives the smallest one, as on amd64.
template <class F> $inline int32 to_int32(F x) { return is_below(x, F(2147483648.0)) ? int32(x) : -2147483647 - 1; }

//@ go.to_int64 needs go.is_below
// What an int64 cannot hold gives the smallest one, as on amd64.
template <class F> $inline int64 to_int64(F x) { return is_below(x, F(9223372036854775808.0)) ? int64(x) : -9223372036854775807 - 1; }

//@ go.to_uint64
// What neither a uint64 nor an int64 can hold gives 1 << 63, as on amd64.
template <class F> $inline uint64 to_uint64(F x) {
    const F limit = F(9223372036854775808.0);
    if (x >= -limit && x < limit) return uint64(int64(x));
    return x >= limit && x < 2 * limit ? uint64(x) : uint64(1) << 63;
}
