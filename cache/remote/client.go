package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/qdgen/qd/cache"
)

const (
	maxDocument = 16 << 20  // of what lies under /ac/
	maxFiles    = 512 << 20 // of all files of an entry
)

// errMissing is the error for what a remote does not have.
var errMissing = errors.New("the remote cache does not have it")

// A statusError is an answer that is not what was asked for.
type statusError struct {
	method string
	status int
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s was answered with %d %s", e.method, e.status, http.StatusText(e.status))
	if e.status == http.StatusUnauthorized || e.status == http.StatusForbidden {
		text += "; a token is given in QD_CACHE_TOKEN, a password in .netrc"
	}
	return text
}

// A damageError reports an entry that is not what was written.
type damageError struct {
	what string
	err  error
}

func (e *damageError) Error() string { return e.what + ": " + e.err.Error() }
func (e *damageError) Unwrap() error { return e.err }

// A client speaks Bazel's HTTP cache protocol.
type client struct {
	*Config
	http *http.Client
}

func newClient(c *Config) *client {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok { // else the program has wrapped it
		t = usual.Clone()
	}
	t.MaxIdleConnsPerHost = 8
	t.DisableCompression = true // what is large is compressed already, and lengths are to be known
	return &client{Config: c, http: &http.Client{Transport: newQuick(t, c.URL.Host, c.URL.Hostname()), CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) >= 5 {
			return errors.New("it redirects again and again")
		}
		if via[0].URL.Scheme == "https" && to.URL.Scheme != "https" {
			return errors.New("it redirects from https to " + to.URL.Scheme)
		}
		return nil
	}}}
}

// do sends a request and gives the body of the answer, of which at most limit bytes are read.
func (c *client) do(ctx context.Context, method, path string, data []byte, limit int64) ([]byte, error) {
	var body io.Reader
	if data != nil {
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL.String()+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "qdgen")
	if data != nil {
		req.Header.Set("Content-Type", "application/octet-stream")
	}
	switch {
	case c.token != "":
		req.Header.Set("Authorization", "Bearer "+c.token)
	case c.user != "" || c.password != "":
		req.SetBasicAuth(c.user, c.password)
	}
	answer, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch s := answer.StatusCode; {
	case s == http.StatusNotFound || s == http.StatusGone:
		_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection serves again
		return nil, errMissing
	case s < 200 || s > 299 || method == http.MethodGet && s != http.StatusOK:
		_, _ = io.CopyN(io.Discard, answer.Body, 64<<10)
		return nil, &statusError{method, s}
	}
	got, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	if err == nil && int64(len(got)) > limit {
		err = &damageError{path, errors.New("it is longer than what was written")}
	}
	return got, err
}

func acPath(k cache.Key) string  { return "/ac/" + k.String() }
func casPath(k cache.Key) string { return "/cas/" + k.String() }

// document gets and verifies the document of a key.
func (c *client) document(ctx context.Context, kind cache.Kind, key cache.Key) (d document, signer string, err error) {
	path := acPath(actionKey(kind, key))
	data, err := c.do(ctx, http.MethodGet, path, nil, maxDocument)
	if err != nil {
		return d, "", err
	}
	text, err := parseAction(data)
	if err == nil {
		d, signer, err = c.Keys.open(text, kind, key)
	}
	if unsigned := (*unsignedError)(nil); err != nil && !errors.As(err, &unsigned) {
		err = &damageError{path, err}
	}
	return d, signer, err
}

// fetch gets what a key has, verified.
func (c *client) fetch(ctx context.Context, kind cache.Kind, key cache.Key) (*cache.Parcel, error) {
	d, signer, err := c.document(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	p := &cache.Parcel{
		Kind: kind, Key: key, Place: d.Place, Body: d.Body, From: &cache.Origin{URL: c.URL.String(), Signer: signer},
		Files: make([]cache.ParcelFile, len(d.Files)),
	}
	var total int64
	for _, f := range d.Files {
		if total += f.Size; f.Size < 0 || total < 0 || total > maxFiles {
			return nil, &damageError{acPath(actionKey(kind, key)), errors.New("it names files that are too large")}
		}
	}
	errs := make([]error, len(d.Files))
	var wg sync.WaitGroup
	for i, f := range d.Files {
		wg.Go(func() {
			data, err := f.Data, error(nil)
			if f.stored() {
				data, err = c.do(ctx, http.MethodGet, casPath(f.SHA256), nil, f.Size)
			}
			if err == nil && (int64(len(data)) != f.Size || sha256.Sum256(data) != f.SHA256) {
				err = &damageError{casPath(f.SHA256), errors.New("its SHA-256 is not what was written")}
			}
			p.Files[i], errs[i] = cache.ParcelFile{Name: f.Name, Data: data}, err
		})
	}
	wg.Wait()
	return p, firstError(errs)
}

// firstError is the worst of several errors: one that says more than that something is missing.
func firstError(errs []error) (err error) {
	for _, e := range errs {
		if e != nil && (err == nil || errors.Is(err, errMissing)) {
			err = e
		}
	}
	return err
}

// documentOf describes a parcel.
func documentOf(p *cache.Parcel) *document {
	d := &document{Kind: p.Kind, Key: p.Key, Place: p.Place, Body: p.Body}
	for _, f := range p.Files {
		ref := fileRef{Name: f.Name, Size: int64(len(f.Data)), SHA256: sha256.Sum256(f.Data)}
		if !ref.stored() {
			ref.Data = f.Data
		}
		d.Files = append(d.Files, ref)
	}
	return d
}

// store uploads a parcel: first the files that are entries of their own, so that whoever sees the entry finds them.
func (c *client) store(ctx context.Context, p *cache.Parcel) error {
	d := documentOf(p)
	for i, f := range d.Files {
		if !f.stored() {
			continue
		}
		if err := c.put(ctx, casPath(f.SHA256), p.Files[i].Data); err != nil {
			return err
		}
	}
	text, err := c.Keys.seal(d)
	if err != nil {
		return err
	}
	return c.put(ctx, acPath(actionKey(p.Kind, p.Key)), action(text, d.Files))
}

// putTime bounds one upload, which nobody waits for.
const putTime = 30 * time.Second

func (c *client) put(ctx context.Context, path string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, putTime)
	defer cancel()
	_, err := c.do(ctx, http.MethodPut, path, data, maxDocument)
	if errors.Is(err, errMissing) {
		return &statusError{http.MethodPut, http.StatusNotFound}
	}
	return err
}

// has reports whether the remote has the very same parcel.
func (c *client) has(ctx context.Context, p *cache.Parcel) bool {
	there, _, err := c.document(ctx, p.Kind, p.Key)
	if err != nil || !sameDocument(&there, documentOf(p)) {
		return false
	}
	for _, f := range there.Files {
		if !f.stored() {
			continue
		}
		if _, err := c.do(ctx, http.MethodHead, casPath(f.SHA256), nil, 0); err != nil {
			return false
		}
	}
	return true
}

// sameDocument reports whether two documents say the same about the same files.
func sameDocument(a, b *document) bool {
	if len(a.Files) != len(b.Files) || !bytes.Equal(compact(a.Body), compact(b.Body)) {
		return false
	}
	for i := range a.Files {
		if f, o := a.Files[i], b.Files[i]; f.Name != o.Name || f.SHA256 != o.SHA256 || f.Size != o.Size {
			return false
		}
	}
	return true
}
