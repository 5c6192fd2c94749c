//go:build ((linux && !android) || (darwin && !ios)) && !qdgo

#include "textflag.h"

// The argument of cgocall, which is in DI, points to a function and three arguments. The function returns to the caller.
TEXT call3<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ 0(DI), AX
	MOVQ 8(DI), R11
	MOVQ 16(DI), SI
	MOVQ 24(DI), DX
	MOVQ R11, DI
	JMP  AX

DATA ·call3Address(SB)/8, $call3<>(SB)
GLOBL ·call3Address(SB), NOPTR|RODATA, $8
