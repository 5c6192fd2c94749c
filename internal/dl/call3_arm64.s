//go:build ((linux && !android) || (darwin && !ios)) && !qdgo

#include "textflag.h"

// The argument of cgocall, which is in R0, points to a function and three arguments. The function returns to the caller.
TEXT call3<>(SB), NOSPLIT|NOFRAME, $0
	MOVD 0(R0), R9
	MOVD 8(R0), R10
	MOVD 16(R0), R1
	MOVD 24(R0), R2
	MOVD R10, R0
	B    (R9)

DATA ·call3Address(SB)/8, $call3<>(SB)
GLOBL ·call3Address(SB), NOPTR|RODATA, $8
