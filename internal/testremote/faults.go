package testremote

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
)

// A Fault is what a Proxy does to an answer. The zero one leaves it alone.
type Fault string

// The faults that there are.
const (
	None      Fault = ""
	Hang      Fault = "hang"       // no answer comes
	HangBody  Fault = "hang body"  // half of the body comes
	Close     Fault = "close"      // the connection is closed
	Truncate  Fault = "truncate"   // half of the body comes, then the connection is closed
	Short     Fault = "short"      // half of the body, as if that were all
	Flip      Fault = "flip"       // a bit in the middle of the body is another one
	FlipFirst Fault = "flip first" // a bit at the beginning
	FlipLast  Fault = "flip last"  // a bit at the end
	Long      Fault = "long"       // there is more
	Empty     Fault = "empty"      // nothing, with status 200
	Error     Fault = "500"
	Denied    Fault = "403"
	Full      Fault = "507"
	TooLarge  Fault = "413"
	Missing   Fault = "404"
)

// Status are the faults that are nothing but an answer.
var status = map[Fault]int{
	Error: http.StatusInternalServerError, Denied: http.StatusForbidden, Full: http.StatusInsufficientStorage,
	TooLarge: http.StatusRequestEntityTooLarge, Missing: http.StatusNotFound,
}

// A Proxy stands before a server. It counts requests.
type Proxy struct {
	URL string

	mu       sync.Mutex
	requests []string // "GET /ac/..."
	fault    func(r *http.Request) Fault
}

// NewProxy starts a proxy before the server at an address.
func NewProxy(t testing.TB, to string) *Proxy {
	p := &Proxy{}
	ended := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, to, ended) }))
	t.Cleanup(func() {
		close(ended)
		s.Close()
	})
	p.URL = s.URL
	return p
}

// Set says what to do to answers.
func (p *Proxy) Set(fault func(r *http.Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = fault
}

// Take gives the requests since the last Take.
func (p *Proxy) Take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.requests
	p.requests = nil
	return list
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request, to string, ended chan struct{}) {
	p.mu.Lock()
	p.requests = append(p.requests, r.Method+" "+r.URL.Path)
	fault := None
	if p.fault != nil {
		fault = p.fault(r)
	}
	p.mu.Unlock()
	wait := func() {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}
	if s := status[fault]; s != 0 {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Error(w, string(fault), s)
		return
	}
	switch fault {
	case Hang:
		_, _ = io.Copy(io.Discard, r.Body) // the server sees that the client goes only after that
		wait()
		return
	case Close:
		panic(http.ErrAbortHandler)
	}
	req, err := http.NewRequestWithContext(r.Context(), r.Method, to+r.URL.Path, r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	req.ContentLength = r.ContentLength
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if answer.StatusCode == http.StatusOK && r.Method == http.MethodGet {
		full := strconv.Itoa(len(body))
		switch fault {
		case Flip:
			body[len(body)/2] ^= 4
		case FlipFirst:
			body[0] ^= 4
		case FlipLast:
			body[len(body)-1] ^= 4
		case Long:
			body = append(body, "more"...)
		case Short:
			body = body[:len(body)/2]
		case Empty:
			body = nil
		case HangBody, Truncate:
			w.Header().Set("Content-Length", full)
			_, _ = w.Write(body[:len(body)/2])
			_ = http.NewResponseController(w).Flush()
			if fault == HangBody {
				wait()
			}
			panic(http.ErrAbortHandler)
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(body)
}
