package tune

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/qdgen/qd/cache"
)

// A table has what was measured for a key of a kernel on a device. It is kept in the cache.
type table struct {
	Kernel string `json:"kernel"` // with its package
	Device string `json:"device"`
	About  string `json:"about"` // which device that is: compiler, architecture, driver
	Key    string `json:"key"`
	Rows   []*row `json:"rows"`
}

// A row is a configuration of a table.
type row struct {
	Config  string        `json:"config"`
	Code    cache.Key     `json:"code"`              // of the kernel that was measured
	Time    time.Duration `json:"time_ns,omitempty"` // the median of the runs
	Runs    int           `json:"runs,omitempty"`
	Skipped string        `json:"skipped,omitempty"` // why the configuration cannot be used
	Launch  string        `json:"launch"`            // its size and that of blocks

	// Whether the results were compared with those of the first configuration that runs, how much they might differ, and
	// what tells the launch of that one apart from others.
	Verified  bool      `json:"verified,omitempty"`
	Within    float64   `json:"within,omitempty"`
	Reference cache.Key `json:"reference,omitzero"`

	Failed bool      `json:"failed,omitempty"` // whether a trial failed, so that there are no results
	When   time.Time `json:"when"`

	err     error // behind Skipped, in the process that has found it
	passing bool  // Skipped may be so in this process only: the row is not kept
}

// note is where a table is kept.
func (t *table) note() cache.Key {
	return cache.NewKey("tuned", []byte(t.Kernel), []byte(t.Device), []byte(t.About), []byte(t.Key))
}

// find is the row of a configuration, nil if there is none.
func (t *table) find(config string) *row {
	if i := slices.IndexFunc(t.Rows, func(r *row) bool { return r.Config == config }); i >= 0 {
		return t.Rows[i]
	}
	return nil
}

// set sets the row of a configuration. Rows of configurations that this program does not have stay: another one may.
func (t *table) set(r *row) {
	if old := t.find(r.Config); old != nil {
		*old = *r
		return
	}
	t.Rows = append(t.Rows, r)
}

// add adds the rows of another table, in the place of older ones.
func (t *table) add(o *table) {
	for _, r := range o.Rows {
		if old := t.find(r.Config); old == nil || !r.When.Before(old.When) {
			t.set(r)
		}
	}
}

// best is the fastest row of several, nil if none can be used.
func best(rows []*row) (b *row) {
	for _, r := range rows {
		if r.Skipped == "" && (b == nil || r.Time < b.Time) {
			b = r
		}
	}
	return b
}

// parseTable reads a note; what is none of this version's is an empty table.
func parseTable(note json.RawMessage) (t table) {
	if note != nil && (json.Unmarshal(note, &t) != nil || slices.Contains(t.Rows, nil)) {
		return table{}
	}
	return t
}

// A Row is a configuration in a list of tables, with its place among the fastest.
type Row struct {
	Config  string        `json:"config"`
	Time    time.Duration `json:"time_ns"` // the median of the runs, 0 if it was not measured
	Runs    int           `json:"runs"`
	Best    bool          `json:"best"`
	Skipped string        `json:"skipped,omitempty"`
	When    time.Time     `json:"when"`
}

// A Listed is a table in a list.
type Listed struct {
	Kernel string `json:"kernel"`
	Device string `json:"device"`
	About  string `json:"about"`
	Key    string `json:"key"`
	Rows   []Row  `json:"rows"` // the fastest first, then those that were left out
}

// List returns the tables that a cache has, by kernel, device and key.
func List(c *cache.Cache) ([]Listed, error) {
	notes, err := c.Notes()
	if err != nil {
		return nil, err
	}
	list := []Listed{}
	for _, note := range notes {
		t := parseTable(note)
		if t.Kernel == "" {
			continue
		}
		l := Listed{t.Kernel, t.Device, t.About, t.Key, nil}
		b := best(t.Rows)
		for _, r := range t.Rows {
			l.Rows = append(l.Rows, Row{r.Config, r.Time, r.Runs, r == b, r.Skipped, r.When})
		}
		slices.SortStableFunc(l.Rows, func(a, b Row) int {
			switch {
			case (a.Skipped == "") != (b.Skipped == ""):
				if a.Skipped == "" {
					return -1
				}
				return 1
			case a.Time < b.Time:
				return -1
			case a.Time > b.Time:
				return 1
			}
			return 0
		})
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b Listed) int {
		for _, pair := range [][2]string{{a.Kernel, b.Kernel}, {a.Device, b.Device}, {a.Key, b.Key}} {
			if pair[0] != pair[1] {
				if pair[0] < pair[1] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	return list, nil
}
