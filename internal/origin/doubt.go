package origin

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/reread"
)

// A doubt is a reason why a file may not be what the program was built from. Without a reason there is none.
type doubt struct {
	file    load.File
	info    os.FileInfo
	reason  string
	certain bool // something has happened to the file since: only its content can prove it
}

// buildTime is how long before the compilation of the main package a file of the program may have been
// compiled, or read for that: one that was saved since then may have been saved in between.
const buildTime = time.Hour

// doubt says what the times of a file and of what leads to it make doubtful.
func (p *Program) doubt(f load.File, info os.FileInfo) doubt {
	d := doubt{file: f, info: info}
	mark, built := p.built, p.built
	switch {
	case !p.begun.IsZero():
		mark, built = p.begun, p.begun
	case !p.compiled.IsZero() && p.compiled.Before(p.built):
		mark = p.compiled // the program may have been copied since
	}
	after := fmt.Sprintf("after the program was built (%s)", clock(built))
	if !p.begun.IsZero() {
		after = fmt.Sprintf("after the go command that built the program began (%s)", clock(p.begun))
	} else if mark != built {
		after = fmt.Sprintf("after the program was compiled (%s)", clock(mark))
	}
	// later reports whether something has happened after the mark. What was unpacked or copied together
	// with the program, before it, was there first.
	later := func(t time.Time) bool {
		return !t.Before(mark) && (mark != p.built || !t.Before(p.put))
	}
	changed := reread.LastChange(info)
	switch {
	case !info.ModTime().Before(mark):
		d.reason, d.certain = fmt.Sprintf("the file was changed at %s, %s", clock(info.ModTime()), after), true
	case later(changed):
		d.reason, d.certain = fmt.Sprintf("the file was changed at %s, %s", clock(changed), after), true
	default:
		d.reason, d.certain = doubtOfPath(f.Name, later, after)
		if !d.certain && p.begun.IsZero() && !p.compiled.IsZero() && !changed.Before(p.compiled.Add(-buildTime)) {
			d.reason = fmt.Sprintf("the file was changed at %s, perhaps during the build of the program (%s)", clock(changed), clock(built))
		}
	}
	return d
}

// doubtOfPath says what the times of links and directories on the way to a file make doubtful.
func doubtOfPath(name string, later func(time.Time) bool, after string) (reason string, certain bool) {
	inModule := true
	for path := name; filepath.Dir(path) != path; path = filepath.Dir(path) {
		l, err := os.Lstat(path)
		if err != nil || path == name && l.Mode().IsRegular() {
			continue
		}
		changed := reread.LastChange(l)
		switch {
		case !later(changed):
		case l.Mode()&os.ModeSymlink != 0:
			return fmt.Sprintf("%s, which leads to the file, was changed at %s, %s", path, clock(changed), after), true
		case !changed.Equal(l.ModTime()) && reason == "":
			// Whatever is made or removed in a directory changes both of its times, a new name one. So does
			// chmod, so that this alone is no reason to refuse.
			reason = fmt.Sprintf("the directory %s was moved, replaced or changed at %s, %s", path, clock(changed), after)
		case inModule && reason == "":
			reason = fmt.Sprintf("a file was created or removed in the directory %s at %s, %s", path, clock(changed), after)
		}
		if _, err := os.Lstat(filepath.Join(path, "go.mod")); err == nil {
			inModule = false
		}
	}
	return reason, false
}
