package load

import (
	"go/types"
	"regexp"
	"strings"
)

// A shape is what a type of this module's is: a Vec of 3 float32, of package f32, a Mat of 2x3, a Quat, a Bool, which
// is any type of package bools.
type shape struct{ kind, size, pkg, elem string }

var shapeName = regexp.MustCompile(`^(?:(Vec|Mat)(\d)(x\d)?|(Quat))$`)

// elements are what the elements are of the vectors of a package.
var elements = map[string]string{"f32": "float32", "f64": "float64", "i32": "int32", "u32": "uint32"}

// shapeOf is the shape of a type; without a kind for one that is none of this module's.
func shapeOf(t types.Type) shape {
	n := ownNamed(t)
	if n == nil {
		return shape{}
	}
	s := shapeNamed(n.Obj().Name())
	if s.kind != "" {
		s.pkg = n.Obj().Pkg().Name()
		s.elem = elements[s.pkg]
		if n.Obj().Pkg().Path() == BoolsPath {
			s.kind = "Bool"
		}
	}
	return s
}

// shapeNamed is the shape that a name stands for, of no package.
func shapeNamed(name string) shape {
	m := shapeName.FindStringSubmatch(name)
	if m == nil {
		return shape{}
	}
	s := shape{kind: m[1] + m[4], size: m[2] + m[3]}
	if s.kind == "Mat" && m[3] == "" {
		s.size += "x" + s.size
	}
	return s
}

// ownNamed is a named type of one of this module's packages, nil for any other.
func ownNamed(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !IsOwn(n.Obj().Pkg().Path()) {
		return nil
	}
	return n
}

// qdNamed is a named type of package qd, nil for any other.
func qdNamed(t types.Type) *types.Named {
	if n := ownNamed(t); n != nil && n.Obj().Pkg().Path() == QDPath {
		return n
	}
	return nil
}

// name is the name of the type in its package.
func (s shape) name() string {
	kind := s.kind
	rows, cols, isMat := strings.Cut(s.size, "x")
	switch {
	case kind != "Bool":
	case isMat:
		kind = "Mat"
	default:
		kind = "Vec"
	}
	if kind == "Mat" && rows == cols {
		return kind + rows
	}
	return kind + s.size
}

// String is the name of the type with its package: f32.Vec3.
func (s shape) String() string { return s.pkg + "." + s.name() }

// path is the import path of the type's package.
func (s shape) path() string {
	if s.pkg == "" || s.pkg == conventionalName(QDPath) {
		return QDPath
	}
	return QDPath + "/" + s.pkg
}

// of is the type of the same shape in another package.
func (s shape) of(pkg string) shape {
	return shape{s.kind, s.size, pkg, elements[pkg]}
}

// isNumbers reports whether it is a vector, a matrix or a quaternion.
func (s shape) isNumbers() bool { return s.kind != "" && s.kind != "Bool" }
