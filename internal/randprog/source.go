package randprog

import (
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
	_ "github.com/qdgen/qd/mathx" // registers its source
	_ "github.com/qdgen/qd/tile"  // registers its source
)

// file is a program as a file of a package.
func (p *Program) file(pkg string) []byte { return file(pkg, p.Source()) }

func file(pkg, source string) []byte {
	return []byte("package " + pkg + "\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n\n" + ownImports(source) + ")\n\nvar _, _ = math.Pi, bits.UintSize\n\n" + source)
}

// ownImports are the lines that import package qd, and those of its packages that a source uses.
func ownImports(source string) string {
	lines := "\t\"github.com/qdgen/qd\"\n"
	for _, pkg := range []string{"mathx", "tile"} {
		if strings.Contains(source, pkg+".") {
			lines += "\t\"github.com/qdgen/qd/" + pkg + "\"\n"
		}
	}
	return lines
}

// sources are what the front end reads for a program.
func (p *Program) sources() load.Map {
	src := load.Map{load.QDPath: registered(load.QDPath), load.MathPath: registered(load.MathPath), pkgPath: {Path: pkgPath, Files: []load.File{{Name: p.Name + ".go", Src: p.file("main")}}}}
	if p.Text != "" {
		src[load.TilePath] = registered(load.TilePath)
	}
	return src
}

// registered is the source of one of this module's packages.
func registered(path string) *load.Package {
	lib, err := library.Sources().Package(path)
	if err != nil || lib == nil {
		panic("BUG: no source of package " + path)
	}
	return lib
}
