package explain

import "context"

// Gather gathers what is known of some kernels. What is wrong with one of them is in its Error.
func Gather(ctx context.Context, label string, specs []Spec, t *Tools) *Model {
	m := &Model{Label: label}
	f := newFiles()
	for _, s := range specs {
		m.Kernels = append(m.Kernels, gather(ctx, s, t, f))
	}
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
		for _, list := range [][]Remark{k.Remarks, k.Checks} {
			for _, r := range list {
				f.use(r.Pos)
			}
		}
	}
	m.Files = f.list()
	return m
}
