package vectypes

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Type is what is asked for by a name.
type Type struct {
	Shape
	Name string // Vec6, Mat3x6; of a square matrix Mat6 or Mat6x6
}

var typeName = regexp.MustCompile(`^(?:Vec([1-9][0-9]*)|Mat([1-9][0-9]*)(?:x([1-9][0-9]*))?)$`)

// Parse gives a type by its name: Vec6, Mat3x6, or Mat6, which is Mat6x6. Its elements are of a type.
func Parse(name string, elem Elem) (Type, error) {
	m := typeName.FindStringSubmatch(name)
	if m == nil {
		return Type{}, fmt.Errorf("%q is no name of a vector or matrix type: %s", name, advice(name))
	}
	size := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			return maxVec + 1 // more digits than an int has
		}
		return n
	}
	var s Shape
	limit, counted := maxVec, "elements"
	if m[1] != "" {
		s = Vec(size(m[1]))
	} else {
		s = Mat(size(m[2]), size(cmp.Or(m[3], m[2])))
		limit, counted = maxMat, "rows and columns"
	}
	switch {
	case s.Cols < minSize || s.IsMat() && s.Rows < minSize:
		return Type{}, fmt.Errorf("%s: there are no types of a single row, column or element: use a vector, or a number", name)
	case s.Cols > limit || s.Rows > limit:
		return Type{}, fmt.Errorf("%s is too large, the most are %d %s: vectors and matrices are held in the registers of one thread; keep larger ones in slices, or in a qd.View2", name, limit, counted)
	case elem.IsHalf() && s.IsMat():
		return Type{}, fmt.Errorf("%s of %s: there are only vectors of these, because they are for storage; store the rows, as %s", name, elem, Vec(s.Cols))
	case elem.Has(s):
		return Type{}, fmt.Errorf("package %s has %s of %s: use %[1]s.%[4]s", elem.Package(), name, elem, s)
	}
	return Type{s, name}, nil
}

// almostName is what people write for the name of a type.
var almostName = regexp.MustCompile(`(?i)^(?:[a-z]\w*\.)?(vec|mat|bool)0*([1-9][0-9]*)(?:x0*([1-9][0-9]*))?([a-z]|\[.*)?$`)

// advice says how to write what is no name of a type.
func advice(name string) string {
	if strings.ContainsAny(name, " ,;") {
		return "separate the names by spaces, without quotes: qdgen types --elem float32 Vec6 Mat3x6"
	}
	m := almostName.FindStringSubmatch(name)
	if m == nil {
		return "types are called Vec6, for 6 elements, or Mat3x6, for 3 rows and 6 columns"
	}
	rows, cols := m[2], m[3]
	right := "Vec" + rows
	if cols != "" || strings.EqualFold(m[1], "mat") {
		right = "Mat" + rows
		if cols != "" {
			right += "x" + cols
		}
	}
	switch {
	case strings.EqualFold(m[1], "bool"):
		if cols != "" {
			right = "Mat" + rows + "x" + cols
		}
		return fmt.Sprintf("masks come with their type: write %s", right)
	case m[4] != "":
		return fmt.Sprintf("the type of the elements is that of --elem: write --elem float32 %s", right)
	}
	return "write " + right
}
