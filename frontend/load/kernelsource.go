package load

import (
	"bytes"
	"go/types"
	"strings"
)

// Some packages of the standard library are written for one process: they keep tables that the first caller fills,
// choose between assembly and Go when they run, or note in the goroutine what was called. In kernels, parts of their
// files have the same meaning without that. What a function gives for the same arguments stays the same, and the lines
// stay where they are.

// kernelSources are the parts of the files of packages that differ, by their paths.
var kernelSources = map[string]map[string][][2]string{
	"sort":                    sortSources,
	"hash/crc32":              crc32Sources,
	"hash/crc64":              crc64Sources,
	"crypto/internal/fips140": fipsSources,
}

// forKernels is a file of a package as kernels have it. One in which a part is missing, of another release of Go, is as
// it is.
func forKernels(pkg string, f *File) *File {
	parts := kernelSources[pkg][f.Name[strings.LastIndexAny(f.Name, `/\`)+1:]]
	if len(parts) == 0 {
		return f
	}
	changed := *f
	for _, part := range parts {
		if !bytes.Contains(f.Src, []byte(part[0])) {
			return f
		}
		changed.Src = bytes.ReplaceAll(changed.Src, []byte(part[0]), []byte(onLines(part)))
	}
	return &changed
}

// onLines is what replaces a part of a file, with as many lines.
func onLines(part [2]string) string {
	return part[1] + strings.Repeat("\n", max(0, strings.Count(part[0], "\n")-strings.Count(part[1], "\n")))
}

// Package hash/crc32 fills its tables when they are first used, and MakeTable gives the same ones each time. Here it
// gives new ones, which is not seen as long as nobody modifies a table, as the package says, or compares their
// addresses: see [HasOneAddress]. All tables are computed with in the same way, for which assembly and longer tables
// are other ways.
var crc32Sources = map[string][][2]string{
	"crc32.go": {
		{"var castagnoliInitOnce = sync.OnceFunc(func() {", "func _() {"},
		{"\thaveCastagnoli.Store(true)\n})", "}"},
		{"var ieeeTable8 *slicing8Table\n", "var ieeeTable8 *slicing8Table; var ieeeTable = simpleMakeTable(IEEE)\n"},
		{"var ieeeInitOnce = sync.OnceFunc(func() {", "func _() {"},
		{"\t\t\treturn slicingUpdate(crc, ieeeTable8, p)\n\t\t}\n\t}\n})", "}\n}\n}"},
		{"\tif tab == IEEETable {\n\t\tieeeInitOnce()\n\t}\n", ""},
		{"\t\tieeeInitOnce()\n\t\treturn IEEETable\n", "\t\treturn simpleMakeTable(IEEE)\n"},
		{"\t\tcastagnoliInitOnce()\n\t\treturn castagnoliTable\n", "\t\treturn simpleMakeTable(Castagnoli)\n"},
		{`	switch {
	case haveCastagnoli.Load() && tab == castagnoliTable:
		return updateCastagnoli(crc, p)
	case tab == IEEETable:
		if checkInitIEEE {
			ieeeInitOnce()
		}
		return updateIEEE(crc, p)
	default:
		return simpleUpdate(crc, tab, p)
	}
`, "\treturn simpleUpdate(crc, tab, p)\n"},
		{"\tieeeInitOnce()\n\treturn updateIEEE(0, data)\n", "\treturn simpleUpdate(0, ieeeTable, data)\n"},
	},
}

// So does package hash/crc64, which has longer tables for long texts.
var crc64Sources = map[string][][2]string{
	"crc64.go": {
		{"var buildSlicing8TablesOnce = sync.OnceFunc(buildSlicing8Tables)\n", ""},
		{"\tslicing8TableISO = makeSlicingBy8Table(makeTable(ISO))\n\tslicing8TableECMA = makeSlicingBy8Table(makeTable(ECMA))\n", ""},
		{"\tbuildSlicing8TablesOnce()\n", ""},
		{"return &slicing8TableISO[0]", "return makeTable(ISO)"},
		{"return &slicing8TableECMA[0]", "return makeTable(ECMA)"},
		{`	// Table comparison is somewhat expensive, so avoid it for small sizes
	for len(p) >= 64 {
		var helperTable *[8]Table
		if *tab == slicing8TableECMA[0] {
			helperTable = slicing8TableECMA
		} else if *tab == slicing8TableISO[0] {
			helperTable = slicing8TableISO
			// For smaller sizes creating extended table takes too much time
		} else if len(p) >= 2048 {
			// According to the tests between various x86 and arm CPUs, 2k is a reasonable
			// threshold for now. This may change in the future.
			helperTable = makeSlicingBy8Table(tab)
		} else {
			break
		}
		// Update using slicing-by-8
		for len(p) > 8 {
			crc ^= byteorder.LEUint64(p)
			crc = helperTable[7][crc&0xff] ^
				helperTable[6][(crc>>8)&0xff] ^
				helperTable[5][(crc>>16)&0xff] ^
				helperTable[4][(crc>>24)&0xff] ^
				helperTable[3][(crc>>32)&0xff] ^
				helperTable[2][(crc>>40)&0xff] ^
				helperTable[1][(crc>>48)&0xff] ^
				helperTable[0][crc>>56]
			p = p[8:]
		}
	}
`, ""},
	},
}

// The cryptographic functions note in their goroutine whether it has called approved ones only. A kernel has no
// goroutine, and the function that tells has no body there.
var fipsSources = map[string][][2]string{
	"indicator.go": {
		{"\tif getIndicator() == indicatorUnset {\n\t\tsetIndicator(indicatorTrue)\n\t}\n", ""},
		{"\tsetIndicator(indicatorFalse)\n", ""},
	},
}

// HasOneAddress reports whether a type is one of pointers to what has one address in a program, and another one, or
// several, in kernels, or has parts of such a type. They cannot be compared there.
func HasOneAddress(t types.Type) bool {
	if t == nil {
		return false
	}
	for leaf := range Leaves(t) {
		if leadsToTable(leaf) {
			return true
		}
	}
	return false
}

// leadsToTable reports whether a type is one of pointers to the tables of a package that has one of each.
func leadsToTable(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Name() != "Table" {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "hash/crc32" || path == "hash/crc64"
}
