package build

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
)

// maxVariants is how many variants a first key has: specializations that differ only in the answers of the running
// program. If there are more, the oldest are forgotten.
const maxVariants = 32

// meta is the part of a first key's record that package cache does not interpret.
type meta struct {
	variant
	Older []cache.Record `json:"older,omitempty"` // the variants built before; their meta is a variant
}

// A variant describes a specialization, so that it need not be lowered.
type variant struct {
	Kernel string `json:"kernel"`
	Name   string `json:"name"` // of the module
	ABI    *ABI   `json:"abi"`

	Backward *Backward `json:"backward,omitempty"`

	Asked []question `json:"asked,omitempty"`
	Code  cache.Key  `json:"code"` // see [job.identify]
	Line  int        `json:"line"` // where the kernel begins in its file
}

// recorded fills the job's module from the first key's record. This needs a variant whose packages have not changed,
// and whose questions still have the same answers. It returns the packages.
func (j *job) recorded() (packages []*load.Package, ok bool) {
	b, m := j.Builder, j.m
	sums := digests{src: j.src}
	now := answers{env: j.opts.Env}
	holds := func(rec *cache.Record, v *variant) bool {
		if v.ABI == nil || j.isRejected(rec.Second) || !b.Cache.Trusts(rec.Origin) || !sums.hold(rec.Deps) {
			return false
		}
		asked, same := now.hold(v.Asked)
		if !same {
			return false
		}
		entry, err := b.Cache.Fetch(rec.Second)
		if err != nil {
			return false // evicted, or damaged: the cache has said so
		}
		m.ABI, m.Kernel, m.Name, m.Key, m.Path, m.Cached = v.ABI, v.Kernel, v.Name, rec.Second, entry.Path, true
		m.Backward = v.Backward
		m.Asked = asked
		j.code, j.line = v.Code, v.Line
		for _, dep := range rec.Deps {
			packages = append(packages, sums.read[dep.Name].p)
		}
		return true
	}
	// any reports whether one of a record's variants holds.
	any := func(rec *cache.Record) bool {
		var newest meta
		if json.Unmarshal(rec.Meta, &newest) != nil {
			return false
		}
		return holds(rec, &newest.variant) || slices.ContainsFunc(newest.older(rec), func(old cache.Record) bool {
			var v variant
			return json.Unmarshal(old.Meta, &v) == nil && holds(&old, &v)
		})
	}
	if rec, ok := b.Cache.LookupIndex(j.first); ok && any(&rec) {
		return packages, true
	}
	if b.Cache.Remote() == nil {
		return nil, false
	}
	if rec, ok := b.Cache.FetchRecord(j.sharedKey(sums.of(j.ref.Pkg))); ok && any(&rec) {
		_ = b.Cache.StoreIndex(j.first, rec)
		return packages, true
	}
	return nil, false
}

// sharedKey is the key under which other machines find the first key's record. The text of the kernel's own package is
// part of it: without it, two branches of one source would overwrite each other's records.
func (j *job) sharedKey(pkg cache.Key) cache.Key {
	return cache.NewKey("shared record", j.first[:], pkg[:])
}

// remember writes the record by which the next run finds the job's module under its first key. If it fails, the next
// run parses the source, and the cache has logged a warning.
//
// What is recorded are the bytes that were parsed: by now the files may have others.
// Package qd's files are not recorded, since they are part of what Version stands for.
// Where another process stores a variant at the same moment, one of the two is lost, which
// costs no more.
func (j *job) remember() {
	m := j.m
	if m.Grid != nil {
		return
	}
	rec := cache.Record{Second: m.Key, Deps: depsOf(j.unit.Specialized.Program)}
	for _, dep := range rec.Deps {
		if dep.Name == j.ref.Pkg {
			rec.Shared = j.sharedKey(dep.Sum)
		}
	}
	own := meta{variant: variant{Kernel: m.Kernel, Name: m.Name, ABI: m.ABI, Backward: m.Backward, Asked: questionsOf(m.Asked), Code: j.code, Line: j.line}}
	if own.Asked != nil {
		own.Older = j.others(j.first, &rec, own.Asked)
	}
	rec.Meta = mustJSON(own)
	_ = j.Cache.StoreIndex(j.first, rec)
}

// others returns the variants of a first key that stay when a variant is added: those for the same source with other
// answers.
func (b *Builder) others(first cache.Key, added *cache.Record, asked []question) (list []cache.Record) {
	rec, ok := b.Cache.LookupIndex(first)
	var newest meta
	if !ok || json.Unmarshal(rec.Meta, &newest) != nil {
		return nil
	}
	rec.Meta, rec.Shared = mustJSON(newest.variant), cache.Key{}
	for _, rec := range slices.Concat([]cache.Record{rec}, newest.older(&rec)) {
		var v variant
		if json.Unmarshal(rec.Meta, &v) == nil && b.Cache.Trusts(rec.Origin) && !outdated(rec.Deps, added.Deps) && !sameAnswers(v.Asked, asked) && len(list) < maxVariants-1 {
			list = append(list, rec)
		}
	}
	return list
}

// older returns the older variants of a record with this meta, each as a separate record. They have the signer and the
// origin of the whole record.
func (m *meta) older(rec *cache.Record) []cache.Record {
	for i := range m.Older {
		if m.Older[i].Origin == nil {
			m.Older[i].Origin = rec.Origin
		}
	}
	return m.Older
}

// outdated reports whether a package has changed.
func outdated(deps, now []cache.Dep) bool {
	return slices.ContainsFunc(deps, func(d cache.Dep) bool {
		return slices.ContainsFunc(now, func(n cache.Dep) bool { return n.Name == d.Name && n.Sum != d.Sum })
	})
}

func sameAnswers(a, b []question) bool {
	return slices.EqualFunc(a, b, func(q, r question) bool { return q.same(&r) && q.Answer == r.Answer })
}

func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return text
}

// digests has the digests of packages in their current form. It reads each package once.
type digests struct {
	src  load.Sources
	read map[string]digested
}

// A digested describes a package in its current form. The zero value stands for a missing package.
type digested struct {
	p   *load.Package
	sum cache.Key
}

// hold reports whether no package has changed.
func (d *digests) hold(deps []cache.Dep) bool {
	for _, dep := range deps {
		if d.of(dep.Name) != dep.Sum {
			return false
		}
	}
	return true
}

func (d *digests) of(path string) cache.Key {
	if now, ok := d.read[path]; ok {
		return now.sum
	}
	var now digested
	if p, err := d.src.Package(path); err == nil && p != nil {
		now = digested{p, digest(p)}
	}
	if d.read == nil {
		d.read = make(map[string]digested)
	}
	d.read[path] = now
	return now.sum
}

// digest is a hash of the names and contents of a package's files. A file that is added or removed matters as much as
// an edited one: it may declare a function max, which was the built-in one before, or it may be for other build tags.
// Tests are part of it, because they may assign to a variable that is a constant of a kernel.
func digest(p *load.Package) cache.Key {
	parts := make([][]byte, 0, 2*len(p.Files)+2*len(p.Tests)+1)
	for _, f := range p.Files {
		parts = append(parts, []byte(f.Name), f.Src)
	}
	parts = append(parts, fmt.Appendf(nil, "tests, %v", p.Partial))
	for _, f := range p.Assembly {
		parts = append(parts, []byte(f.Name), f.Src)
	}
	for _, f := range p.Tests {
		parts = append(parts, []byte(f.Name), f.Src)
	}
	return cache.NewKey("package", parts...)
}
