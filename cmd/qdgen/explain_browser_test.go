package main

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/chromium"
)

// The page in a real browser: what people do with it. One browser does all of it, with two pages.
func TestExplainInBrowser(t *testing.T) {
	b, err := chromium.Start(t.Context())
	if err == chromium.ErrMissing {
		t.Skip(err) // scripts/setup.sh installs one where it can
	}
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	dir := revisions(t)
	one, two := filepath.Join(dir, "one.html"), filepath.Join(dir, "two.html")
	r := qdgen(t, dir, inModule, "explain", "--const", "n=3", "-o", one)
	r.want(t, 0, nil, nil)
	r = qdgen(t, dir, inModule, "explain", "--kernel", "walk", "--against", "HEAD", "-o", two, dir) // a directory of the repository, which stands for the revision's
	r.want(t, 0, nil, nil)
	p := &browsed{t, b, t.TempDir()}
	if shots := os.Getenv("QD_SCREENSHOTS"); shots != "" { // for people who look at them
		p.shots = shots
		p.do(os.MkdirAll(shots, 0o777))
	}
	p.do(b.Size(1400, 900, false))
	p.do(b.Scheme("light"))
	p.open(one, "")
	p.lights()
	p.links(one)
	p.stages()
	p.keys()
	p.themes()
	p.tables()
	p.kernels()
	p.phone()
	p.versions(two)
	for _, fault := range b.Faults() {
		t.Error(fault)
	}
}

// browsed is a page in a browser.
type browsed struct {
	*testing.T
	b     *chromium.Browser
	shots string
}

