package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/qdgen/qd/cache"
)

// A cache that speaks HTTP cannot be asked what it has. So push keeps a list there, as one more
// entry, and pull and verify go by it.

const (
	kindList cache.Kind = "list"

	listLife = 30 * 24 * time.Hour // what nobody has pushed for so long leaves the list
	maxList  = 20_000
)

// A listed is a line of the list.
type listed struct {
	Kind   cache.Kind `json:"kind"`
	Key    cache.Key  `json:"key"`
	Pushed time.Time  `json:"pushed"`
}

// listKey is the key of the list with a name.
func listKey(name string) cache.Key { return cache.NewKey("list", []byte(name)) }

// A Store is a remote cache in the hands of a tool: it has time, and tells all errors.
type Store struct {
	client *client
	local  *cache.Cache
}

// NewStore is the remote cache of a configuration.
func NewStore(local *cache.Cache, config *Config) *Store {
	return &Store{newClient(config), local}
}

// URL is the address of the remote.
func (s *Store) URL() string { return s.client.URL.String() }

// Ping asks the remote for something that it need not have.
func (s *Store) Ping(ctx context.Context) error {
	_, _, err := s.client.document(ctx, kindList, listKey("main"))
	if errors.Is(err, errMissing) {
		return nil
	}
	return err
}

// readList reads the list with a name. One that is not there is empty.
func (s *Store) readList(ctx context.Context, name string) (list []listed, err error) {
	p, err := s.client.fetch(ctx, kindList, listKey(name))
	if errors.Is(err, errMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the list %q: %w", name, err)
	}
	if len(p.Files) != 1 {
		return nil, fmt.Errorf("the list %q cannot be read", name)
	}
	return list, json.Unmarshal(p.Files[0].Data, &list)
}

// writeList adds lines to the list with a name. Two that do so at the same moment may lose lines of
// one of them: its next push has them again.
func (s *Store) writeList(ctx context.Context, name string, added []listed) error {
	old, err := s.readList(ctx, name)
	if unsigned := (*unsignedError)(nil); err != nil && !errors.As(err, &unsigned) && !errors.As(err, new(*damageError)) {
		return err
	}
	list := slices.Clone(added)
	seen := map[cache.Name]bool{}
	for _, l := range added {
		seen[cache.Name{Kind: l.Kind, Key: l.Key}] = true
	}
	for _, l := range old {
		if !seen[cache.Name{Kind: l.Kind, Key: l.Key}] && time.Since(l.Pushed) < listLife {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b listed) int { return b.Pushed.Compare(a.Pushed) })
	list = list[:min(len(list), maxList)]
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	key := listKey(name)
	return s.client.store(ctx, &cache.Parcel{
		Kind: kindList, Key: key, Place: key, Body: json.RawMessage(`{}`),
		Files: []cache.ParcelFile{{Name: "list.json", Data: data}},
	})
}

