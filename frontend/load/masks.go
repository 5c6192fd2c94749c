package load

import (
	"go/token"
	"go/types"
	"regexp"
)

// maskMethods are the methods of masks for Go's operators.
var maskMethods = map[token.Token]string{
	token.LAND: "And", token.AND: "And", token.LOR: "Or", token.OR: "Or", token.XOR: "Xor", token.NOT: "Not",
}

// maskOperatorHint is advice on an operator that masks do not have, "" if there is no method for it.
func maskOperatorHint(o operation) string {
	method := maskMethods[o.op]
	if method == "" || (o.y == nil) != (method == "Not") {
		return ""
	}
	y := ""
	if o.y != nil {
		y = short(types.ExprString(o.y), "w")
	}
	return "operators are methods of masks: " + short(types.ExprString(o.x), "v") + "." + method + "(" + y + ")"
}

// maskName is the name of a mask in a package that has numbers too.
var maskName = regexp.MustCompile(`^Bool([2-9])(x[2-9])?$`)

// maskHint is advice on a name that one of this module's packages lacks, "" if it is not that of a mask.
func maskHint(w *typedWalk, pkg, name string) string {
	bools := conventionalName(BoolsPath)
	m := maskName.FindStringSubmatch(name)
	if m == nil {
		if m = sizedName.FindStringSubmatch(name); m == nil || m[4] != "" || pkg != bools {
			return ""
		}
		size := m[2] + m[3]
		if m[1] == "Mat" && m[3] == "" {
			size += "x" + m[2]
		}
		return ofOtherSize("Bool"+size, name)
	}
	s := shape{kind: "Bool", size: m[1] + m[2], pkg: bools}
	if w.declares(s.path(), s.name()) {
		return "it is " + s.String() + ", of package " + BoolsPath
	}
	return ofOtherSize(name, s.name())
}

// ofOtherSize is advice on a mask: how a package gets one of a size that package bools does not have.
func ofOtherSize(mask, numbers string) string {
	return "masks up to 4x4 are in package bools: qdgen types --elem float32 " + numbers + " writes " + mask + " into your package too"
}
