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
