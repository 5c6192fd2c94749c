//go:build linux || darwin

#include "textflag.h"

// What differs between the systems: where the address of the registers in ucontext_t is that of a struct of their own, where the
// instruction and the address to return to are in it, how write is called, and the number of SIGBUS.
#ifdef GOOS_darwin
#define REGISTERS(context, to) MOVD 48(context), to
#define PC 272
#define RETURN 256
#define WRITE \
	MOVD $4, R16 \
	SVC  $0x80
#define BUS 10
#else
#define REGISTERS(context, to) MOVD context, to
#define PC 440
#define RETURN 424
#define WRITE \
	MOVD $64, R8 \
	SVC
#define BUS 7
#endif

// The handler of SIGSEGV and SIGBUS. The system calls it as a C function, on the stack for signals: R0 is the signal, R1 and
// R2 describe it. It looks for the instruction among the modules of the Crashables, writes their messages to standard error, and
// goes on to the handler that was there before, which sees what the system has left in these registers. If the instruction is in no
// module, it looks for the caller's: a kernel may have called memcpy, which has the address to return to in a register.
TEXT crashHandler<>(SB), NOSPLIT|NOFRAME, $0
	MOVD ·crashables(SB), R12
	CBZ  R12, next
	REGISTERS(R2, R7)
	MOVD PC(R7), R7
	MOVD $0, R3  // whether there is no further turn
	MOVD $0, R13 // whether a message has been written

turn:
	MOVD 0(R12), R9
	MOVD 8(R12), R10 // how many

loop:
	CBZ  R10, caller
	MOVD 0(R9), R11 // Crashable.from
	CMP  R11, R7
	BLO  skip
	MOVD 8(R9), R11 // Crashable.to
	CMP  R11, R7
	BHS  skip
	MOVD 32(R9), R11 // Crashable.shared
	CBZ  R11, write
	MOVD (R11), R11
	CBZ  R11, skip

write:
	CBNZ R13, text
	MOVD $·crashSaid(SB), R4

said:
	LDAXRW (R4), R5
	MOVW   $1, R6
	STLXRW R6, (R4), R14
	CBNZ   R14, said
	CBNZ   R5, next // another thread was first

text:
	MOVD R0, R14
	MOVD R1, R15
	MOVD R2, R6
	MOVD $2, R0
	MOVD 16(R9), R1 // Crashable.text
	MOVD 24(R9), R2 // Crashable.n
	WRITE
	MOVD R14, R0
	MOVD R15, R1
	MOVD R6, R2
	MOVD $1, R3
	MOVD $1, R13

skip:
	ADD $40, R9 // the size of a Crashable
	SUB $1, R10
	B   loop

caller:
	CBNZ R3, next
	MOVD $1, R3
	REGISTERS(R2, R7)
	MOVD RETURN(R7), R7
	B    turn

next:
	MOVD ·crashNext(SB), R3
	CMPW $BUS, R0
	BNE  go
	MOVD ·crashNextBus(SB), R3

go:
	B (R3)

// func crashHandlerAddress() uintptr
TEXT ·crashHandlerAddress(SB), NOSPLIT, $0-8
	MOVD $crashHandler<>(SB), R0
	MOVD R0, ret+0(FP)
	RET
