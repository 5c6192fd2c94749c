package qd

// Int is any integer type.
type Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Float is any floating-point type.
type Float interface {
	~float32 | ~float64
}

// Number is any type with arithmetic.
type Number interface {
	Int | Float
}

// Storage is any type that keeps a float32 in memory, exactly or rounded. A kernel that computes in
// float32 reads it with [To32] and writes it with [From32].
type Storage interface {
	float32 | Float16 | BFloat16
}
