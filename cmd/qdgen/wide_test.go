package main

import (
	"regexp"
	"testing"
)

// TestWide looks for the instructions of numbers of 128 bits in the machine code: one multiplication for both halves of a
// product, additions with a carry, the division. Threads are not put into the lanes of vectors, which are taken apart to
// multiply.
func TestWide(t *testing.T) {
	t.Parallel()
	machineCode := onAMD64(t)
	both, one, apart := regexp.MustCompile(`\smulx?q\s`), regexp.MustCompile(`\simulq\s`), regexp.MustCompile(`\sv?p(ins|ext)rq\s`)
	for _, arch := range []string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4 -mprefer-vector-width=512"} {
		asm := func(kernel string) string { return machineCode(arch, "./testdata/wide", "--kernel", kernel) }
		products := asm("products")
		if n, m := len(both.FindAllString(products, -1)), len(one.FindAllString(products, -1)); n < 6 || m > 5*n/6 {
			t.Errorf("%s: %d multiplications for two halves and %d for one; of 10 products, 6 are asked for both", arch, n, m)
		}
		if apart.MatchString(products) {
			t.Errorf("%s: lanes are taken apart for products", arch)
		}
		sums := asm("sums")
		for _, name := range []string{`\sadcq\s`, `\ssbbq\s`} {
			if len(regexp.MustCompile(name).FindAllString(sums, -1)) < 2 {
				t.Errorf("%s: the code of sums has not the two of %s", arch, name)
			}
		}
		if n := len(regexp.MustCompile(`\sdivq\s`).FindAllString(asm("remainders"), -1)); n != 2 {
			t.Errorf("%s: %d divisions in place of the two of Rem64", arch, n)
		}
	}
}
