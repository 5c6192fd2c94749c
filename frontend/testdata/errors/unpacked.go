package errors

import "github.com/qdgen/qd"

type upTile struct {
	r     [8]float32    `qd:"unpacked"`
	m     [2][3]float32 `qd:"unpacked"`
	scale float32
}

func (t *upTile) sum() float32 { return t.r[0] + t.r[1] }

func upTake(r [8]float32) float32 { return r[0] }

func upMake() upTile { return upTile{} }

type upVector [4]float32

func (v upVector) norm() float32 { return v[0] }

type upEmbedded struct {
	upVector `qd:"unpacked"`
}

// What a field as a whole would be.

//qd:kernel
func upWhole(t qd.Thread, n int, x []float32) {
	a, b := upTile{scale: 2}, upTile{}
	v := a.r            // want "cannot copy unpacked field r as a whole"
	var w = (a.r)       // want "cannot use unpacked field r as a whole"
	a.r = [8]float32{1} // want "cannot assign unpacked field r as a whole"
	a.r, n = b.r, 3     // want "cannot assign unpacked field r as a whole" "cannot copy unpacked field r as a whole"
	x[0] = upTake(a.r)  // want "cannot pass unpacked field r to upTake"
	p := &a.r           // want "cannot take the address of unpacked field r, which is not an array in memory"
	s := a.r[2:4]       // want "cannot slice unpacked field r, which is not an array in memory"
	if a.r == b.r {     // want "cannot compare unpacked field r as a whole"
		x[1] = v[0] + w[0] + p[0] + s[0]
	}
	if (a.m[1]) != [3]float32{} && [8]float32{} != (b.r) { // want "cannot compare a row of unpacked field m as a whole" "cannot compare unpacked field r as a whole"
		x[1]++
	}
	for _, e := range a.r { // want "cannot range over the values of unpacked field r"
		x[2] += e
	}
	for i, e := range a.m[n] { // want "cannot range over the values of a row of unpacked field m"
		x[i] += e
	}
	row := a.m[1]                   // want "cannot copy a row of unpacked field m as a whole"
	a.m[0] = [3]float32{}           // want "cannot assign a row of unpacked field m as a whole"
	x[3] = upVector(a.r[:4])[0]     // want "cannot slice unpacked field r"
	x[4] = [8]float32(a.r)[1]       // want "cannot convert unpacked field r as a whole"
	x[5] = [1][8]float32{a.r}[0][n] // want "cannot use unpacked field r as a whole"
	c := qd.Static(upTile{}.r)      // want "cannot pass unpacked field r to qd.Static"
	x[6] = c[0] + row[0]
}

func upResult(t *upTile) [3]float32 {
	return t.m[0] // want "cannot return a row of unpacked field m as a whole"
}

//qd:kernel
func upMethods(t qd.Thread, x []float32) {
	e := upEmbedded{}
	x[0] = e.upVector.norm() // want "cannot call method norm on unpacked field upVector, which is not stored as a vector"
	x[1] = e.norm()          // want "cannot call method norm of an embedded unpacked field"
	x[2] = e.upVector[2] + upResult(&upTile{})[0]
}

// Indices.

var upTable upTile

//qd:kernel
func upIndices(t qd.Thread, n int, x []float32) {
	a := upMake()
	p := &a
	x[0] = a.r[n]        // want "the index of unpacked field r is not known at compile time: n is a runtime parameter"
	p.r[t.ID()] += 2     // want "the index of unpacked field r is not known at compile time: it depends on the index of the thread"
	x[1] = p.m[1][n]     // want "the index of unpacked field m is not known at compile time: n is a runtime parameter"
	x[2] = upMake().r[n] // want "the index of unpacked field r is not known at compile time: n is a runtime parameter"
	x[3] = upTable.r[n]  // want "the index of unpacked field r is not known at compile time: n is a runtime parameter"
	for i := range 32 {
		x[4] += a.r[i%8] // want "the index of unpacked field r is not known at compile time: i is assigned in a loop that is not unrolled"
	}
	for i := range a.m[1] {
		x[4] += a.r[i] + a.m[n][i] // want "the index of unpacked field m is not known at compile time: n is a runtime parameter"
	}
	k := 7
	k++
	x[5] = a.r[k] // want "index 8 out of range: unpacked field r has 8 elements there"
	for i := range qd.Static(4) {
		a.m[1][i]++ // want "index 3 out of range: unpacked field m has 3 elements there"
	}
	x[6] = p.sum() + a.r[7] + upTable.r[0]
}

