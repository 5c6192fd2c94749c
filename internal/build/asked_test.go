package build

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// readsEnv notes what it is told that expressions read.
type readsEnv struct{ noted []frontend.Reads }

func (e *readsEnv) Var(string, string) (comptime.Value, error) {
	return comptime.Value{}, frontend.ErrNotRegistered
}

func (e *readsEnv) Static(_ frontend.StaticSite, _ []comptime.Value, reads frontend.Reads) (comptime.Value, error) {
	e.noted = append(e.noted, reads)
	return comptime.Value{Kind: comptime.Int, Type: "int"}, nil
}

// What is asked again of a record is what lowering has asked.
func TestQuestionsKeepReads(t *testing.T) {
	var want []frontend.Reads
	var asked []frontend.Asked
	for i, reads := range []frontend.Reads{
		{}, {Calls: true}, {Unseen: true}, {Calls: true, Unseen: true}, {Calls: true, Vars: []load.Global{{Pkg: "p", Name: "v"}}},
	} {
		want = append(want, reads)
		asked = append(asked, frontend.Asked{Site: &frontend.StaticSite{Pkg: "p", Index: i}, Reads: reads, Value: comptime.Value{Kind: comptime.Int, Type: "int"}})
	}
	text, err := json.Marshal(questionsOf(asked))
	if err != nil {
		t.Fatal(err)
	}
	var kept []question
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	env := &readsEnv{}
	again, ok := (&answers{env: env}).hold(kept)
	if !ok || !reflect.DeepEqual(env.noted, want) {
		t.Errorf("asked again: %v, holds %v, want %v", env.noted, ok, want)
	}
	for i := range again {
		if !reflect.DeepEqual(again[i].Reads, want[i]) {
			t.Errorf("question %d is given back with %v, want %v", i, again[i].Reads, want[i])
		}
	}
}
