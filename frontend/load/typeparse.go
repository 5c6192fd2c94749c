package load

import (
	"fmt"
	"strings"
)

// A typeName is a type as package reflect writes it, parsed.
type typeName struct {
	prefix string // "", "[]", "*", or "[N]" of the type that follows, "func"
	elem   *typeName
	params []*typeName // of a function, and results
	result []*typeName
	path   string // import path of a named type, "" for a predeclared one
	name   string
	args   []*typeName
}

// parseTypes parses a list of types.
func parseTypes(text string) ([]*typeName, error) {
	p := typeParser{rest: text}
	list := p.list()
	if p.failed || p.rest != "" {
		if strings.Contains(text, "struct{") || strings.Contains(text, "struct {") {
			return nil, fmt.Errorf("its parameters are %s: a struct type without a name cannot be a type argument", text)
		}
		return nil, fmt.Errorf("%s is not a type that a kernel can have", text)
	}
	return list, nil
}

// maxTypeDepth is how deep types may be nested in one another.
const maxTypeDepth = 100

type typeParser struct {
	rest   string
	depth  int
	failed bool
}

func (p *typeParser) fail() { p.failed, p.rest = true, "" }

func (p *typeParser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *typeParser) list() (list []*typeName) {
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		list = append(list, p.typ())
		if p.failed || !p.skip(",") {
			return list
		}
	}
}

func (p *typeParser) typ() *typeName {
	if p.depth++; p.depth > maxTypeDepth {
		p.fail()
		return nil
	}
	defer func() { p.depth-- }()
	switch {
	case p.skip("*"):
		return &typeName{prefix: "*", elem: p.typ()}
	case p.skip("[]"):
		return &typeName{prefix: "[]", elem: p.typ()}
	case strings.HasPrefix(p.rest, "["):
		prefix, rest, ok := strings.Cut(p.rest, "]")
		if !ok {
			p.fail()
			return nil
		}
		p.rest = rest
		return &typeName{prefix: prefix + "]", elem: p.typ()}
	case p.skip("func("):
		return p.function()
	}
	end := strings.IndexAny(p.rest, "[],)")
	if end < 0 {
		end = len(p.rest)
	}
	full := p.rest[:end]
	p.rest = p.rest[end:]
	t := &typeName{name: full}
	if dot := strings.LastIndexByte(full, '.'); dot > strings.LastIndexByte(full, '/') {
		t.path, t.name = full[:dot], full[dot+1:]
	}
	t.name, _, _ = strings.Cut(t.name, localSuffix)
	if t.name == "" || strings.ContainsAny(t.name, " {}()") {
		p.fail()
		return nil
	}
	if p.skip("[") {
		if t.args = p.list(); !p.failed && !p.skip("]") {
			p.fail()
		}
	}
	return t
}

// function parses what follows "func(".
func (p *typeParser) function() *typeName {
	t := &typeName{prefix: "func"}
	until := func() (list []*typeName) {
		if p.skip(")") {
			return nil
		}
		if list = p.list(); !p.failed && !p.skip(")") {
			p.fail()
		}
		return list
	}
	t.params = until()
	switch {
	case p.skip(" ("):
		t.result = until()
	case p.skip(" "):
		t.result = []*typeName{p.typ()}
	}
	return t
}

// each calls f for a type and all the types in it.
func (t *typeName) each(f func(*typeName)) {
	if t == nil {
		return
	}
	f(t)
	t.elem.each(f)
	for _, list := range [][]*typeName{t.args, t.params, t.result} {
		for _, arg := range list {
			arg.each(f)
		}
	}
}
