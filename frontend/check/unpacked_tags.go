package check

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// DiffersByTags reports whether a conversion, in which Go lets struct tags differ, is
// between types that do.
func (sc *Scope) DiffersByTags(e *ast.CallExpr) bool {
	from, to := sc.GoType(e.Args[0]), sc.GoType(e)
	return from != nil && to != nil && types.IdenticalIgnoreTags(from.Underlying(), to.Underlying()) && !types.Identical(from.Underlying(), to.Underlying())
}

// The struct tags of key qd are checked where the type of the struct is first met in a kernel,
// and a field is refused once. Fields whose tag has been refused are stored as they are.

// unpackedWord is the one word that a tag of key qd may have.
const unpackedWord = "unpacked"

// tagWords are the words in a struct tag under key qd; malformed is a tag from which package
// reflect would not read them.
func tagWords(tag string) (words []string, malformed bool) {
	text, ok := reflect.StructTag(tag).Lookup("qd")
	if !ok {
		return nil, strings.Contains(tagPair.ReplaceAllString(tag, ""), "qd")
	}
	for word := range strings.SplitSeq(text, ",") {
		words = append(words, strings.TrimSpace(word))
	}
	return words, false
}

// tagPair is one key with its text.
var tagPair = regexp.MustCompile(`[^\s":]+:"(?:[^"\\]|\\.)*"`)

func isTaggedUnpacked(tag string) bool {
	words, _ := tagWords(tag)
	return slices.Contains(words, unpackedWord)
}

// checkTags refuses what the tags of a struct's fields may not say.
func (m *Types) checkTags(t types.Type, u *types.Struct) {
	for i := range u.NumFields() {
		if u.Tag(i) != "" {
			m.checkTag(t, u, i)
		}
	}
}

func (m *Types) checkTag(t types.Type, u *types.Struct, i int) {
	f := u.Field(i)
	words, malformed := tagWords(u.Tag(i))
	if words == nil && !malformed {
		return
	}
	at := &ast.Ident{NamePos: f.Pos(), Name: f.Name()}
	said, first := false, false // in a generic struct, whose instances may differ
	refuse := func(hint, format string, args ...any) {
		if !said {
			said, first = true, m.Complain(f.Origin())
		}
		if first {
			m.Refuse(at, hint, format, args...)
		}
	}
	if malformed {
		refuse("write it as `qd:\"unpacked\"`", "the struct tag of field %s is malformed: %s", f.Name(), u.Tag(i))
	}
	for _, word := range words {
		if word != unpackedWord {
			refuse("the only word is unpacked: `qd:\"unpacked\"`", "unknown word %q in the qd struct tag of field %s", word, f.Name())
			continue
		}
		if why, hint := m.notUnpacked(u, i); why != "" {
			refuse(hint, "field %s of type %s cannot be unpacked: %s", f.Name(), m.TypeString(f.Type()), why)
		}
	}
	if other, name := m.collision(u, i); other != "" {
		refuse("rename one of the two", "unpacked field %s is stored as %s, which is also the name of field %s", f.Name(), name, other)
	}
}

// notUnpacked says why a field cannot be stored as scalars, and what to do instead; "" for
// one that can, and for one whose type is refused for itself.
func (m *Types) notUnpacked(u *types.Struct, i int) (why, hint string) {
	t := u.Field(i).Type()
	if _, ok := m.Part(t); !ok {
		return "", ""
	}
	switch p := m.unpack(t); {
	case p.Elem == nil:
		return "it is not an array of numbers or bools", "put the tag on an array, a vector or a matrix, or remove it"
	case p.Count == 0:
		return "it has no elements", "leave the tag out"
	case p.Count > maxUnpacked:
		return fmt.Sprintf("it has more than %d elements", maxUnpacked), "remove the tag, or pass the elements as a slice"
	}
	return "", ""
}

// collision is another field of a struct of which a name is that of a scalar of field i,
// with the name; of two unpacked ones it is the first that the second collides with.
func (m *Types) collision(u *types.Struct, i int) (field, name string) {
	p, ok := m.Unpacked(u, i)
	if !ok || u.Field(i).Name() == "_" {
		return "", ""
	}
	own := map[string]bool{}
	for at := range p.Count {
		own[p.name(u.Field(i).Name(), at)] = true
	}
	for k := range u.NumFields() {
		other := u.Field(k).Name()
		q, isUnpacked := m.Unpacked(u, k)
		switch {
		case k == i:
		case !isUnpacked && own[other]:
			return other, other
		case isUnpacked && k < i:
			for at := range q.Count {
				if name := q.name(other, at); own[name] {
					return other, name
				}
			}
		}
	}
	return "", ""
}
