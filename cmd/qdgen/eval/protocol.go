package eval

import (
	"github.com/qdgen/qd/frontend"
)

// Variable is the environment variable with the word that begins the lines of answers. A
// program that does not have it is an ordinary one.
const Variable = "QDGEN_EVAL"

// version tells programs that were built with another version of package qd.
const version = 2

// A question is one line of JSON. One of the fields is set.
type question struct {
	Var    *variable
	Static *static
	Type   *frontend.StaticSite
	Const  string // a key of the map that Serve is given
}

type variable struct{ Pkg, Name string }

type static struct {
	Site frontend.StaticSite
	Args [][]byte // as comptime.Value.Append writes them
}

// An answer is one line of JSON, after the word. The first answer is to no question.
type answer struct {
	Version int
	Value   []byte // as comptime.Value.Append writes it
	Type    string
	Unknown bool   // frontend.ErrNotKnown
	Error   string // "" for none
}
