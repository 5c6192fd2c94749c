package gen

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/frontend/load"
)

// command is what generates the files.
const command = "qdgen gen"

// render writes the file of a plan.
func (p *plan) render() ([]byte, error) {
	f := jen.NewFilePathName(p.PkgPath, p.Name)
	f.HeaderComment(genfile.Header(command))
	if p.constraint != "" {
		f.HeaderComment("//go:build " + p.constraint)
	}
	p.nameImports(f, p.copied())
	if p.embed {
		f.Comment("The source of the package, for the compiler of kernels.").Line().Line()
		f.Comment("//go:embed " + load.EmbedAll)
		f.Var().Id(p.sourceVar()).Qual("embed", "FS")
	}
	p.renderInit(f)
	for _, s := range p.statics {
		if len(s.locals) == 0 {
			f.Var().Id("_").Op("=").Qual(registryPath, "StaticValue").Call(p.staticArgs(s)...)
		}
	}
	for _, l := range p.launches {
		p.renderLaunch(f, l)
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("the generated file of package %s is not Go: %w; this is a bug in qdgen", p.PkgPath, err)
	}
	return b.Bytes(), nil
}

// nameImports gives the packages that may be imported the names they have, or, where
// something in the file has such a name, others. The texts are code, marked, that the
// file copies, more are packages that it imports.
func (p *plan) nameImports(f *jen.File, texts []string, more ...string) {
	taken := make(map[string]bool)
	for id := range p.declared {
		taken[id] = true
	}
	for _, text := range texts {
		for i, part := range strings.Split(text, mark) {
			if i%2 == 0 {
				for _, id := range strings.FieldsFunc(part, func(r rune) bool { return identifier("_"+string(r)) == "_" }) {
					taken[id] = true
				}
			}
		}
	}
	add := func(path, id string) {
		if taken[id] {
			f.ImportAlias(path, fresh(id, "", "_", taken))
			return
		}
		f.ImportName(path, id)
	}
	for _, path := range append(more, "embed", load.QDPath, registryPath) {
		add(path, path[strings.LastIndexByte(path, '/')+1:])
	}
	for _, pkg := range p.Types.Imports() {
		if pkg.Path() != "embed" && pkg.Path() != load.QDPath && pkg.Path() != registryPath {
			add(pkg.Path(), pkg.Name())
		}
	}
}

// copied is the code that the generated file copies from the source, marked.
func (p *plan) copied() (texts []string) {
	for _, s := range p.statics {
		texts = append(append(texts, s.text), s.consts...)
		for _, v := range s.locals {
			texts = append(texts, v.Name())
		}
	}
	return texts
}

// sourceVar is the variable with the embedded files.
func (p *plan) sourceVar() string { return fresh("qdSource", "", "FS", map[string]bool{}, p.declared) }

// renderInit writes what the program does when it starts.
func (p *plan) renderInit(f *jen.File) {
	var body []jen.Code
	if p.embed {
		body = append(body, jen.If(
			jen.Id("err").Op(":=").Qual(registryPath, "Source").Call(jen.Lit(p.runtimePath), jen.Id(p.sourceVar())),
			jen.Id("err").Op("!=").Nil(),
		).Block(jen.Panic(jen.Id("err"))))
	}
	for _, text := range p.foreign {
		files := make(jen.Dict)
		for _, file := range text.files {
			files[jen.Lit(file.name)] = rawString(file.text)
		}
		body = append(body, jen.Qual(registryPath, "Text").Call(jen.Lit(text.path), jen.Lit(text.module), jen.Map(jen.String()).String().Values(files)))
	}
	if len(p.standard) > 0 {
		body = append(body, jen.Qual(registryPath, "Standard").Call(jen.Lit(runtime.Version()), rawString(p.archive())))
	}
	for _, group := range p.vars {
		values := make(jen.Dict)
		for _, id := range group.names {
			v := jen.Op("&")
			if group.path == p.runtimePath {
				v.Id(id)
			} else {
				v.Qual(group.path, id)
			}
			values[jen.Lit(id)] = v
		}
		body = append(body, jen.Qual(registryPath, "Vars").Call(jen.Lit(group.path), jen.Map(jen.String()).Any().Values(values)))
	}
	for _, s := range p.statics {
		if len(s.locals) > 0 {
			body = append(body, jen.Qual(registryPath, "Static").Call(p.staticArgs(s)...))
		}
	}
	if len(body) > 0 {
		f.Line()
		f.Func().Id("init").Params().Block(body...)
	}
}

