package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int32s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint64s"
)

// extensible2 and extensible3 are the vectors that the next length is made of.
type (
	extensible2[V, V3 any, T qd.Number] interface {
		vec2[V, T]
		extensible[V3, T]
	}
	extensible3[V, V4 any, T qd.Number] interface {
		vec3[V, T]
		extensible[V4, T]
	}
)

// An algebra is the vectors and matrices of a type of numbers T, with the functions that make
// them. Its methods launch kernels that are generic over them.
type algebra[
	V2 extensible2[V2, V3, T], V3 extensible3[V3, V4, T], V4 vec4[V4, T], V5 vec5[V5, T],
	M2 mat2[M2, V2, T], M3 mat3[M3, V3, T], M4 mat4[M4, V4, T], M5 mat5[M5, V5, T],
	M23 mat23[M23, V3, M32, M3, T], M32 mat32[M32, V2, M23, M2, V3, T], T qd.Number,
] struct {
	vecMakers vecMakers[V2, V3, V4, V5, T]
	matMakers matMakers[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]
}

var int8Algebra = algebra[int8s.Vec2, int8s.Vec3, int8s.Vec4, int8s.Vec5, int8s.Mat2, int8s.Mat3, int8s.Mat4, int8s.Mat5x5, int8s.Mat2x3, int8s.Mat3x2, int8]{
	vecMakers[int8s.Vec2, int8s.Vec3, int8s.Vec4, int8s.Vec5, int8]{
		int8s.Vec2Splat, int8s.Vec3Splat, int8s.Vec4Splat, int8s.Vec5Splat, int8s.Vec2Unit, int8s.Vec5Unit,
	},
	matMakers[int8s.Vec2, int8s.Vec3, int8s.Vec4, int8s.Vec5, int8s.Mat2, int8s.Mat3, int8s.Mat4, int8s.Mat5x5, int8s.Mat2x3, int8s.Mat3x2, int8]{
		Splat2: int8s.Mat2Splat, Splat3: int8s.Mat3Splat, Splat4: int8s.Mat4Splat, Splat5: int8s.Mat5x5Splat, Splat23: int8s.Mat2x3Splat, Splat32: int8s.Mat3x2Splat,
		Identity2: int8s.Mat2Identity, Identity3: int8s.Mat3Identity, Identity4: int8s.Mat4Identity, Identity5: int8s.Mat5x5Identity, Diag5: int8s.Mat5x5Diag,
		Rows3: int8s.Mat3FromRows, Rows23: int8s.Mat2x3FromRows, Cols2: int8s.Mat2FromCols, Cols3: int8s.Mat3FromCols, Cols32: int8s.Mat3x2FromCols,
		Outer2: int8s.Mat2Outer, Outer3: int8s.Mat3Outer, Outer4: int8s.Mat4Outer, Outer5: int8s.Mat5x5Outer, Outer23: int8s.Mat2x3Outer, Outer32: int8s.Mat3x2Outer,
		Mul23x32: int8s.Mat2x3Mul3x2, Mul32x23: int8s.Mat3x2Mul2x3,
	},
}

var int32Algebra = algebra[i32.Vec2, i32.Vec3, i32.Vec4, int32s.Vec5, i32.Mat2, i32.Mat3, i32.Mat4, int32s.Mat5x5, i32.Mat2x3, i32.Mat3x2, int32]{
	vecMakers[i32.Vec2, i32.Vec3, i32.Vec4, int32s.Vec5, int32]{
		i32.Vec2Splat, i32.Vec3Splat, i32.Vec4Splat, int32s.Vec5Splat, i32.Vec2Unit, int32s.Vec5Unit,
	},
	matMakers[i32.Vec2, i32.Vec3, i32.Vec4, int32s.Vec5, i32.Mat2, i32.Mat3, i32.Mat4, int32s.Mat5x5, i32.Mat2x3, i32.Mat3x2, int32]{
		Splat2: i32.Mat2Splat, Splat3: i32.Mat3Splat, Splat4: i32.Mat4Splat, Splat5: int32s.Mat5x5Splat, Splat23: i32.Mat2x3Splat, Splat32: i32.Mat3x2Splat,
		Identity2: i32.Mat2Identity, Identity3: i32.Mat3Identity, Identity4: i32.Mat4Identity, Identity5: int32s.Mat5x5Identity, Diag5: int32s.Mat5x5Diag,
		Rows3: i32.Mat3FromRows, Rows23: i32.Mat2x3FromRows, Cols2: i32.Mat2FromCols, Cols3: i32.Mat3FromCols, Cols32: i32.Mat3x2FromCols,
		Outer2: i32.Mat2Outer, Outer3: i32.Mat3Outer, Outer4: i32.Mat4Outer, Outer5: int32s.Mat5x5Outer, Outer23: i32.Mat2x3Outer, Outer32: i32.Mat3x2Outer,
		Mul23x32: i32.Mat2x3Mul3x2, Mul32x23: i32.Mat3x2Mul2x3,
	},
}