// Literals.

func upElements() [8]float32 { return [8]float32{} }

//qd:kernel
func upLiterals(t qd.Thread, n int, x []float32) {
	v := [8]float32{}
	row := [3]float32{}
	a := upTile{r: v}                        // want "the value of unpacked field r must be a literal"
	b := upTile{upElements(), [2][3]float32{ // want "the value of unpacked field r must be a literal"
		{1}, row}, 3} // want "the value of unpacked field m must be a literal"
	c := upLabeled{name: "c", r: v} // want "the value of unpacked field r must be a literal"
	x[0] = a.r[0] + b.r[1] + c.r[2]
}

type upLabeled struct {
	name string
	r    [8]float32 `qd:"unpacked"`
}

// Tags.

type upTypo struct {
	r [8]float32 `qd:"unpakced"` // want "unknown word \"unpakced\" in the qd struct tag of field r"
}

type upTwoWords struct {
	r [8]float32 `json:"r" qd:"unpacked,fast"` // want "unknown word \"fast\" in the qd struct tag of field r"
}

type upNoText struct {
	r [8]float32 `qd:unpacked` // want "the struct tag of field r is malformed: qd:unpacked"
}

type upScalar struct {
	x float32 `qd:"unpacked"` // want "field x of type float32 cannot be unpacked: it is not an array of numbers or bools"
}

type upPoint struct{ x, y float32 }

type upOthers struct {
	p [4]upPoint    `qd:"unpacked"` // want "field p of type \\[4\\]upPoint cannot be unpacked: it is not an array of numbers or bools"
	q upPoint       `qd:"unpacked"` // want "field q of type upPoint cannot be unpacked: it is not an array of numbers or bools"
	s []float32     `qd:"unpacked"` // want "field s of type \\[\\]float32 cannot be unpacked: it is not an array of numbers or bools"
	z [0]int        `qd:"unpacked"` // want "field z of type \\[0\\]int cannot be unpacked: it has no elements"
	l [1025]float32 `qd:"unpacked"` // want "field l of type \\[1025\\]float32 cannot be unpacked: it has more than 1024 elements"
}

type upTaken struct {
	r  [8]float32 `qd:"unpacked"` // want "unpacked field r is stored as r3, which is also the name of field r3"
	r3 float32
}

type upBoth struct {
	r  [12]float32 `qd:"unpacked"`
	r1 [2]float32  `qd:"unpacked"` // want "unpacked field r1 is stored as r10, which is also the name of field r"
}

type upRow[T qd.Number] struct {
	r [4]T `qd:"packed"` // want "unknown word \"packed\" in the qd struct tag of field r"
}

// Of a generic field some instances can be unpacked.
type upAny[T any] struct {
	r T `qd:"unpacked"` // want "field r of type float32 cannot be unpacked: it is not an array of numbers or bools"
}

//qd:kernel
func upInstances(t qd.Thread, x []float32, a upAny[[2]float32], b upAny[float32], c upAny[[]int]) {
	x[0] = a.r[1] + b.r
}

//qd:kernel
func upTags(t qd.Thread, x []float32, a upTypo, b []upTwoWords, c upOthers, d upRow[float32], e upRow[int]) {
	x[0] = a.r[0] + b[0].r[1] + upNoText{}.r[1] + upScalar{}.x + c.p[1].x + c.q.y + c.s[0] + c.l[7] + float32(len(c.z))
	x[1] = upTaken{}.r[3] + upBoth{}.r1[0] + d.r[2] + float32(e.r[3])
}

// The tags of two types of one shape.

type upPlain struct {
	r     [8]float32
	m     [2][3]float32
	scale float32
}

//qd:kernel
func upConversions(t qd.Thread, x []float32) {
	a := upPlain(upTile{scale: 2}) // want "cannot convert between types that differ in the tag of an unpacked field"
	b := upTile(upPlain{})         // want "cannot convert between types that differ in the tag of an unpacked field"
	x[0] = a.scale + b.scale
}

//qd:kernel
func upPrinted(t qd.Thread, a upTile) {
	qd.Printf("%v\n", a) // want "qd.Printf does not print a upTile: its field r is unpacked"
}
