package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
)

// Peers run their own examples, in a Python that has them installed: the one that
// QD_PYTHON names, or python3. Each takes turns with the same thing in Go, on as many
// threads, and has to come to the same result.

//go:embed native/mpm99.py
var mpm99Script []byte

//go:embed native/raymarch.py
var raymarchScript []byte

// A peer is a Python program that answers lines.
type peer struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	errors strings.Builder
	dir    string
}

// startPeer starts a script with a directory of its own, whose file source.py is its last
// argument. The error is a missing one where there is no Python with the module.
func startPeer(module, install string, script []byte, args ...any) (*peer, error) {
	python := os.Getenv("QD_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import "+module).Run(); err != nil {
		return nil, missing("%s cannot import %s: pip install %s, or let QD_PYTHON name a Python that has it", python, module, install)
	}
	dir, err := os.MkdirTemp("", "qdgen-peer-")
	if err != nil {
		return nil, err
	}
	p := &peer{dir: dir}
	file := filepath.Join(dir, "peer.py")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		p.stop()
		return nil, err
	}
	line := []string{file}
	for _, arg := range args {
		line = append(line, fmt.Sprint(arg))
	}
	p.cmd = exec.Command(python, append(line, filepath.Join(dir, "source.py"))...)
	p.cmd.Stderr = &p.errors
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.cmd = nil
		p.stop()
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<24)
	return p, nil
}

// stop ends the program.
func (p *peer) stop() {
	if p.cmd != nil {
		p.in.Close()
		p.cmd.Wait()
	}
	os.RemoveAll(p.dir)
}

// ask sends a line and scans the answer, which begins after what libraries print by
// themselves: it is the first line of numbers.
func (p *peer) ask(line string, answer ...any) error {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return p.failed(err)
	}
	for p.out.Scan() {
		if n, err := fmt.Sscan(p.out.Text(), answer...); err == nil && n == len(answer) {
			return nil
		}
	}
	return p.failed(p.out.Err())
}

// askJSON sends a line and decodes the answer, the first line that is a JSON object.
func (p *peer) askJSON(line string, answer any) error {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return p.failed(err)
	}
	for p.out.Scan() {
		if b := p.out.Bytes(); len(b) > 0 && b[0] == '{' {
			return json.Unmarshal(b, answer)
		}
	}
	return p.failed(p.out.Err())
}

func (p *peer) failed(err error) error {
	return fmt.Errorf("the peer ended: %v\n%s", err, p.errors.String())
}

// takes asks for work and gives the time that the peer says it took.
func (p *peer) takes(line string) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		var ns int64
		err := p.ask(line, &ns)
		return time.Duration(ns), err
	}
}

// taichi is beside Taichi's mpm99: material points in two dimensions, with an SVD for each
// particle and step, and scattered by atomics. As it ships it has 9000 particles.
func taichi() ([]result, error) {
	var results []result
	for _, quality := range []int{1, 4} {
		r, err := besideTaichi(quality)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

func besideTaichi(quality int) (result, error) {
	const steps = 50
	p, err := startPeer("taichi", "taichi", mpm99Script, quality, runtime.GOMAXPROCS(0))
	if err != nil {
		return result{}, err
	}
	defer p.stop()
	dev, err := qd.Open("cpu")
	if err != nil {
		return result{}, err
	}
	ps := snowParticles(9000 * quality * quality)
	n := 128 * quality
	grid := make([]f32.Vec3, n*n)
	turns := 0
	ours := timed(func() error {
		turns++
		return dev.Run(mpm99, steps, n, 1e-4/float64(quality), ps, grid)
	})
	a, b, err := sideBySide(ours, p.takes(fmt.Sprint(steps)))
	if err != nil {
		return result{}, err
	}
	var theirs [3]f64.Vec2
	if err := p.ask("means", &theirs[0][0], &theirs[0][1], &theirs[1][0], &theirs[1][1], &theirs[2][0], &theirs[2][1]); err != nil {
		return result{}, err
	}
	for material, mean := range meanPositions(ps) {
		if mean.Distance(theirs[material]) > 0.005 {
			return result{}, fmt.Errorf("mpm99: after %d steps the mean of material %d is %v here and %v there", turns*steps, material, mean, theirs[material])
		}
	}
	rate := func(d time.Duration) float64 { return float64(len(ps)) * steps / d.Seconds() / 1e6 }
	return result{
		name: fmt.Sprintf("taichi mpm99, %d particles", len(ps)), ours: a, theirs: b,
		note: fmt.Sprintf("%d steps, %d threads: %.2f million particles per second beside %.2f", steps, runtime.GOMAXPROCS(0), rate(a), rate(b)),
	}, nil
}

// snowParticles are those of mpm99's initialize, at places of a sequence instead of random
// ones, so that both sides have the same.
func snowParticles(n int) []snowParticle {
	ps := make([]snowParticle, n)
	frac := func(x float64) float64 { return x - math.Floor(x) }
	for i := range ps {
		group := i / (n / 3)
		x := frac(float64(i)*0.7548776662466927)*0.2 + 0.3 + 0.10*float64(group)
		y := frac(float64(i)*0.5698402909980532)*0.2 + 0.05 + 0.32*float64(group)
		ps[i] = snowParticle{X: f32.Vec2{float32(x), float32(y)}, F: f32.Mat2Identity(), Jp: 1, Material: int32(group)}
	}
	return ps
}

// meanPositions are the mean positions of the three materials.
func meanPositions(ps []snowParticle) (means [3]f64.Vec2) {
	var counts [3]float64
	for _, p := range ps {
		means[p.Material] = means[p.Material].Add(f64.Vec2From(p.X))
		counts[p.Material]++
	}
	for i := range means {
		means[i] = means[i].Scale(1 / counts[i])
	}
	return means
}

// warp is beside Warp's raymarcher on its device cpu, which has one thread.
func warp() ([]result, error) {
	const width, height = 512, 256
	p, err := startPeer("warp", "warp-lang", raymarchScript, width, height)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	var turn f32.Quat
	if err := p.ask("turn", &turn[0], &turn[1], &turn[2], &turn[3]); err != nil {
		return nil, err
	}
	pixels := make([]f32.Vec3, width*height)
	picture, err := dev.Bind(warpDraw, qd.Dim(width*height), f32.Vec3{-1.25, 1, 2}, turn, width, height, pixels)
	if err != nil {
		return nil, err
	}
	alone := func() error {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		return picture.Launch()
	}
	a, b, err := sideBySide(timed(alone), p.takes("draw"))
	if err != nil {
		return nil, err
	}
	var theirs, ours float64
	if err := p.ask("mean", &theirs); err != nil {
		return nil, err
	}
	for _, c := range pixels {
		ours += float64(c.Sum()) / 3
	}
	ours /= float64(len(pixels))
	if math.Abs(ours-theirs) > 0.002 {
		return nil, fmt.Errorf("raymarch: the mean of all pixels is %v here and %v there", ours, theirs)
	}
	return []result{{name: fmt.Sprintf("warp raymarch, %d x %d", width, height), ours: a, theirs: b, note: "one thread, as Warp has on a CPU"}}, nil
}
