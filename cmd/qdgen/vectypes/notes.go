package vectypes

// floatNotes and signedNotes are what there is to be said of a method, beyond its documentation,
// for elements of these types.
var (
	floatNotes = map[string]string{
		"Min":      "As in the built-in min, NaN wins, and -0 is less than 0.",
		"Max":      "As in the built-in max, NaN wins, and 0 is greater than -0.",
		"Sign":     "-0 stays -0, and NaN stays NaN.",
		"MinElem":  "It is NaN if one is.",
		"MaxElem":  "It is NaN if one is.",
		"Map":      "Cbrt is such a function: v.Map(qd.Cbrt).",
		"Map2":     "Hypot is such a function: v.Map2(o, qd.Hypot).",
		"Saturate": "NaN stays NaN.",
	}
	signedNotes = map[string]string{
		"Abs": "That of the least T is itself.",
	}
)

// notes are those on a method for elements of a type.
func (e Elem) notes(method string) string {
	note := ""
	switch {
	case e.IsFloat():
		note = floatNotes[method]
	case e.isSigned():
		note = signedNotes[method]
	}
	if note != "" {
		note = " " + note
	}
	return note
}