var uint64Algebra = algebra[uint64s.Vec2, uint64s.Vec3, uint64s.Vec4, uint64s.Vec5, uint64s.Mat2, uint64s.Mat3, uint64s.Mat4, uint64s.Mat5x5, uint64s.Mat2x3, uint64s.Mat3x2, uint64]{
	vecMakers[uint64s.Vec2, uint64s.Vec3, uint64s.Vec4, uint64s.Vec5, uint64]{
		uint64s.Vec2Splat, uint64s.Vec3Splat, uint64s.Vec4Splat, uint64s.Vec5Splat, uint64s.Vec2Unit, uint64s.Vec5Unit,
	},
	matMakers[uint64s.Vec2, uint64s.Vec3, uint64s.Vec4, uint64s.Vec5, uint64s.Mat2, uint64s.Mat3, uint64s.Mat4, uint64s.Mat5x5, uint64s.Mat2x3, uint64s.Mat3x2, uint64]{
		Splat2: uint64s.Mat2Splat, Splat3: uint64s.Mat3Splat, Splat4: uint64s.Mat4Splat, Splat5: uint64s.Mat5x5Splat, Splat23: uint64s.Mat2x3Splat, Splat32: uint64s.Mat3x2Splat,
		Identity2: uint64s.Mat2Identity, Identity3: uint64s.Mat3Identity, Identity4: uint64s.Mat4Identity, Identity5: uint64s.Mat5x5Identity, Diag5: uint64s.Mat5x5Diag,
		Rows3: uint64s.Mat3FromRows, Rows23: uint64s.Mat2x3FromRows, Cols2: uint64s.Mat2FromCols, Cols3: uint64s.Mat3FromCols, Cols32: uint64s.Mat3x2FromCols,
		Outer2: uint64s.Mat2Outer, Outer3: uint64s.Mat3Outer, Outer4: uint64s.Mat4Outer, Outer5: uint64s.Mat5x5Outer, Outer23: uint64s.Mat2x3Outer, Outer32: uint64s.Mat3x2Outer,
		Mul23x32: uint64s.Mat2x3Mul3x2, Mul32x23: uint64s.Mat3x2Mul2x3,
	},
}

var float32Algebra = algebra[f32.Vec2, f32.Vec3, f32.Vec4, big32.Vec5, f32.Mat2, f32.Mat3, f32.Mat4, big32.Mat5x5, f32.Mat2x3, f32.Mat3x2, float32]{
	vecMakers[f32.Vec2, f32.Vec3, f32.Vec4, big32.Vec5, float32]{
		f32.Vec2Splat, f32.Vec3Splat, f32.Vec4Splat, big32.Vec5Splat, f32.Vec2Unit, big32.Vec5Unit,
	},
	matMakers[f32.Vec2, f32.Vec3, f32.Vec4, big32.Vec5, f32.Mat2, f32.Mat3, f32.Mat4, big32.Mat5x5, f32.Mat2x3, f32.Mat3x2, float32]{
		Splat2: f32.Mat2Splat, Splat3: f32.Mat3Splat, Splat4: f32.Mat4Splat, Splat5: big32.Mat5x5Splat, Splat23: f32.Mat2x3Splat, Splat32: f32.Mat3x2Splat,
		Identity2: f32.Mat2Identity, Identity3: f32.Mat3Identity, Identity4: f32.Mat4Identity, Identity5: big32.Mat5x5Identity, Diag5: big32.Mat5x5Diag,
		Rows3: f32.Mat3FromRows, Rows23: f32.Mat2x3FromRows, Cols2: f32.Mat2FromCols, Cols3: f32.Mat3FromCols, Cols32: f32.Mat3x2FromCols,
		Outer2: f32.Mat2Outer, Outer3: f32.Mat3Outer, Outer4: f32.Mat4Outer, Outer5: big32.Mat5x5Outer, Outer23: f32.Mat2x3Outer, Outer32: f32.Mat3x2Outer,
		Mul23x32: f32.Mat2x3Mul3x2, Mul32x23: f32.Mat3x2Mul2x3,
	},
}

var float64Algebra = algebra[f64.Vec2, f64.Vec3, f64.Vec4, big64.Vec5, f64.Mat2, f64.Mat3, f64.Mat4, big64.Mat5x5, f64.Mat2x3, f64.Mat3x2, float64]{
	vecMakers[f64.Vec2, f64.Vec3, f64.Vec4, big64.Vec5, float64]{
		f64.Vec2Splat, f64.Vec3Splat, f64.Vec4Splat, big64.Vec5Splat, f64.Vec2Unit, big64.Vec5Unit,
	},
	matMakers[f64.Vec2, f64.Vec3, f64.Vec4, big64.Vec5, f64.Mat2, f64.Mat3, f64.Mat4, big64.Mat5x5, f64.Mat2x3, f64.Mat3x2, float64]{
		Splat2: f64.Mat2Splat, Splat3: f64.Mat3Splat, Splat4: f64.Mat4Splat, Splat5: big64.Mat5x5Splat, Splat23: f64.Mat2x3Splat, Splat32: f64.Mat3x2Splat,
		Identity2: f64.Mat2Identity, Identity3: f64.Mat3Identity, Identity4: f64.Mat4Identity, Identity5: big64.Mat5x5Identity, Diag5: big64.Mat5x5Diag,
		Rows3: f64.Mat3FromRows, Rows23: f64.Mat2x3FromRows, Cols2: f64.Mat2FromCols, Cols3: f64.Mat3FromCols, Cols32: f64.Mat3x2FromCols,
		Outer2: f64.Mat2Outer, Outer3: f64.Mat3Outer, Outer4: f64.Mat4Outer, Outer5: big64.Mat5x5Outer, Outer23: f64.Mat2x3Outer, Outer32: f64.Mat3x2Outer,
		Mul23x32: f64.Mat2x3Mul3x2, Mul32x23: f64.Mat3x2Mul2x3,
	},
}
