package eval

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/qdreg"
)

var served = float32(1.5)

// Questions are answered in order, each in a line that begins with the word.
func TestServe(t *testing.T) {
	const pkg = "github.com/qdgen/qd/cmd/qdgen/eval"
	qdreg.Vars(pkg, map[string]any{"served": &served})
	qdreg.Static(pkg, "f", 0, "n + 1", func(n int) int { return n + 1 }, "local n")
	site := frontend.StaticSite{Pkg: pkg, Func: "f", Expr: "n + 1", Names: "local n"}
	value := func(x any) []byte {
		v, err := comptime.Of(reflect.ValueOf(x))
		if err != nil {
			t.Fatal(err)
		}
		return v.Append(nil)
	}
	asked := []struct {
		q    question
		want answer
	}{
		{question{Var: &variable{pkg, "served"}}, answer{Value: value(float32(1.5))}},
		{question{Var: &variable{pkg, "other"}}, answer{Unknown: true}},
		{question{Static: &static{site, [][]byte{value(41)}}}, answer{Value: value(42)}},
		{question{Type: &site}, answer{Type: "int"}},
		{question{Type: &frontend.StaticSite{Pkg: pkg, Func: "f", Expr: "n"}}, answer{Unknown: true}},
		{question{Const: "nan\xff"}, answer{Unknown: true}},
		{question{Const: "text"}, answer{Value: value("\xff\x00")}},
		{question{Const: "panics"}, answer{Error: "it panics: no"}},
		{question{Static: &static{site, [][]byte{{1}}}}, answer{Error: "comptime: not a value in the form of Append"}},
	}
	var in, out bytes.Buffer
	for _, a := range asked {
		text, err := json.Marshal(a.q)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(text)
	}
	values := map[string]func() any{"text": func() any { return "\xff\x00" }, "panics": func() any { panic("no") }}
	if err := serve(&in, &out, "word ", values); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.Trim(out.String(), "\n"), "\n\n")
	if len(lines) != len(asked)+1 {
		t.Fatalf("%d lines for %d questions: %q", len(lines), len(asked), lines)
	}
	for i, line := range lines {
		want := answer{Version: version}
		if i > 0 {
			want = asked[i-1].want
		}
		var got answer
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "word ")), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("answer %d is %q, want %+v; %v", i, line, want, err)
		}
	}
}

// Answers are told from what a program prints besides, whatever that is.
func TestRead(t *testing.T) {
	r := &running{word: "word ", answers: make(chan answer, 10)}
	printed := "begin\n\nword {\"Version\":1}\nno end\nword {\"Value\":\"AQ==\"}\n\n\nword none\nword {\"Unknown\":true}\nend"
	var rest strings.Builder
	r.read(strings.NewReader(printed), &rest)
	var got []answer
	for a := range r.answers {
		got = append(got, a)
	}
	want := []answer{{Version: 1}, {Value: []byte{1}}, {Unknown: true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answers %+v, want %+v", got, want)
	}
	if rest.String() != "begin\nno end\n\n\nword none\nend" {
		t.Errorf("the rest is %q", rest.String())
	}
	var w io.Writer = &r.printed
	for _, text := range []string{"some text\npan", "ic: it\nfatal error: other\n"} {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if why := r.printed.reason(); why != "panic: it" {
		t.Errorf("the reason is %q", why)
	}
}
