package randprog

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// A Portable is a batch with what it takes to run its CUDA text on a machine with a GPU and without Go.
type Portable struct {
	Wide     bool   // the text is that for launches of any size
	Text     string // CUDA
	Sites    []harness.FaultSite
	Programs []PortableProgram

	// LeftOut counts the programs of the batch that are not among these, by the reason.
	LeftOut map[string]int
}

// A PortableProgram is a program of a [Portable]. The generator makes it anew from its seed.
type PortableProgram struct {
	Seed     uint64
	Features Features
	Tiles    bool
	Hash     uint64 // of the source: another generator makes another program of the seed
	Job      harness.Program
	Right    [][]string // of each launch: the outcome on device "go", and another that is right too
}

// program makes the program anew.
func (p *PortableProgram) program() (*Program, error) {
	tag := fmt.Sprint("_", p.Seed)
	var made *Program
	if p.Tiles {
		made = GenerateTiles(p.Seed, tag)
	} else {
		made = Generate(p.Seed, p.Features, tag)
	}
	if made.Name != p.Job.Name || hashOf(made.Source()) != p.Hash {
		return nil, fmt.Errorf("the generator makes another program of seed %d now: use the binary that has written the file", p.Seed)
	}
	return made, nil
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	return h.Sum64()
}

// isRight reports whether an outcome of a launch is one of those that are right.
func (p *PortableProgram) isRight(launch int, outcome string) bool {
	right := p.Right[launch]
	return slices.Contains(right, outcome) || samePlace(right[0], outcome)
}

// Reasons why programs are not in a [Portable].
const (
	isWrong  = "wrong already on the host"
	isSlow   = "slow as Go"
	isTensor = "products on tensor cores, which round in their own way"
)

// portable is what of the batch can run elsewhere. Programs with findings are left out.
func (b *batch) portable(outcomes map[string]map[string]*outcome) *Portable {
	out := &Portable{Wide: b.wide, Text: b.text, Sites: b.sites["cuda"], LeftOut: map[string]int{}}
	for _, c := range b.ok {
		want, cuda := outcomes["go"][c.Name], outcomes["cuda"][c.Name]
		switch {
		case slices.ContainsFunc(b.findings, func(f Finding) bool { return slices.Contains(f.All(), c.Program) }):
			out.LeftOut[isWrong]++
			continue
		case b.Slowest > 0 && want.took > b.Slowest:
			out.LeftOut[isSlow]++
			continue
		case strings.Contains(c.Text, "tile.DotTF32(") || strings.Contains(c.Text, "tile.From32["):
			out.LeftOut[isTensor]++
			continue
		}
		p := PortableProgram{Seed: c.Seed, Features: c.Features, Tiles: c.Text != "", Hash: hashOf(c.Program.Source()), Job: c.job}
		for i, right := range want.hashes {
			p.Right = append(p.Right, slices.Compact([]string{right, cuda.hashes[i]}))
		}
		out.Programs = append(out.Programs, p)
	}
	return out
}

// alone is one program of a batch as a batch of its own, printed anew.
func (p *Portable) alone(program PortableProgram) (*Portable, error) {
	made, err := program.program()
	if err != nil {
		return nil, err
	}
	b := new(Runner).newBatch("")
	b.wide = p.Wide
	b.lower([]*Program{made})
	if len(b.ok) != 1 {
		return nil, fmt.Errorf("seed %d alone: %s", program.Seed, b.findings[0].Detail)
	}
	text, err := b.print("cuda", b.ok)
	if err != nil {
		return nil, err
	}
	right := program.Right
	program.Job, program.Right = b.ok[0].job, right
	return &Portable{Wide: p.Wide, Text: text, Sites: b.sites["cuda"], Programs: []PortableProgram{program}}, nil
}

// writePortable writes batches to a file.
func writePortable(file string, batches []*Portable) error {
	text, err := json.Marshal(batches)
	if err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(64<<20))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, w.EncodeAll(text, nil), 0o666)
}

// readPortable reads such a file.
func readPortable(file string) (batches []*Portable, err error) {
	packed, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	return batches, json.Unmarshal(text, &batches)
}
