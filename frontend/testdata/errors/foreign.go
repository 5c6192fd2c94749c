package errors

import (
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func foreignNew(t qd.Thread, x []int) {
	d := new(time.Duration) // want "package time is not available in kernels"
	*d = 5
	x[0] = int(*d)
}
