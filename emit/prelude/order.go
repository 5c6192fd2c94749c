package prelude

import (
	"slices"
	"strings"
)

// inOrder sorts pieces such that each comes after the pieces that it uses. Pieces outside of namespaces come first, the
// common ones before the dialect's. The elementary functions follow, those of vectors first. The rest comes last, with
// a dialect's own pieces in the place of common ones of the same name.
func inOrder(common, dialects []piece) []piece {
	own := make(map[string]piece)
	for _, p := range dialects {
		own[p.name] = p
	}
	var global, elementary, vectors, spaced []piece
	add := func(p piece) {
		switch p.space() {
		case "":
			global = append(global, p)
		case "elementary": // what the functions of package math build on
			elementary = append(elementary, p)
		case "math":
			if strings.HasSuffix(p.generic, ".V32") || strings.HasSuffix(p.generic, ".V64") {
				vectors = append(vectors, p)
			} else {
				spaced = append(spaced, p)
			}
		default:
			spaced = append(spaced, p)
		}
	}
	for _, p := range common {
		if q, ok := own[p.name]; ok {
			p = q
			delete(own, p.name)
		}
		add(p)
	}
	for _, p := range dialects {
		if _, ok := own[p.name]; ok {
			add(p)
		}
	}
	return slices.Concat(global, elementary, vectors, spaced)
}
