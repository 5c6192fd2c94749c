package build

import (
	"bytes"
	"errors"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
)

// A question is a question that lowering has asked an Environment, in the form in which a record keeps it. The answer
// may be a large table, so the record has a hash of it.
type question struct {
	Pkg    string               `json:"pkg,omitempty"` // of a package variable
	Name   string               `json:"name,omitempty"`
	Site   *frontend.StaticSite `json:"site,omitempty"`  // of an expression
	Args   [][]byte             `json:"args,omitempty"`  // as comptime.Value.Append writes them
	Reads  *frontend.Reads      `json:"reads,omitempty"` // what else the expression depends on, nil for nothing, and where it calls nothing
	Answer cache.Key            `json:"answer"`
}

// questionsOf are the questions of a specialization.
func questionsOf(asked []frontend.Asked) []question {
	var list []question
	for _, a := range asked {
		q := question{Pkg: a.Var.Pkg, Name: a.Var.Name, Site: a.Site, Answer: answerKey(a.Value, a.Unknown)}
		if a.Reads.Calls || !a.Reads.Nothing() {
			q.Reads = &a.Reads
		}
		for _, arg := range a.Args {
			q.Args = append(q.Args, arg.Append(nil))
		}
		list = append(list, q)
	}
	return list
}

// answerKey is a hash of an answer. Having no answer has a hash too.
func answerKey(v comptime.Value, unknown bool) cache.Key {
	if unknown {
		return cache.NewKey("unknown")
	}
	return cache.NewKey("answer", v.Append(nil))
}

// same reports whether two questions are the same.
func (q *question) same(r *question) bool {
	return q.Pkg == r.Pkg && q.Name == r.Name && (q.Site == nil) == (r.Site == nil) &&
		(q.Site == nil || *q.Site == *r.Site) && equalArgs(q.Args, r.Args)
}

func equalArgs(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// answers asks an Environment questions from records again, each question once.
type answers struct {
	env   frontend.Environment
	asked []answerNow
}

// An answerNow is a question with its current answer.
type answerNow struct {
	question
	frontend.Asked
}

// hold reports whether questions still have the answers that a record has, and returns the answers. It stops at the
// first answer that has changed, because lowering might not ask the next question then.
func (a *answers) hold(questions []question) (asked []frontend.Asked, ok bool) {
	for i := range questions {
		now := a.ask(&questions[i])
		if now == nil || now.Answer != questions[i].Answer {
			return nil, false
		}
		asked = append(asked, now.Asked)
	}
	return asked, true
}

// ask gives nil where the question cannot be answered: lowering asks again, and says why.
func (a *answers) ask(q *question) *answerNow {
	for i := range a.asked {
		if a.asked[i].same(q) {
			return &a.asked[i]
		}
	}
	if a.env == nil {
		return nil
	}
	now := answerNow{question: *q}
	var err error
	if q.Site == nil {
		now.Var.Pkg, now.Var.Name = q.Pkg, q.Name
		now.Value, err = a.env.Var(q.Pkg, q.Name)
	} else {
		now.Asked.Site = q.Site
		for _, text := range q.Args {
			v, rest, err := comptime.Parse(text)
			if err != nil || len(rest) > 0 {
				return nil
			}
			now.Asked.Args = append(now.Asked.Args, v)
		}
		if q.Reads != nil {
			now.Asked.Reads = *q.Reads
		}
		now.Value, err = a.env.Static(*q.Site, now.Asked.Args, now.Asked.Reads)
	}
	now.Unknown = errors.Is(err, frontend.ErrNotRegistered)
	if err != nil && !now.Unknown {
		return nil
	}
	now.Answer = answerKey(now.Value, now.Unknown)
	a.asked = append(a.asked, now)
	return &a.asked[len(a.asked)-1]
}
