package memo

import (
	"context"
	"errors"
	"testing"
)

// Who waits for a flight has what it gives, also an error. The next one is a flight of its own.
func TestFlights(t *testing.T) {
	var fs Flights[string, int]
	wrong := errors.New("wrong")
	for range 2 {
		begun, goOn, done := make(chan bool), make(chan bool), make(chan bool)
		go func() {
			if n, mine, err := fs.Do(context.Background(), "a", func() (int, error) {
				close(begun)
				<-goOn
				return 7, wrong
			}); n != 7 || !mine || err != wrong {
				t.Errorf("%d, %t, %v", n, mine, err)
			}
			close(done)
		}()
		<-begun
		ctx, cancel := context.WithCancelCause(t.Context())
		waits := waiting{ctx, make(chan bool)}
		go func() {
			if n, mine, err := fs.Do(waits, "a", func() (int, error) { return 8, nil }); n != 7 || mine || err != wrong {
				t.Errorf("who waits gets %d, %t, %v", n, mine, err)
			}
			close(waits.begun)
		}()
		<-waits.begun
		close(goOn)
		<-done
		<-waits.begun
		cancel(nil)
	}
}

// Nothing is begun within a context that has ended.
func TestFlightsEnded(t *testing.T) {
	var fs Flights[string, int]
	why := errors.New("no time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, mine, err := fs.Do(ctx, "a", func() (int, error) { return 7, nil }); mine || err != why {
		t.Errorf("%t, %v", mine, err)
	}
}

// waiting is a context that tells when somebody waits for its end.
type waiting struct {
	context.Context
	begun chan bool
}

func (w waiting) Done() <-chan struct{} {
	w.begun <- true
	return w.Context.Done()
}

// After a panic, whoever waits flies.
func TestFlightsPanic(t *testing.T) {
	var fs Flights[string, int]
	begun, goOn, panicked := make(chan bool), make(chan bool), make(chan any)
	go func() {
		defer func() { panicked <- recover() }()
		_, _, _ = fs.Do(context.Background(), "a", func() (int, error) {
			close(begun)
			<-goOn
			panic("in the work")
		})
	}()
	<-begun
	waits := waiting{context.Background(), make(chan bool)}
	go func() {
		if n, mine, err := fs.Do(waits, "a", func() (int, error) { return 8, nil }); n != 8 || !mine || err != nil {
			t.Errorf("who waits gets %d, %t, %v", n, mine, err)
		}
		close(waits.begun)
	}()
	<-waits.begun
	close(goOn)
	if v := <-panicked; v != "in the work" {
		t.Errorf("the panic is %v", v)
	}
	<-waits.begun
}
