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

