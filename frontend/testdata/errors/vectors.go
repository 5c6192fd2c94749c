package errors

import "github.com/qdgen/qd"

//qd:kernel
func swizzles(t qd.Thread, v []qd.Vec2f, w []qd.Vec4f, out []qd.Vec4f) {
	out[0] = v[0].Swizzle("XXYY")
	out[1] = v[0].Swizzle("XXYZ") // want "the letters of a Vec2's Swizzle are four of X and Y, as in"
	out[2] = w[0].Swizzle("XYZ")  // want "the letters of a Vec4's Swizzle are four of X, Y, Z and W"
	out[3] = w[0].Swizzle("xyzw") // want "four of X, Y, Z and W"
	out[4] = w[0].Swizzle("")     // want "four of X, Y, Z and W"
	letters := "XYXY"
	if t.ID() > 3 {
		letters = "YXYX"
	}
	out[5] = w[0].Swizzle(letters) // want "letters is not known at compile time: it differs from branch to branch"
}

//qd:kernel
func ofIntegers(t qd.Thread, v []qd.Vec2i) {
	v[0] = v[0].Sinh()          // want "this function is one of floating-point numbers"
	v[1] = v[1].FMA(v[0], v[0]) // want "this function is one of floating-point numbers"
	v[2] = v[2].Map2(v[0], func(a, b int32) int32 { return qd.Clamp(a, 0, b) })
}
