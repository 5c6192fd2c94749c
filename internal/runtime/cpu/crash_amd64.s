//go:build linux || darwin

#include "textflag.h"

// What differs between the systems: where the address of the registers in ucontext_t is that of a struct of their own, where the
// instruction and the top of the stack are in it, the number of write, and that of SIGBUS.
#ifdef GOOS_darwin
#define REGISTERS(context, to) MOVQ 48(context), to
#define RIP 144
#define RSP 72
#define WRITE 0x2000004
#define BUS 10
#else
#define REGISTERS(context, to) MOVQ context, to
#define RIP 168
#define RSP 160
#define WRITE 1
#define BUS 7
#endif

// The handler of SIGSEGV and SIGBUS. The system calls it as a C function, on the stack for signals: DI is the signal, SI and
// DX describe it. It looks for the instruction among the modules of the Crashables, writes their messages to standard error, and
// goes on to the handler that was there before, which sees what the system has left in these registers. If the instruction is in no
// module, it looks for the caller's: a kernel may have called memcpy, which leaves the address to return to on top of the stack.
TEXT crashHandler<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ ·crashables(SB), R12
	TESTQ R12, R12
	JZ   next
	REGISTERS(DX, R8)
	MOVQ RIP(R8), R8 // the instruction
	XORL BX, BX      // whether there is no further turn
	XORL R13, R13    // whether a message has been written

turn:
	MOVQ 0(R12), R9
	MOVQ 8(R12), R10 // how many

loop:
	TESTQ R10, R10
	JZ   caller
	CMPQ R8, 0(R9) // Crashable.from
	JCS  skip
	CMPQ R8, 8(R9) // Crashable.to
	JCC  skip
	MOVQ 32(R9), AX // Crashable.shared
	TESTQ AX, AX
	JZ   write
	CMPQ 0(AX), $0
	JEQ  skip

write:
	TESTL R13, R13
	JNZ  text
	MOVL $1, AX
	XCHGL AX, ·crashSaid(SB)
	TESTL AX, AX
	JNZ  next // another thread was first

text:
	PUSHQ DI
	PUSHQ SI
	PUSHQ DX
	MOVL $WRITE, AX
	MOVL $2, DI
	MOVQ 16(R9), SI // Crashable.text
	MOVQ 24(R9), DX // Crashable.n
	SYSCALL
	POPQ DX
	POPQ SI
	POPQ DI
	MOVL $1, BX
	MOVL $1, R13

skip:
	ADDQ $40, R9 // the size of a Crashable
	DECQ R10
	JMP  loop

caller:
	TESTL BX, BX
	JNZ  next
	MOVL $1, BX
	REGISTERS(DX, R8)
	MOVQ RSP(R8), R8
	MOVQ 0(R8), R8
	JMP  turn

next:
	MOVQ ·crashNext(SB), AX
	CMPL DI, $BUS
	JNE  go
	MOVQ ·crashNextBus(SB), AX

go:
	JMP AX

// func crashHandlerAddress() uintptr
TEXT ·crashHandlerAddress(SB), NOSPLIT, $0-8
	LEAQ crashHandler<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
