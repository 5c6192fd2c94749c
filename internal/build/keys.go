package build

import (
	"context"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/printf"
)

// A KeyPart is one part of what a cache key is made of.
type KeyPart struct {
	Name  string
	Bytes []byte
}

// firstParts are what the first key is made of.
func (j *job) firstParts() []KeyPart {
	return []KeyPart{
		{"qdgen", []byte(j.Version)}, {"program", []byte(program())},
		{"package", []byte(j.ref.Pkg)}, {"kernel", []byte(j.ref.Name)}, {"parameters", []byte(j.ref.Params)}, {"file", []byte(j.ref.File)},
		{"target", []byte(j.tc.Target())}, {"architecture", []byte(j.tc.Arch())}, {"compiler", []byte(j.tc.Identity())},
		{"options", keyOf(j.opts)},
	}
}

// codeParts are what the second key is made of.
func (j *job) codeParts(text *emit.Text, formats []printf.Format) []KeyPart {
	parts := []KeyPart{
		{"code", []byte(text.Code())},
		{"target", []byte(j.tc.Target())}, {"architecture", []byte(j.tc.Arch())}, {"compiler", []byte(j.tc.Identity())},
	}
	if len(formats) > 0 {
		parts = append(parts, KeyPart{"formats", mustJSON(formats)})
	}
	return parts
}

// bytesOf are the parts without their names.
func bytesOf(parts []KeyPart) (list [][]byte) {
	for _, p := range parts {
		list = append(list, p.Bytes)
	}
	return list
}

// Keys returns the parts of both keys of a specialization, and the second key, for a module with this kernel alone. The
// unit is at the beginning of the toolchain's pipeline. Keys runs it up to its text, and compiles nothing.
func (b *Builder) Keys(ctx context.Context, u *compile.Unit, tc Toolchain) (second cache.Key, first, code []KeyPart, err error) {
	j := &job{Builder: b, src: u.Source, ref: u.Kernel, tc: tc, opts: u.Options, m: new(Module)}
	if err := j.emit(ctx, u); err != nil {
		return cache.Key{}, nil, nil, err
	}
	return j.own, j.firstParts(), j.codeParts(u.Text, j.m.Formats()), nil
}
