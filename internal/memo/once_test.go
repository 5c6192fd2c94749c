package memo

import (
	"context"
	"errors"
	"testing"
)

// Who waits for what another goroutine builds does so as long as its context lasts.
func TestOnceWithin(t *testing.T) {
	var once Once[string, int]
	begun, goOn, done := make(chan bool), make(chan bool), make(chan int)
	go func() {
		n, _ := once.Do("a", func() (int, error) {
			close(begun)
			<-goOn
			return 7, nil
		})
		done <- n
	}()
	<-begun
	other := func() (int, error) {
		t.Error("it is built twice")
		return 0, nil
	}
	why := errors.New("no time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := once.DoWithin(ctx, "a", other); !errors.Is(err, why) {
		t.Errorf("the error is %v", err)
	}
	close(goOn)
	if n := <-done; n != 7 {
		t.Errorf("what was begun gives %d", n)
	}
	if n, err := once.DoWithin(t.Context(), "a", other); n != 7 || err != nil {
		t.Errorf("later it is %d, %v", n, err)
	}
}

// Where the context of a build ends, whoever waits for it builds.
func TestOnceAnew(t *testing.T) {
	var once Once[string, int]
	begun, done := make(chan bool), make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := once.DoWithin(ctx, "a", func() (int, error) {
			close(begun)
			<-ctx.Done()
			return 0, errors.New("killed")
		})
		done <- err
	}()
	<-begun
	other := make(chan int)
	go func() {
		n, _ := once.Do("a", func() (int, error) { return 7, nil })
		other <- n
	}()
	cancel()
	if err := <-done; err == nil || err.Error() != "killed" {
		t.Errorf("the error is %v", err)
	}
	if n := <-other; n != 7 {
		t.Errorf("who waits gets %d", n)
	}
}