// staticArgs are the arguments of the registration of an expression.
func (p *plan) staticArgs(s static) []jen.Code {
	var params []jen.Code
	for _, v := range s.locals {
		params = append(params, jen.Id(v.Name()).Add(p.typeCode(v.Type())))
	}
	var body []jen.Code
	for _, c := range s.consts {
		body = append(body, code(c))
	}
	return []jen.Code{
		jen.Lit(p.runtimePath), jen.Lit(s.fn), jen.Lit(s.index), jen.Lit(s.expr),
		jen.Func().Params(params...).Add(code(s.result)).Block(append(body, jen.Return(code(s.text)))...),
		jen.Lit(s.names),
	}
}

// rawString is a string literal that can be read, over many lines.
func rawString(text string) *jen.Statement {
	if strings.Contains(text, "\r") {
		return jen.Lit(text)
	}
	return jen.Id("`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`")
}

// renderLaunch writes a launch function.
func (p *plan) renderLaunch(f *jen.File, l *launch) {
	f.Line()
	for _, line := range p.launchDoc(l) {
		f.Comment(strings.TrimRight("// "+line, " "))
	}
	fn := f.Func().Id(l.name)
	if len(l.tparams) > 0 {
		var list []jen.Code
		for i, t := range l.tparams {
			id := jen.Id(t.name)
			if i+1 == len(l.tparams) || l.tparams[i+1].constraint != t.constraint {
				id.Add(code(t.constraint))
			}
			list = append(list, id)
		}
		fn.Types(list...)
	}
	all := l.params
	if l.place != "Grid" {
		all = append([]param{{name: "dim", typ: mark + load.QDPath + mark + ".Dims", arg: "dim"}}, all...)
	}
	var params, args []jen.Code
	if l.recv != nil {
		params = append(params, jen.Id(l.recv.name).Add(code(l.recv.typ)))
	}
	for i, a := range all {
		id := jen.Id(a.name)
		if i+1 == len(all) || all[i+1].typ != a.typ {
			id.Add(code(a.typ))
		}
		params, args = append(params, id), append(args, code(a.arg))
	}
	method := "Launch"
	if l.place == "Grid" {
		method = "Run"
	}
	fn.Params(params...).Error().Block(
		jen.Return(jen.Qual(load.QDPath, "NewKernel").Call(code(l.callee)).Dot(method).Call(args...)),
	)
}

// launchDoc is the documentation of a launch function, by lines.
func (p *plan) launchDoc(l *launch) (lines []string) {
	over := map[int]string{0: "one to four dimensions", 2: "two dimensions", 3: "three dimensions", 4: "four dimensions"}[l.rank]
	kernel := "[" + l.kernel + "]"
	switch l.place {
	case "Thread":
		lines = append(lines, l.name+" launches the kernel "+kernel+" over the threads of dim, of "+over+".")
	case "Block":
		lines = append(lines, l.name+" launches the kernel "+kernel+" over the blocks of dim, of "+over+".")
	case "Grid":
		lines = append(lines, l.name+" runs the kernel "+kernel+".")
	}
	if doc := strings.TrimSpace(l.doc); doc != "" {
		lines = append(lines, "")
		lines = append(lines, strings.Split(doc, "\n")...)
	}
	all := l.params
	if l.recv != nil {
		all = append([]param{{name: l.recv.name, says: l.recv.says + ", whose value is known at compile time: each is a kernel of its own"}}, all...)
	}
	if len(all) > 0 {
		lines = append(lines, "", "The arguments are:")
	}
	for i := 0; i < len(all); i++ {
		names := all[i].name
		for ; i+1 < len(all) && all[i+1].says == all[i].says; i++ {
			names += ", " + all[i+1].name
		}
		lines = append(lines, "  - "+names+": "+p.prose(all[i].says))
	}
	return append(lines, "", "The device is that of the arrays among them, else the default one.")
}

// prose is marked text with package names in the place of paths.
func (p *plan) prose(text string) string {
	parts := strings.Split(text, mark)
	for i := 1; i < len(parts); i += 2 {
		if parts[i] == load.QDPath {
			parts[i] = "qd"
			continue
		}
		for _, pkg := range p.Types.Imports() {
			if pkg.Path() == parts[i] {
				parts[i] = pkg.Name()
			}
		}
	}
	return strings.Join(parts, "")
}
