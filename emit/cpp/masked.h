//@ vec.masked
// Where processors have masks, one instruction reads or writes some lanes of a register: those in which the mask, of integers as
// long as the numbers, has -1. It does not touch the memory of the other lanes, and reads 0 for them.
template <class T, int bytes> struct vector_of { typedef T type __attribute__((vector_size(bytes))); };
template <class T, int bytes> using vector = typename vector_of<T, bytes>::type;
// Compilers declare these operations for pointers to numbers, or for pointers to vectors.
struct pointer {
    const void* p;
    template <class P> operator P*() const { return (P*)p; }
};
#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && __has_builtin(__builtin_ia32_loaddqusi512_mask)
constexpr int longest_masked = 64, shortest_masked = 1; // bytes of a register, and of a number
#define MASKED(T, bytes, kind, bits) \
    $inline vector<T, bytes> read_some(pointer p, vector<T, bytes> m) { return __builtin_ia32_loaddqu##kind##_mask(p, vector<T, bytes>{}, __builtin_ia32_cvt##bits(m)); } \
    $inline void write_some(pointer p, vector<T, bytes> v, vector<T, bytes> m) { __builtin_ia32_storedqu##kind##_mask(p, v, __builtin_ia32_cvt##bits(m)); }
MASKED(char, 16, qi128, b2mask128)
MASKED(char, 32, qi256, b2mask256)
MASKED(char, 64, qi512, b2mask512)
MASKED(short, 16, hi128, w2mask128)
MASKED(short, 32, hi256, w2mask256)
MASKED(short, 64, hi512, w2mask512)
MASKED(int, 16, si128, d2mask128)
MASKED(int, 32, si256, d2mask256)
MASKED(int, 64, si512, d2mask512)
MASKED(int64, 16, di128, q2mask128)
MASKED(int64, 32, di256, q2mask256)
MASKED(int64, 64, di512, q2mask512)
#undef MASKED
#elif defined(__AVX2__) && __has_builtin(__builtin_ia32_maskloadd256)
constexpr int longest_masked = 32, shortest_masked = 4;
#define MASKED(T, bytes, kind) \
    $inline vector<T, bytes> read_some(pointer p, vector<T, bytes> m) { return __builtin_ia32_maskload##kind(p, m); } \
    $inline void write_some(pointer p, vector<T, bytes> v, vector<T, bytes> m) { __builtin_ia32_maskstore##kind(p, m, v); }
MASKED(int, 16, d)
MASKED(int, 32, d256)
MASKED(int64, 16, q)
MASKED(int64, 32, q256)
#undef MASKED
#else
constexpr int longest_masked = 0, shortest_masked = 0;
#endif
template <int size> constexpr bool has_masks = longest_masked > 0 && size >= shortest_masked;
template <int size> struct integer { using type = char; };
template <> struct integer<2> { using type = short; };
template <> struct integer<4> { using type = int; };
template <> struct integer<8> { using type = int64; };
template <class V> using integers = vector<typename integer<sizeof(V{}[0])>::type, sizeof(V)>;

// A vector that is longer than a register is moved by halves, and a shorter one in the first lanes of one.
template <class V> $inline V read_masked(const void* p, V m) {
    using T = __typeof__(V{}[0]);
    if constexpr (sizeof(V) > longest_masked) {
        using half = vector<T, sizeof(V) / 2>;
        half halves[2];
        __builtin_memcpy(halves, &m, sizeof(V));
        halves[0] = read_masked(p, halves[0]);
        halves[1] = read_masked((const half*)p + 1, halves[1]);
        __builtin_memcpy(&m, halves, sizeof(V));
    } else {
        vector<T, sizeof(V) < 16 ? 16 : sizeof(V)> all = {};
        __builtin_memcpy(&all, &m, sizeof(V));
        all = read_some(pointer{p}, all);
        __builtin_memcpy(&m, &all, sizeof(V));
    }
    return m;
}
template <class V> $inline void write_masked(void* p, V v, V m) {
    using T = __typeof__(V{}[0]);
    if constexpr (sizeof(V) > longest_masked) {
        using half = vector<T, sizeof(V) / 2>;
        half halves[2], masks[2];
        __builtin_memcpy(halves, &v, sizeof(V));
        __builtin_memcpy(masks, &m, sizeof(V));
        write_masked(p, halves[0], masks[0]);
        write_masked((half*)p + 1, halves[1], masks[1]);
    } else {
        vector<T, sizeof(V) < 16 ? 16 : sizeof(V)> all = {}, mask = {};
        __builtin_memcpy(&all, &v, sizeof(V));
        __builtin_memcpy(&mask, &m, sizeof(V));
        write_some(pointer{p}, all, mask);
    }
}

//@ vec.anywhere needs vec.masked
// Where processors have it, one instruction reads, or writes, numbers of 4 or 8 bytes that lie anywhere, for the lanes of a mask:
// no lane has a branch, and no call makes all vectors go to memory. Of what two lanes write to one place, the last one's stays.
#define COMMA ,
#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && __has_builtin(__builtin_ia32_gathersiv16si) && __has_builtin(__builtin_ia32_scattersiv16si)
template <int size, class M> constexpr bool reads_anywhere = (size == 4 || size == 8) && sizeof(M) >= 32;
template <int size, class M> constexpr bool writes_anywhere = reads_anywhere<size, M>;
#define ANYWHERE(V, I, M, read, write, bits) \
    template <int by> $inline V read_at(const void* p, I index, M m, V none) { return __builtin_ia32_gather##read(none, p, index, __builtin_ia32_cvt##bits(m), by); } \
    template <int by> $inline void write_at(void* p, I index, M m, V v) { __builtin_ia32_scatter##write(p, __builtin_ia32_cvt##bits(m), index, v, by); }
ANYWHERE(vector<int COMMA 64>, vector<int COMMA 64>, vector<int COMMA 64>, siv16si, siv16si, d2mask512)
ANYWHERE(vector<int COMMA 32>, vector<int COMMA 32>, vector<int COMMA 32>, 3siv8si, siv8si, d2mask256)
ANYWHERE(vector<int COMMA 32>, vector<int64 COMMA 64>, vector<int COMMA 32>, div16si, div16si, d2mask256)
ANYWHERE(vector<int64 COMMA 64>, vector<int COMMA 32>, vector<int COMMA 32>, siv8di, siv8di, d2mask256)
ANYWHERE(vector<int64 COMMA 64>, vector<int64 COMMA 64>, vector<int COMMA 32>, div8di, div8di, d2mask256)
#undef ANYWHERE
#elif defined(__AVX2__) && __has_builtin(__builtin_ia32_gatherd_d256)
template <int size, class M> constexpr bool reads_anywhere = (size == 4 || size == 8) && sizeof(M) >= 16;
template <int size, class M> constexpr bool writes_anywhere = false;
#define ANYWHERE(V, I, M, read) \
    template <int by> $inline V read_at(const void* p, I index, M m, V none) { return __builtin_ia32_gather##read(none, pointer{p}, index, __builtin_convertvector(m, V), by); }
ANYWHERE(vector<int COMMA 32>, vector<int COMMA 32>, vector<int COMMA 32>, d_d256)
ANYWHERE(vector<int COMMA 16>, vector<int COMMA 16>, vector<int COMMA 16>, d_d)
ANYWHERE(vector<int COMMA 16>, vector<int64 COMMA 32>, vector<int COMMA 16>, q_d256)
ANYWHERE(vector<int64 COMMA 32>, vector<int COMMA 16>, vector<int COMMA 16>, d_q256)
ANYWHERE(vector<int64 COMMA 32>, vector<int64 COMMA 32>, vector<int COMMA 16>, q_q256)
#undef ANYWHERE
template <int by, class I, class M, class V> void write_at(void* p, I index, M m, V v); // none
#else
template <int size, class M> constexpr bool reads_anywhere = false;
template <int size, class M> constexpr bool writes_anywhere = false;
template <int by, class I, class M, class V> V read_at(const void* p, I index, M m, V none); // none
template <int by, class I, class M, class V> void write_at(void* p, I index, M m, V v);
#endif
#undef COMMA
// The instructions multiply an index of 32 or 64 bits by 1, 2, 4 or 8. One that is multiplied before, or has no sign, has 64.
constexpr bool is_scale(int64 by) { return by == 1 || by == 2 || by == 4 || by == 8; }
template <int64 by, class I> $inline auto scaled(I index) {
    using N = __typeof__(I{}[0]);
    constexpr int lanes = sizeof(I) / sizeof(N);
    if constexpr (!is_scale(by)) return __builtin_convertvector(index, vector<int64, 8 * lanes>) * by;
    else if constexpr (sizeof(N) < 4) return __builtin_convertvector(index, vector<int, 4 * lanes>);
    else if constexpr (N(-1) < 0) return index;
    else return __builtin_convertvector(index, vector<int64, 8 * lanes>);
}
template <class V> using half = vector<__typeof__(V{}[0]), sizeof(V) / 2>;
template <class V> struct halves {
    half<V> of[2];
};
template <class V> $inline halves<V> halved(V v) {
    halves<V> h;
    __builtin_memcpy(&h, &v, sizeof(V));
    return h;
}
template <int64 by, class V, class I, class M> $inline V read_anywhere(const void* p, I index, M mask) {
    constexpr int scale = is_scale(by) ? by : 1;
    auto n = scaled<by>(index);
    if constexpr (sizeof(V) > longest_masked || sizeof(n) > longest_masked) {
        const auto at = halved(n);
        const auto m = halved(mask);
        halves<integers<V>> v;
        for (int i = 0; i < 2; i++) v.of[i] = read_anywhere<scale, half<integers<V>>>(p, at.of[i], m.of[i]);
        V all;
        __builtin_memcpy(&all, &v, sizeof(V));
        return all;
    } else {
        return (V)read_at<scale>(p, n, mask, integers<V>{});
    }
}
template <int64 by, class V, class I, class M> $inline void write_anywhere(void* p, I index, V value, M mask) {
    constexpr int scale = is_scale(by) ? by : 1;
    auto n = scaled<by>(index);
    if constexpr (sizeof(V) > longest_masked || sizeof(n) > longest_masked) {
        const auto v = halved(integers<V>(value));
        const auto at = halved(n);
        const auto m = halved(mask);
        for (int i = 0; i < 2; i++) write_anywhere<scale>(p, at.of[i], v.of[i], m.of[i]);
    } else {
        write_at<scale>(p, n, mask, (integers<V>)value);
    }
}
// Bytes are read with the three others of the same word, which lie in the same page.
template <int64 by, class I, class M> $inline M read_bytes(const void* p, I index, M mask) {
    const auto at = __builtin_convertvector(index, vector<int64, sizeof(M) * 2>) * by + int64(p);
    const M words = read_anywhere<1, M>(nullptr, at & ~3, mask);
    return words >> __builtin_convertvector(at & 3, M) * 8 & 255;
}
