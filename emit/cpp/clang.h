//@ array
// A Go array: its elements are its value. The destructor keeps them out of registers of two
// floats each, which no loop can be vectorized with, where functions give them to each other.
template <class T, int64 N> struct array {
    T data[N];
    ~array() {}
    T& operator[](int64 i) { return data[i]; }
    const T& operator[](int64 i) const { return data[i]; }
};
