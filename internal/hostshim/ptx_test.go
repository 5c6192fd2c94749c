package hostshim_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/hostshim"
)

// A product of small integers by mma.sync, of matrices that threads put into registers by the formulas of the manual: "Matrix
// Fragments" of the instruction, with groupID = lane / 4 and threadID_in_group = lane % 4.
const multiplying = `
struct k_args { int* c; };
typedef NUMBER number;
__device__ number numberOf(int v) { CONVERT }
__device__ int A(int row, int k) { return (row * 7 + k * 3) % 5 - 2; }
__device__ int B(int k, int column) { return (k * 2 + column * 11) % 7 - 3; }
extern "C" __global__ void k(const k_args args) {
    const int group = threadIdx.x % 32 / 4, in_group = threadIdx.x % 32 % 4, per = 4 / sizeof(number);
    unsigned a[4], b[2];
    for (int i = 0; i < 4 * per; i++) {
        const int row = i / per % 2 == 0 ? group : group + 8;
        const int k = in_group * per + i % per + (i < 2 * per ? 0 : 4 * per);
        ((number*)a)[i] = numberOf(A(row, k));
    }
    for (int i = 0; i < 2 * per; i++) {
        const int k = in_group * per + i % per + (i < per ? 0 : 4 * per);
        ((number*)b)[i] = numberOf(B(k, group));
    }
    SUM c[4] = {1, 2, 3, 4};
    __syncthreads();
    asm volatile("INSTRUCTION {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) {
        const int row = i < 2 ? group : group + 8, column = in_group * 2 + (i & 1);
        int want = i + 1;
        for (int k = 0; k < DEPTH; k++) want += A(row, k) * B(k, column);
        args.c[threadIdx.x * 4 + i] = int(c[i]) - want;
    }
}
`

// Half precision of integers from -3 to 3.
const float16 = `static const unsigned short bits[] = {0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200}; return bits[v + 3];`
const bfloat16 = `static const unsigned short bits[] = {0xc040, 0xc000, 0xbf80, 0, 0x3f80, 0x4000, 0x4040}; return bits[v + 3];`

func TestMultiply(t *testing.T) {
	for _, tt := range []struct{ instruction, number, convert, sum, depth string }{
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "unsigned short", float16, "float", "16"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "unsigned short", bfloat16, "float", "16"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "float", "return v;", "float", "8"},
		{"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "signed char", "return v;", "int", "32"},
	} {
		text := strings.NewReplacer("INSTRUCTION", tt.instruction, "NUMBER", tt.number, "CONVERT", tt.convert, "SUM", tt.sum, "DEPTH", tt.depth).Replace(multiplying)
		fn := symbol(t, hostshim.Wrap(text, "k"))
		c := make([]int32, 64*4)
		for i := range c {
			c[i] = 99
		}
		args := struct{ c *int32 }{&c[0]}
		dl.Call(fn, uintptr(unsafe.Pointer(&args)), 1, 64)
		for i, wrong := range c {
			if wrong != 0 {
				t.Errorf("%s: element %d of thread %d is wrong by %d", tt.instruction, i%4, i/4, wrong)
			}
		}
	}
}
