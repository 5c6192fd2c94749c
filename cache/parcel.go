package cache

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Kind is one of the three kinds of things in a cache.
type Kind string

// What a cache keeps. See the documentation of the package.
const (
	KindModule Kind = "module"
	KindRecord Kind = "record"
	KindNote   Kind = "note"
)

// A Parcel is an entry, a record or a note on its way from one cache to another.
type Parcel struct {
	Kind  Kind
	Key   Key             // under which others find it
	Place Key             // under which a cache keeps it
	Body  json.RawMessage // what is said about it, or all of it
	Files []ParcelFile    // of a module: the artifact and the kept source
	From  *Origin         // the remote that it comes from
}

// A ParcelFile is a file of a parcel.
type ParcelFile struct {
	Name string
	Data []byte
}

// parcelModule is the body of a module's parcel.
type parcelModule struct {
	Kernel string          `json:"kernel"`
	Target string          `json:"target"`
	Arch   string          `json:"arch"`
	Meta   json.RawMessage `json:"meta,omitempty"`
}

// A Name names something in a cache.
type Name struct {
	Kind Kind
	Key  Key // under which the cache keeps it
}

// Names lists what others can use of what the cache keeps.
func (c *Cache) Names() (list []Name, err error) {
	if c.kept == nil {
		return nil, nil
	}
	var errs []error
	for _, d := range []struct {
		kind Kind
		dir  string
	}{{KindModule, c.kept.modules()}, {KindRecord, c.kept.index()}, {KindNote, c.kept.notes()}} {
		errs = append(errs, eachIn(d.dir, func(path string, _ fs.DirEntry) error {
			if key, err := ParseKey(strings.TrimSuffix(filepath.Base(path), ".json")); err == nil {
				list = append(list, Name{d.kind, key})
			}
			return nil
		}))
	}
	return list, errors.Join(errs...)
}

// Pack returns what the cache keeps under a name, verified. The error is ErrMiss if that is nothing
// that others can use.
func (c *Cache) Pack(n Name) (*Parcel, error) {
	p := &Parcel{Kind: n.Kind, Key: n.Key, Place: n.Key}
	switch n.Kind {
	case KindModule:
		return p, c.packModule(p)
	case KindRecord:
		rec, ok := c.LookupIndex(n.Key)
		if !ok || rec.Shared == (Key{}) {
			return nil, ErrMiss
		}
		p.Key, rec.Origin = rec.Shared, nil
		body, err := json.Marshal(rec)
		p.Body = body
		return p, err
	default:
		note, ok := c.Note(n.Key)
		if !ok {
			return nil, ErrMiss
		}
		p.Body = note
		return p, nil
	}
}

// packModule completes the parcel of an entry. It is no use of the entry.
func (c *Cache) packModule(p *Parcel) error {
	stores := c.temporary.stores()
	if c.kept != nil {
		stores = append(stores, c.kept)
	}
	for _, s := range stores {
		dir := s.module(p.Key)
		m, err := readMeta(dir, p.Key)
		if err != nil || !c.Trusts(m.Origin) {
			continue
		}
		for _, want := range []fileMeta{m.Artifact, m.Source} {
			if err = checkSum(dir, want); err != nil {
				break
			}
			var data []byte
			if data, err = os.ReadFile(filepath.Join(dir, want.Name)); err != nil {
				break
			}
			p.Files = append(p.Files, ParcelFile{want.Name, data})
		}
		if err != nil {
			p.Files = nil
			continue
		}
		p.Body, err = json.Marshal(parcelModule{m.Kernel, m.Target, m.Arch, m.Meta})
		return err
	}
	return ErrMiss
}

// Unpack stores what a parcel has in it, unless the cache has something in its place. The error is
// a *ParcelError if the parcel is nothing that this version of qdgen makes, and else says why it
// cannot be stored.
func (c *Cache) Unpack(p *Parcel) error {
	switch p.Kind {
	case KindModule:
		if _, err := c.Get(p.Key); err == nil {
			return nil
		}
		_, err := c.unpackModule(p)
		return err
	case KindNote:
		defer c.hold(p.Key, "storing a note")()
		if _, ok := c.Note(p.Key); ok {
			return nil
		}
		return c.writeNote(p.Key, p.Body)
	case KindRecord:
		rec, err := p.record()
		if _, ok := c.LookupIndex(p.Place); err != nil || ok {
			return err
		}
		return c.StoreIndex(p.Place, rec)
	}
	return &ParcelError{p.Kind, p.Key, "its kind is not known"}
}

// unpackModule stores a module's parcel.
func (c *Cache) unpackModule(p *Parcel) (*Entry, error) {
	var m parcelModule
	if err := json.Unmarshal(p.Body, &m); err != nil {
		return nil, &ParcelError{p.Kind, p.Key, err.Error()}
	}
	if len(p.Files) != 2 || p.Files[1].Name != sourceName {
		return nil, &ParcelError{p.Kind, p.Key, "it has other files than a module"}
	}
	ext, ok := strings.CutPrefix(p.Files[0].Name, artifactName)
	if !ok || !validExt.MatchString(ext) {
		return nil, &ParcelError{p.Kind, p.Key, fmt.Sprintf("its artifact has the name %q", p.Files[0].Name)}
	}
	return c.put(p.Key, &Artifact{
		Kernel: m.Kernel, Target: m.Target, Arch: m.Arch, Meta: m.Meta,
		Data: p.Files[0].Data, Ext: ext, packed: p.Files[1].Data, origin: p.From,
	})
}

// record reads a record's parcel.
func (p *Parcel) record() (rec Record, err error) {
	d := json.NewDecoder(bytes.NewReader(p.Body))
	if err := d.Decode(&rec); err != nil {
		return Record{}, &ParcelError{p.Kind, p.Key, err.Error()}
	}
	if rec.Shared != p.Key {
		return Record{}, &ParcelError{p.Kind, p.Key, "it belongs to the key " + rec.Shared.String()}
	}
	rec.Origin = p.From
	return rec, nil
}

// A ParcelError reports a parcel that cannot be read.
type ParcelError struct {
	Kind   Kind
	Key    Key
	Reason string
}

// Error implements error.
func (e *ParcelError) Error() string {
	return fmt.Sprintf("cache: %s %s cannot be read: %s", e.Kind, e.Key.Short(), e.Reason)
}
