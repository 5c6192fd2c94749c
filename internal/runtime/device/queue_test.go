package device

import (
	"context"
	"fmt"
	"testing"
)

// failing is a launch that fails.
type failing string

func (f failing) Run() error { return fmt.Errorf("%s", string(f)) }

// Whoever waits for a device of the host is told the first error of each stream, in the order in which the launches were
// submitted. The streams' own waits are told theirs after that.
func TestErrorsOfQueues(t *testing.T) {
	var h HostQueues
	queues := make([]Queue, 8)
	for i := range queues {
		queues[i], _ = h.NewQueue()
	}
	var want string
	for i := range queues {
		at := (i*3 + 5) % len(queues)
		for _, text := range []string{"first", "second"} {
			if err := queues[at].Submit(failing(fmt.Sprintf("%s of %d", text, at))); err != nil {
				t.Fatal(err)
			}
		}
		want += fmt.Sprintf("first of %d\n", at)
	}
	if err := h.Settle(); err != nil {
		t.Fatal(err)
	}
	if err := h.TakeError(); fmt.Sprintln(err) != want {
		t.Errorf("the device's wait:\n%v\nwant\n%s", err, want)
	}
	if err := h.TakeError(); err != nil {
		t.Errorf("the next one: %v", err)
	}
	for i, q := range queues {
		if err := q.Wait(context.Background()); fmt.Sprint(err) != fmt.Sprintf("first of %d", i) {
			t.Errorf("the wait of %d: %v", i, err)
		}
	}
}
