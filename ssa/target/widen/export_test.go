package widen

// TinyCPU is a processor with registers of 4 bytes, where 16 lanes of any numbers fill many.
var TinyCPU = tiny()

func tiny() *Costs {
	c := CPU
	c.vectorBytes = 4
	return &c
}
