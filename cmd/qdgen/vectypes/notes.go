package vectypes

// floatNotes and signedNotes are additions to the documentation of methods, for float and signed elements.
var (
	floatNotes = map[string]string{
		"Min":      "As with the built-in min, the result is NaN if either is NaN, and -0 is less than 0.",
		"Max":      "As with the built-in max, the result is NaN if either is NaN, and 0 is greater than -0.",
		"Sign":     "-0 stays -0, and NaN stays NaN.",
		"MinElem":  "It is NaN if any element is NaN.",
		"MaxElem":  "It is NaN if any element is NaN.",
		"Map":      "Cbrt is an example: v.Map(qd.Cbrt).",
		"Map2":     "Hypot is an example: v.Map2(o, qd.Hypot).",
		"Saturate": "NaN stays NaN.",
	}
	signedNotes = map[string]string{
		"Abs": "The absolute value of the least T is itself.",
	}
)

// notes are the additions for a method and elements of type e.
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
