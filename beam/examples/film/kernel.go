package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/raymarch/world"
)

const (
	width  = 320
	height = 180
	rows   = 20 // of a band
)

// A Task is a band of a frame to be drawn.
type Task struct {
	Frame, Row int32
	Camera     world.Camera
}

// A Band is some rows of a frame.
type Band struct {
	Frame, Row int32
	Pixels     [rows * width][3]uint8
}

// Draw draws bands. Each pixel has a thread.
//
//qd:kernel
func Draw(t qd.Thread, r qd.Const[world.Renderer], in []Task, out []Band) {
	i, p := t.ID2()
	row := int(in[i].Row) + p/width
	color := r.V.Pixel(in[i].Camera, width, height, row, p%width)
	for c := range 3 {
		out[i].Pixels[p][c] = uint8(255*color[c] + 0.5)
	}
	if p == 0 {
		out[i].Frame, out[i].Row = in[i].Frame, in[i].Row
	}
}
