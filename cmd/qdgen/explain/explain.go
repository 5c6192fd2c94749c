package explain

import "context"

// Gather gathers what is known of some kernels. What is wrong with one of them is in its Error.
func Gather(ctx context.Context, label string, specs []Spec, t *Tools) *Model {
	m := &Model{Label: label}
	f := newFiles()
	work := new(jobs)
	for _, s := range specs {
		m.Kernels = append(m.Kernels, gather(ctx, s, t, f, work))
	}
	t.Clock.Lap(Stages)
	work.run()
	t.Clock.Lap(Compilers)
	work.read()
	for _, k := range m.Kernels {
		f.use(k.Pos)
		for _, v := range k.Views {
			for _, l := range v.Lines {
				f.use(l.Go)
				for _, at := range l.Via {
					f.use(at)
				}
			}
		}
		k.Remarks = merged(k.Remarks)
		for _, list := range [][]Remark{k.Remarks, k.Checks} {
			for _, r := range list {
				f.use(r.Pos)
			}
		}
	}
	m.Files = f.list()
	t.Clock.Lap(Reading)
	return m
}

// merged are remarks of which those that say the same of one place are one: about an operation that became several, or
// on the ways to several targets.
func merged(list []Remark) (kept []Remark) {
	at := make(map[Remark]int)
	for _, r := range list {
		id := r
		id.On = ""
		i, ok := at[id]
		switch {
		case !ok:
			at[id] = len(kept)
			kept = append(kept, r)
		case kept[i].On != r.On:
			kept[i].On = ""
		}
	}
	return kept
}
