package explain

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed assets
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "assets/page.html"))

// scripts are the parts of the page's script, in order.
var scripts = []string{"diff.js", "model.js", "pane.js", "tables.js", "page.js"}

// Page writes the page of one version of some kernels, or of two versions beside each other.
func Page(w io.Writer, title, command string, versions ...*Model) error {
	p := &packer{ids: make(map[packedLine]int), pos: make(map[packedPlace]int), keys: make(map[packedLine]int), langs: make(map[string][]int)}
	data := packed{Title: title, Command: command}
	for _, m := range versions {
		data.Versions = append(data.Versions, p.model(m))
	}
	data.Lines, data.Keys, data.Places = p.html(), p.lineKeys, p.places
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	style, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return err
	}
	var script strings.Builder
	for _, name := range scripts {
		part, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		script.Write(part)
	}
	return pageTemplate.Execute(w, map[string]any{
		"Title":   title,
		"Command": command,
		"Style":   template.CSS(style),
		"Script":  template.JS("'use strict';\n" + script.String()),
		"Data":    template.HTML(base64.StdEncoding.EncodeToString(zipped.Bytes())),
	})
}

// A packed is what the page's script reads: each line of text and each place once, and numbers of them elsewhere.
type packed struct {
	Title    string          `json:"title"`
	Command  string          `json:"command"`
	Lines    []string        `json:"lines"`  // as HTML
	Keys     []int           `json:"keys"`   // of lines: equal for those that differ in nothing but Go's lines
	Places   [][2]any        `json:"places"` // of Go: the file and the line
	Versions []packedVersion `json:"versions"`
}

type packedVersion struct {
	Label   string         `json:"label"`
	Files   []packedFile   `json:"files"`
	Kernels []packedKernel `json:"kernels"`
}

type packedFile struct {
	Name  string       `json:"name"`
	Parts []packedPart `json:"parts"`
}

type packedPart struct {
	From  int   `json:"from"`
	Lines []int `json:"lines"`
	Heads []int `json:"heads"`
}

type packedKernel struct {
	*Kernel
	Views []packedView `json:"views"`
}

type packedView struct {
	*View
	Lines []int   `json:"lines"`
	Go    []int   `json:"go"`            // places, -1 for none
	Via   [][]int `json:"via,omitempty"` // places, by line
	Ups   []int   `json:"ups"`
}

// A packer numbers lines and places.
type packer struct {
	ids      map[packedLine]int
	texts    []string
	made     []string         // the lines as HTML
	langs    map[string][]int // lines without colours, by language
	keys     map[packedLine]int
	lineKeys []int
	pos      map[packedPlace]int
	places   [][2]any
}

// A packedLine is a line of a language, with its colours where they are given.
type packedLine struct{ lang, text, made string }

type packedPlace struct {
	file string
	line int
}

// place of a comment, which differs between versions of a source that differ elsewhere.
var goPlace = regexp.MustCompile(`\b[\w.-]+\.go:\d+`)

// line is the number of a line of a language. Its colours are made later, with those of all others, unless they are
// given.
func (p *packer) line(lang, text, made string) int {
	id := packedLine{lang, text, made}
	if n, ok := p.ids[id]; ok {
		return n
	}
	n := len(p.texts)
	p.ids[id] = n
	p.texts = append(p.texts, text)
	p.made = append(p.made, made)
	if made == "" {
		p.langs[lang] = append(p.langs[lang], n)
	}
	if strings.Contains(text, ".go:") {
		text = goPlace.ReplaceAllString(text, "")
	}
	key := packedLine{lang: lang, text: strings.TrimSpace(text)}
	if _, ok := p.keys[key]; !ok {
		p.keys[key] = len(p.keys)
	}
	p.lineKeys = append(p.lineKeys, p.keys[key])
	return n
}

func (p *packer) place(at Pos) int {
	if at.File == "" {
		return -1
	}
	id := packedPlace{at.File, at.Line}
	if n, ok := p.pos[id]; ok {
		return n
	}
	n := len(p.places)
	p.pos[id] = n
	p.places = append(p.places, [2]any{at.File, at.Line})
	return n
}

func (p *packer) model(m *Model) packedVersion {
	v := packedVersion{Label: m.Label}
	for _, f := range m.Files {
		pf := packedFile{Name: f.Name}
		for _, part := range f.Parts {
			pp := packedPart{From: part.From, Heads: part.Heads}
			made := coloured("go", part.Lines) // at once: strings and comments may be longer than a line
			for i, line := range part.Lines {
				pp.Lines = append(pp.Lines, p.line("go", line, made[i]))
			}
			pf.Parts = append(pf.Parts, pp)
		}
		v.Files = append(v.Files, pf)
	}
	for _, k := range m.Kernels {
		pk := packedKernel{Kernel: k}
		for _, view := range k.Views {
			pk.Views = append(pk.Views, p.view(view))
		}
		v.Kernels = append(v.Kernels, pk)
	}
	return v
}

func (p *packer) view(v *View) packedView {
	n := len(v.Lines)
	made := packedView{View: v, Lines: make([]int, n), Go: make([]int, n)}
	for i, l := range v.Lines {
		made.Lines[i] = p.line(v.Lang, l.Text, "")
		made.Go[i] = p.place(l.Go)
		if l.Up > 0 && made.Ups == nil {
			made.Ups = make([]int, n)
		}
		if made.Ups != nil {
			made.Ups[i] = l.Up
		}
		if len(l.Via) > 0 && made.Via == nil {
			made.Via = slices.Repeat([][]int{{}}, n)
		}
		for _, at := range l.Via {
			made.Via[i] = append(slices.Clip(made.Via[i]), p.place(at))
		}
	}
	return made
}

// html are all lines with colours. Those of a language are divided between the processor's cores.
func (p *packer) html() []string {
	const least = 200
	var wg sync.WaitGroup
	for lang, ns := range p.langs {
		for part := range slices.Chunk(ns, max(least, len(ns)/runtime.GOMAXPROCS(0)+1)) {
			wg.Go(func() {
				lines := make([]string, len(part))
				for i, n := range part {
					lines[i] = p.texts[n]
				}
				for i, text := range coloured(lang, lines) {
					p.made[part[i]] = text
				}
			})
		}
	}
	wg.Wait()
	return p.made
}
