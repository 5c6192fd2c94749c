//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type ledger struct {
	rows [30]struct{ n, weight int }
	name string
}

func (l *ledger) total(k int) int { return l.rows[k].n*10 + l.rows[k].weight }

func (l *ledger) sum() (s int) {
	for i := range l.rows {
		s += l.total(i) + len(l.name)
	}
	return s
}

func (l *ledger) scaled(by float64) float64 { return float64(l.total(1)) * by }

var (
	ledgers    = [2]ledger{{name: "a"}, {name: "bc"}}
	ledgerList = []ledger{{}, {name: "def"}}
	ownLedger  = firstRows(ledger{name: "own"})
)

func firstRows(l ledger) ledger {
	for i := range 4 {
		l.rows[i].n, l.rows[i].weight = i, i*i
	}
	return l
}

//qd:kernel
func staticMethods(t qd.Thread, out []int) {
	out[0] = qd.Static(ledgers[1].sum())
	out[1] = qd.Static(ledgerList[1].sum() - 1)
	out[2] = qd.Static(ownLedger.total(3))
	out[3] = qd.Static((&ownLedger).sum())
	out[4] = int(qd.Static(ownLedger.scaled(1.5)) * 2)
	for i := range qd.Static(ownLedger.total(0) + 3) {
		out[5] += i
	}
}

// TestStaticMethods calls methods with a pointer receiver, on package variables that nothing changes, at compile time.
func TestStaticMethods(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		got := make([]int, 6)
		noError(t, dev.Launch(staticMethods, qd.Dim(1), got))
		want := []int{ledgers[1].sum(), ledgerList[1].sum() - 1, ownLedger.total(3), ownLedger.sum(), int(ownLedger.scaled(1.5) * 2), 3}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}
