package ssa

import "fmt"

// A Remark is a message of a pass about code: what the pass has done there, what it has left undone, and why. No kernel
// needs remarks to be compiled. They are for people who ask why code is as it is, and cost nothing if nobody asks for
// them.
type Remark struct {
	Pass string // who says it: "checks", "hoist", "unroll", "widen"
	Kind RemarkKind
	Func string // the function in which it is
	Pos  Pos
	Text string

	// About is the instruction or the function that it is about, nil for none. What a pass says later about the same
	// one counts instead: passes run several times, and find in a later round what they have missed in an earlier one.
	About any
}

// RemarkKind says what has become of an intention.
type RemarkKind uint8

// The kinds of remarks.
const (
	Note   RemarkKind = iota // a fact
	Done                     // the pass has changed the code
	Missed                   // the pass has left the code as it is, for the reason in Text
)

// String is the kind as a word.
func (k RemarkKind) String() string { return [...]string{"note", "done", "missed"}[k] }

// MarshalText writes the kind as its word.
func (k RemarkKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (k *RemarkKind) UnmarshalText(text []byte) error {
	for *k = Note; *k <= Missed; *k++ {
		if k.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("no kind of remark: %s", text)
}

// Remarks hears remarks. The nil Remarks hears nothing.
type Remarks func(Remark)

// On says something about an instruction.
func (r Remarks) On(pass string, kind RemarkKind, in *Instr, format string, args ...any) {
	if r != nil {
		r(Remark{Pass: pass, Kind: kind, Func: in.Block.Func.Name, Pos: in.Place(), Text: fmt.Sprintf(format, args...), About: in})
	}
}

// OnFunc says something about a function.
func (r Remarks) OnFunc(pass string, kind RemarkKind, f *Func, format string, args ...any) {
	if r != nil {
		r(Remark{Pass: pass, Kind: kind, Func: f.Name, Pos: f.Decl.Pos, Text: fmt.Sprintf(format, args...), About: f})
	}
}
