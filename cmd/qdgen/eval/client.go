package eval

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
)

// A Client asks a program that calls [Serve]. It implements [frontend.Environment], and
// asks each question once.
type Client struct {
	Path string   // of the program
	Dir  string   // where it runs
	Env  []string // what is added to the environment
	// Stderr receives what the program prints, to standard output or error.
	Stderr io.Writer
	// Limit is how long the program may take to start, and for each answer.
	Limit time.Duration

	mu      sync.Mutex
	run     *running // nil until the first question, and after the program has ended
	replies map[string]reply
}

// reply is an answer, or why there is none.
type reply struct {
	answer
	err error
}

// running is a program that has been started.
type running struct {
	cmd     *exec.Cmd
	word    string
	in      io.WriteCloser
	answers chan answer // closed when the program's output ends
	printed tail
}

// Var implements [frontend.Environment].
func (c *Client) Var(pkg, name string) (comptime.Value, error) {
	return c.value(question{Var: &variable{pkg, name}})
}

// Static implements [frontend.Environment]. Nothing changes between the questions of a client.
func (c *Client) Static(site frontend.StaticSite, args []comptime.Value, _ frontend.Reads) (comptime.Value, error) {
	q := static{Site: site}
	for _, arg := range args {
		q.Args = append(q.Args, arg.Append(nil))
	}
	return c.value(question{Static: &q})
}

// StaticType is the type of the value of an expression, as the front end writes types.
func (c *Client) StaticType(site frontend.StaticSite) (string, error) {
	r := c.ask(question{Type: &site})
	return r.Type, r.err
}

// Const is the value of a function that Serve was given.
func (c *Client) Const(name string) (comptime.Value, error) { return c.value(question{Const: name}) }

func (c *Client) value(q question) (comptime.Value, error) {
	r := c.ask(q)
	if r.err != nil {
		return comptime.Value{}, r.err
	}
	v, _, err := comptime.Parse(r.Value)
	return v, err
}

// Close ends the program.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		c.run.in.Close()
		_ = c.stop()
	}
}

// ask asks a question, or finds the answer to it.
func (c *Client) ask(q question) reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, err := json.Marshal(q)
	if err != nil {
		return reply{err: err}
	}
	if r, ok := c.replies[string(text)]; ok {
		return r
	}
	r := c.send(text)
	switch {
	case r.err != nil:
	case r.Unknown:
		r.err = frontend.ErrNotRegistered
	case r.Error != "":
		r.err = errors.New(r.Error)
	}
	if c.replies == nil {
		c.replies = make(map[string]reply)
	}
	c.replies[string(text)] = r
	return r
}

// send sends a question to the program, which it starts if need be.
func (c *Client) send(text []byte) reply {
	if c.run == nil {
		if err := c.start(); err != nil {
			return reply{err: err}
		}
	}
	if _, err := c.run.in.Write(append(text, '\n')); err != nil {
		return reply{err: c.ended("the program that evaluates it has ended")}
	}
	return c.receive("it has not ended", "the program that evaluates it has ended")
}

// grace is what the program has to say itself that an evaluation takes too long.
const grace = time.Second

// receive waits for an answer; the texts say what is wrong if there is none.
func (c *Client) receive(late, gone string) reply {
	limit := time.NewTimer(c.Limit + grace)
	defer limit.Stop()
	select {
	case a, ok := <-c.run.answers:
		if !ok {
			return reply{err: c.ended(gone)}
		}
		return reply{answer: a}
	case <-limit.C:
		_ = c.stop()
		return reply{err: fmt.Errorf("%s after %v; to allow more time, set QD_STATIC_TIMEOUT", late, c.Limit)}
	}
}

// start starts the program.
func (c *Client) start() error {
	word := make([]byte, 16)
	for i := range word {
		word[i] = byte(rand.Uint32())
	}
	r := &running{cmd: exec.Command(c.Path), word: "qdgen-" + hex.EncodeToString(word) + " ", answers: make(chan answer)}
	r.cmd.Dir, r.cmd.WaitDelay = c.Dir, time.Second
	r.cmd.Env = append(append(os.Environ(), c.Env...), Variable+"="+r.word)
	r.cmd.Stderr = io.MultiWriter(c.Stderr, &r.printed)
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := r.cmd.Start(); err != nil {
		return err
	}
	c.run = r
	go r.read(out, c.Stderr)
	hello := c.receive("the packages' initialization has not ended", "the program does not get past the initialization of its packages")
	if hello.err == nil && hello.Version != version {
		_ = c.stop()
		return errors.New("this qdgen and the package qd of the module are of different versions; run the module's own with go tool qdgen")
	}
	return hello.err
}

// read takes the answers from what the program prints, and passes on the rest.
func (r *running) read(out io.Reader, rest io.Writer) {
	defer close(r.answers)
	lines := bufio.NewReader(out)
	blank := false // the line before was empty: it may be the beginning of an answer
	for {
		line, err := lines.ReadBytes('\n')
		var a answer
		if text, ok := bytes.CutPrefix(line, []byte(r.word)); ok && json.Unmarshal(text, &a) == nil {
			blank = false
			r.answers <- a
			continue
		}
		if blank {
			_, _ = io.WriteString(rest, "\n")
		}
		if blank = string(line) == "\n"; !blank {
			_, _ = rest.Write(line)
		}
		if err != nil {
			return
		}
	}
}

// ended is the error of a program that has ended by itself.
func (c *Client) ended(what string) error {
	r := c.run
	err := c.stop()
	if why := r.printed.reason(); why != "" {
		return fmt.Errorf("%s: %s", what, why)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return errors.New(what + "; does it call os.Exit?")
}

// stop ends the program and waits for it.
func (c *Client) stop() error {
	r := c.run
	c.run = nil
	kill := time.AfterFunc(100*time.Millisecond, func() { _ = r.cmd.Process.Kill() })
	defer kill.Stop()
	for range r.answers {
	}
	return r.cmd.Wait()
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 1 << 16
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, p...); len(t.text) > most {
		t.text = t.text[len(t.text)-most:]
	}
	return len(p), nil
}

// reason is the line in which a Go program says what it has died of.
func (t *tail) reason() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(t.text)) {
		for _, prefix := range []string{"panic: ", "fatal error: "} {
			if strings.HasPrefix(line, prefix) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
