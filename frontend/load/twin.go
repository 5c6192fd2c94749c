package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"slices"
)

// Functions in assembly have no source for kernels. Packages that have them mostly have them in Go too, for processors
// and builds without the assembly, under a build constraint. These twins are what a kernel is compiled from: all files
// that belong to them, so that constants and variables that say which of the two is in use fit.

// twins are the builds that have Go in the place of assembly: build tags that packages use for it by convention,
// and an architecture that nobody has written assembly for.
var twins = []func(*build.Context){
	func(ctx *build.Context) { ctx.BuildTags = append(slices.Clip(ctx.BuildTags), "purego") },
	func(ctx *build.Context) { ctx.BuildTags = append(slices.Clip(ctx.BuildTags), "noasm") },
	func(ctx *build.Context) { ctx.GOARCH = "none" },
	func(ctx *build.Context) { ctx.BuildTags = append(slices.Clip(ctx.BuildTags), "appengine") },
}

// parseWithTwins is parsePackage, with the Go twins of functions in assembly.
func parseWithTwins(src *Package, base int, mode parser.Mode, own bool, must func(*File) bool) (p *sourcePackage, next int) {
	p, next = parseTwin(src, base, mode, own, must)
	if !src.HostOnly {
		p.followJumps(src.Assembly)
	}
	return p, next
}

func parseTwin(src *Package, base int, mode parser.Mode, own bool, must func(*File) bool) (p *sourcePackage, next int) {
	p, next = parsePackage(src, base, mode, own, must)
	missing := p.bodiless()
	if len(missing) == 0 || src.HostOnly {
		return p, next
	}
	for _, change := range twins {
		ctx := buildContext()
		change(&ctx)
		include := func(f *File) bool { return must(f) || matches(ctx, f) }
		if sameFiles(src, include, func(f *File) bool { return must(f) || included(f) }) {
			continue
		}
		twin, twinNext := parseIncluded(src, base, mode, own, include, must)
		if p.hasTwin(twin, missing) {
			return twin, twinNext
		}
	}
	return p, next
}

func sameFiles(src *Package, a, b func(*File) bool) bool {
	for i := range src.Files {
		if a(&src.Files[i]) != b(&src.Files[i]) {
			return false
		}
	}
	return true
}

// bodiless are the names of the functions without a body.
func (p *sourcePackage) bodiless() (names []string) {
	for name, ds := range p.decls {
		if slices.ContainsFunc(ds, func(d *decl) bool { return d.fn != nil && d.fn.Body == nil }) {
			names = append(names, name)
		}
	}
	return names
}

// hasTwin reports whether another build of the package has some of the functions in Go that are missing here, or does
// without them, and has the same types: values of the program have those of its own build.
func (p *sourcePackage) hasTwin(twin *sourcePackage, missing []string) bool {
	better := len(twin.bodiless()) < len(missing)
	typesOf := func(p *sourcePackage) (names []string) {
		for name, ds := range p.decls {
			for _, d := range ds {
				if _, ok := d.spec.(*ast.TypeSpec); ok {
					names = append(names, baseName(d.file.Name)+" "+name)
				}
			}
		}
		slices.Sort(names)
		return names
	}
	return better && slices.Equal(typesOf(p), typesOf(twin))
}