func (p *browsed) do(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// open opens a page.
func (p *browsed) open(file, hash string) {
	p.Helper()
	// Another page in between: a link into the page that is open loads nothing.
	p.do(p.b.Open("about:blank", "location.href === 'about:blank'"))
	p.do(p.b.Open((&url.URL{Scheme: "file", Path: file}).String()+hash, "document.documentElement.dataset.ready"))
}

// is evaluates a script that must give true.
func (p *browsed) is(script string) {
	p.Helper()
	var ok bool
	if err := p.b.Eval("!!("+script+")", &ok); err != nil || !ok {
		p.Errorf("not so: %s (%v)", script, err)
		p.shot("failed")
	}
}

// shot takes a picture.
func (p *browsed) shot(name string) {
	p.Helper()
	png, err := p.b.Screenshot()
	p.do(err)
	if len(png) < 5000 {
		p.Errorf("the picture %s has %d bytes", name, len(png))
	}
	p.do(os.WriteFile(filepath.Join(p.shots, name+".png"), png, 0o666))
}

// rowOf is a script for the first row of a pane that has a text.
func rowOf(pane, text string) string {
	return "[...document.querySelectorAll('#pane-" + pane + " .row')].find(r => r.querySelector('span').textContent.includes('" + text + "'))"
}

// Pointing at a line lights up what it came from and what it became; a click keeps it.
func (p *browsed) lights() {
	p.do(p.b.Click("document.querySelector('#pane-a [data-group=cpp]')"))
	p.do(p.b.Hover(rowOf("go", "x[i] * scale")))
	p.is(rowOf("a", "kernels.go:15: sum += x[i] * scale") + ".matches('.exact, .lit')")
	p.is(rowOf("go", "x[i] * scale") + ".classList.contains('exact')")
	p.is("!" + rowOf("a", "kernels.go:23: sum += x[at[i]]") + ".matches('.exact, .lit')")
	// The other way.
	p.do(p.b.Hover(rowOf("a", "kernels.go:24: y[i] = sum")))
	p.is(rowOf("go", "y[i] = sum") + ".classList.contains('exact')")
	p.is("!" + rowOf("go", "x[i] * scale") + ".matches('.exact, .lit')")
	// A line of assembly and the line of C++ above it.
	p.do(p.b.Click("document.getElementById('split')"))
	p.do(p.b.Click("document.querySelector('#pane-b [data-group=asm]')"))
	p.do(p.b.Click(rowOf("go", "x[i] * scale")))
	p.is("document.querySelectorAll('#pane-b .lit, #pane-b .exact').length > 0")
	p.is("document.querySelector('#pane-b .text').scrollTop > 0")
	p.do(p.b.Hover("document.querySelector('#pane-b .lit, #pane-b .exact')"))
	p.is("document.querySelector('#pane-a .exact').textContent.includes('x[i]') || document.querySelector('#pane-a .exact')")
	// What stands behind a line of Go hides nothing of it.
	p.is("[...document.querySelectorAll('#pane-go .row em')].every(e => e.getBoundingClientRect().left >= e.previousElementSibling.getBoundingClientRect().right || e.offsetWidth === 0)")
	// What is said of the line.
	p.is("document.getElementById('card').textContent.includes('contiguous')")
	p.shot("lit")
	p.do(p.b.Press("Escape"))
	p.is("document.getElementById('card').hidden && document.querySelectorAll('.exact, .lit').length === 0")
	p.do(p.b.Click("document.getElementById('split')"))
}

// A link names a line: it is in the address after a click, and leads there.
func (p *browsed) links(file string) {
	p.do(p.b.Click(rowOf("a", "kernels.go:24: y[i] = sum")))
	var hash string
	p.do(p.b.Eval("location.hash", &hash))
	p.open(file, hash)
	p.is("page.kernel === 0 && panes.a.id === 'cpp'")
	p.is(rowOf("a", "kernels.go:24: y[i] = sum") + ".classList.contains('here')")
	p.is("(() => { const r = " + rowOf("a", "kernels.go:24: y[i] = sum") + ".getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; })()")
	p.is(rowOf("go", "y[i] = sum") + ".classList.contains('exact')")
	p.do(p.b.Click("document.querySelector('#pane-go .row[data-i=\"14\"] a')"))
	p.is("location.hash.includes('go:kernels.go%3A15')")
}

// What a stage has changed is marked, and those that have changed nothing are passed over.
func (p *browsed) stages() {
	p.do(p.b.Click("document.querySelector('#pane-a [data-group=cpu]')"))
	p.is("panes.a.view.id === 'cpu/optimize'")
	p.do(p.b.Eval("panes.a.show('cpu/widen')", nil))
	p.is("document.querySelectorAll('#pane-a .row.add').length > 10")
	p.shot("stage")
	p.do(p.b.Click("document.querySelector('#pane-a input.marked')"))
	p.is("document.querySelectorAll('#pane-a .row.add').length === 0 && document.querySelectorAll('#pane-a .row').length > 10")
	p.do(p.b.Click("document.querySelector('#pane-a input.marked')"))
	p.do(p.b.Press("["))
	p.is("panes.a.view.id !== 'cpu/widen' && !panes.a.view.same")
}

// Everything can be done by keys.
func (p *browsed) keys() {
	p.do(p.b.Press("2"))
	p.is("panes.a.id === 'cpp'")
	p.do(p.b.Press("h"))
	p.is("active === panes.go")
	for range 3 {
		p.do(p.b.Press("j"))
	}
	p.is("panes.go.here >= 0 && document.querySelector('#pane-go .here')")
	p.do(p.b.Press("k"))
	p.do(p.b.Press("Enter"))
	p.is("pinned.pane === panes.go && location.hash.includes('/go:')")
	p.do(p.b.Press("s"))
	p.is("!panes.b.hidden")
	p.do(p.b.Press("s"))
	p.do(p.b.Press("?"))
	p.is("document.getElementById('keys').open")
	p.do(p.b.Eval("document.getElementById('keys').close()", nil))
	p.do(p.b.Press("Escape"))
	p.is("pinned.pane === null")
}

// Light and dark: as the system prefers, or as the button says.
func (p *browsed) themes() {
	const ground = "getComputedStyle(document.body).backgroundColor"
	p.is(ground + " === 'rgb(255, 255, 255)'")
	p.do(p.b.Scheme("dark"))
	p.is(ground + " !== 'rgb(255, 255, 255)'")
	p.shot("dark")
	p.do(p.b.Press("t"))
	p.is(ground + " === 'rgb(255, 255, 255)'")
	p.do(p.b.Scheme("light"))
	p.do(p.b.Press("t"))
	p.is(ground + " !== 'rgb(255, 255, 255)'")
	p.do(p.b.Press("t"))
}

// The tables, whose places are links.
func (p *browsed) tables() {
	for _, tt := range []struct{ group, text string }{
		{"facts", "interleaved"}, {"remarks", "in the lanes of vectors"}, {"checks", "the launch answers it once"}, {"cost", "registers"}, {"cache", "widen"},
	} {
		p.do(p.b.Click("document.querySelector('#pane-a [data-group=" + tt.group + "]')"))
		p.is("document.querySelector('#pane-a .tables').textContent.includes('" + tt.text + "')")
		p.shot(tt.group)
	}
	p.do(p.b.Click("document.querySelector('#pane-a [data-group=remarks]')"))
	p.do(p.b.Click("[...document.querySelectorAll('#pane-a a[data-place]')].find(a => a.textContent === 'kernels.go:20')"))
	p.is(rowOf("go", "range 4") + ".classList.contains('exact')")
}

// Another kernel, with a value that the command line gives.
func (p *browsed) kernels() {
	p.do(p.b.Eval("document.getElementById('kernel').selectedIndex = 1; document.getElementById('kernel').dispatchEvent(new Event('change'))", nil))
	p.is("panes.a.kernel.title === 'scaled (n=3)'")
	p.do(p.b.Press("2"))
	// A statement of two lines is lit as one.
	p.do(p.b.Hover(rowOf("go", "float32(n.V)")))
	p.is(rowOf("a", "x[i] = x[i] *") + ".matches('.exact, .lit')")
	p.do(p.b.Eval("setKernel(0)", nil))
}

// On a phone nothing is wider than the screen, and all of it can be reached.
func (p *browsed) phone() {
	p.do(p.b.Size(390, 800, true))
	p.do(p.b.Press("2"))
	p.is("document.documentElement.scrollWidth <= innerWidth")
	p.is("document.querySelector('#pane-go .text').clientHeight > 150 && document.querySelector('#pane-a .text').clientHeight > 150")
	p.do(p.b.Click(rowOf("go", "x[i] * scale")))
	p.is("(() => { const r = document.querySelector('#pane-a .exact, #pane-a .lit').getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; })()")
	p.shot("phone")
	p.do(p.b.Click("document.querySelector('#pane-a [data-group=remarks]')"))
	p.is("(() => { const b = document.querySelector('#pane-a .tables'); return b.querySelector('.prose') && b.scrollWidth <= b.clientWidth; })()")
	p.shot("phone-remarks")
	p.do(p.b.Size(1400, 900, false))
}

// Two versions beside each other.
func (p *browsed) versions(file string) {
	p.open(file, "")
	p.is("page.version === 1 && D.versions.map(v => v.label).join() === 'HEAD,this directory'")
	p.do(p.b.Click("document.querySelector('#pane-a [data-group=changes]')"))
	p.is("document.querySelector('#pane-a .tables').textContent.includes('another one')")
	p.shot("changes")
	p.do(p.b.Click("[...document.querySelectorAll('#pane-a a[data-view]')].find(a => a.dataset.view === 'cpp')"))
	p.is("page.version === 'both' && !panes.b.hidden && panes.b.id === 'cpp'")
	p.is("document.querySelector('#pane-a .row.del') && document.querySelector('#pane-b .row.add') && !document.querySelector('#pane-a .row.add')")
	var rows []int
	p.do(p.b.Eval("[panes.a, panes.b].map(p => p.body.querySelectorAll('.row').length)", &rows))
	if len(rows) != 2 || rows[0] != rows[1] {
		p.Errorf("%v rows beside each other", rows)
	}
	p.is(rowOf("go", "2 * float32(k)") + ".classList.contains('add')")
	p.shot("both")
	kinds := []string{}
	p.do(p.b.Eval("diff([1,2,3,4,5,6,7], [1,3,9,4,5,7,8]).map(r => r[0] + r.slice(1).join())", &kinds))
	if want := []string{" 0,1,0,1", "-1,2,1,1", " 2,3,1,2", "+3,3,2,3", " 3,5,3,5", "-5,6,5,5", " 6,7,5,6", "+7,7,6,7"}; !slices.Equal(kinds, want) {
		p.Errorf("%q, want %q", kinds, want)
	}
	// What one version alone has is named as its tab is, and why the other does not have it.
	p.do(p.b.Eval("(() => { const [a, b] = [kernelOf(0), kernelOf(1)]; a.byID.delete('cuda/fit'); b.byID.delete('cuda/hoist'); a.views.find(v => v.group === 'cu').missing = 'too large'; panes.a.show('changes'); })()", nil))
	for _, row := range []string{"SSA cuda: fit*only in this directory", "SSA cuda: hoist*only in HEAD", "CUDA*not in HEAD: too large"} {
		name, why, _ := strings.Cut(row, "*")
		p.is("[...document.querySelectorAll('#pane-a .tables tr')].some(r => r.cells[0].textContent === '" + name + "' && r.textContent.includes('" + why + "'))")
	}
}
