package main

import (
	"math"

	"github.com/qdgen/qd"
)

// escape computes, for the pixels of some rows of an image, how fast the point
// under each leaves the disk of radius 16 under z -> z*z + c: the escape time,
// made continuous by how far beyond the disk it lands; -1 for points that stay.
// Each pixel is the mean of samples*samples points.
//
//qd:kernel
func escape(t qd.Thread, centerX, centerY, pixel float64, width, height, firstRow, limit, samples int, out []float32) {
	row, col := t.ID2()
	row += firstRow
	var sum float64
	inside := 0
	for s := range samples * samples {
		dx := (float64(s%samples) + 0.5) / float64(samples)
		dy := (float64(s/samples) + 0.5) / float64(samples)
		cx := centerX + (float64(col)+dx-float64(width)/2)*pixel
		cy := centerY - (float64(row)+dy-float64(height)/2)*pixel
		n, r2 := iterate(cx, cy, limit)
		if n == limit {
			inside++
			continue
		}
		sum += float64(n) + 1 - math.Log2(math.Log(r2)/(2*math.Log(16)))
	}
	if inside == samples*samples {
		out[row*width+col] = -1
		return
	}
	out[row*width+col] = float32(sum / float64(samples*samples-inside))
}

// iterate follows c = (cx, cy) until it leaves the disk of radius 16, at most
// limit steps, and gives the number of steps and the square of the last radius.
func iterate(cx, cy float64, limit int) (n int, r2 float64) {
	// The main cardioid and the disk left of it never leave.
	q := (cx-0.25)*(cx-0.25) + cy*cy
	if q*(q+(cx-0.25)) <= 0.25*cy*cy || (cx+1)*(cx+1)+cy*cy <= 1.0/16 {
		return limit, 0
	}
	var x, y float64
	for n < limit {
		x2, y2 := x*x, y*y
		r2 = x2 + y2
		if r2 > 256 {
			break
		}
		x, y = x2-y2+cx, 2*x*y+cy
		n++
	}
	return n, r2
}