// each calls f for the numbers below n, several at once, and joins the errors, of which there are
// not more than a few.
func each(ctx context.Context, n int, f func(i int) error) error {
	const atOnce, most = 8, 5
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	next := make(chan int)
	for range min(atOnce, n) {
		wg.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	for i := range n {
		mu.Lock()
		enough := len(errs) >= most || ctx.Err() != nil
		mu.Unlock()
		if enough {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return cmp.Or(errors.Join(errs...), ctx.Err())
}

// Pushed is what Push has done.
type Pushed struct {
	Uploaded int `json:"uploaded"`
	There    int `json:"there"` // what the remote had
	Listed   int `json:"listed"`
}

// Push uploads what the local cache has and the remote has not, and adds all of it to the list with
// a name.
func (s *Store) Push(ctx context.Context, list string) (done Pushed, err error) {
	if s.client.ReadOnly {
		if s.client.Keys != nil && !s.client.Keys.CanSign() {
			return done, errors.New("QD_CACHE_KEY has no private key, and nobody would load what is not signed")
		}
		return done, errors.New("QD_CACHE_REMOTE_MODE=read: nothing is uploaded")
	}
	names, err := s.local.Names()
	if err != nil {
		return done, err
	}
	var mu sync.Mutex
	var lines []listed
	now := time.Now().UTC().Round(time.Second)
	err = each(ctx, len(names), func(i int) error {
		p, err := s.local.Pack(names[i])
		if err != nil {
			return nil // nothing that others can use, or gone
		}
		there := s.client.has(ctx, p)
		if !there {
			if err := s.client.store(ctx, p); err != nil {
				return fmt.Errorf("%s %s: %w", p.Kind, p.Key.Short(), err)
			}
		}
		unmark(s.local, names[i])
		mu.Lock()
		defer mu.Unlock()
		if there {
			done.There++
		} else {
			done.Uploaded++
		}
		lines = append(lines, listed{p.Kind, p.Key, now})
		return nil
	})
	if len(lines) == 0 {
		return done, err
	}
	done.Listed = len(lines)
	return done, errors.Join(err, s.writeList(ctx, list, lines))
}

// Pulled is what Pull has done.
type Pulled struct {
	Downloaded int `json:"downloaded"`
	Here       int `json:"here"`    // what the local cache had
	Missing    int `json:"missing"` // what the remote has no more
}

// Pull downloads what a list has and the local cache has not.
func (s *Store) Pull(ctx context.Context, list string) (done Pulled, err error) {
	if err := s.local.Disabled(); err != nil {
		return done, err
	}
	lines, err := s.readList(ctx, list)
	if err != nil {
		return done, err
	}
	names, err := s.local.Names()
	if err != nil {
		return done, err
	}
	here := map[cache.Name]bool{}
	for _, n := range names {
		if p, err := s.local.Pack(n); err == nil {
			here[cache.Name{Kind: p.Kind, Key: p.Key}] = true
		}
	}
	var mu sync.Mutex
	err = each(ctx, len(lines), func(i int) error {
		l := lines[i]
		count := &done.Here
		if !here[cache.Name{Kind: l.Kind, Key: l.Key}] {
			p, err := s.client.fetch(ctx, l.Kind, l.Key)
			switch {
			case errors.Is(err, errMissing):
				count = &done.Missing
			case err != nil:
				return fmt.Errorf("%s %s: %w", l.Kind, l.Key.Short(), err)
			default:
				if err := s.local.Unpack(p); err != nil {
					return err
				}
				count = &done.Downloaded
			}
		}
		mu.Lock()
		defer mu.Unlock()
		*count++
		return nil
	})
	return done, err
}

// A Problem is an entry of a remote cache that is not what was written.
type Problem struct {
	Kind    cache.Kind `json:"kind"`
	Key     cache.Key  `json:"key"`
	Problem string     `json:"problem"`
}

// Verified is what Verify has found.
type Verified struct {
	Whole    int       `json:"whole"`   // entries that are whole and, if that matters, signed
	Missing  int       `json:"missing"` // entries of the list that the remote has no more
	Problems []Problem `json:"problems"`
}

// Verify reads from the remote what a list and the local cache have, and checks digests and
// signatures. The error is that of a remote that cannot be read.
func (s *Store) Verify(ctx context.Context, list string) (done Verified, err error) {
	done.Problems = []Problem{}
	lines, err := s.readList(ctx, list)
	if errors.As(err, new(*damageError)) || errors.As(err, new(*unsignedError)) {
		done.Problems = append(done.Problems, Problem{kindList, listKey(list), err.Error()})
	} else if err != nil {
		return done, err
	}
	names, err := s.local.Names()
	if err != nil {
		return done, err
	}
	inList := map[cache.Name]bool{}
	for _, l := range lines {
		inList[cache.Name{Kind: l.Kind, Key: l.Key}] = true
	}
	for _, n := range names {
		if p, err := s.local.Pack(n); err == nil && !inList[cache.Name{Kind: p.Kind, Key: p.Key}] {
			lines = append(lines, listed{Kind: p.Kind, Key: p.Key})
		}
	}
	var mu sync.Mutex
	err = each(ctx, len(lines), func(i int) error {
		l := lines[i]
		_, err := s.client.fetch(ctx, l.Kind, l.Key)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			done.Whole++
		case errors.Is(err, errMissing):
			if inList[cache.Name{Kind: l.Kind, Key: l.Key}] {
				done.Missing++
			}
		case errors.As(err, new(*damageError)), errors.As(err, new(*unsignedError)):
			done.Problems = append(done.Problems, Problem{l.Kind, l.Key, err.Error()})
		default:
			return fmt.Errorf("%s %s: %w", l.Kind, l.Key.Short(), err)
		}
		return nil
	})
	slices.SortFunc(done.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	return done, err
}
