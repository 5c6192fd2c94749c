package errors

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

//qd:kernel
func swizzles(t qd.Thread, v []f32.Vec2, out []f32.Vec4) {
	out[0] = v[0].XXYY()
	out[1] = v[0].XXYZ() // want "XXYZ undefined"
}

//qd:kernel
func ofIntegers(t qd.Thread, v []i32.Vec2) {
	v[0] = v[0].Sinh()          // want "Sinh undefined"
	v[1] = v[1].FMA(v[0], v[0]) // want "FMA undefined"
	v[2] = v[2].Map2(v[0], func(a, b int32) int32 { return qd.Clamp(a, 0, b) })
}

//qd:kernel
func inPackageQD(t qd.Thread, x []qd.Vec3) { // want "qd.Vec3 is not available in kernels"
	x[t.ID()] = qd.Vec3Splat(1) // want "qd.Vec3Splat is not available in kernels"
}
