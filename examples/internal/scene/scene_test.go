package scene

import "testing"

func TestToward(t *testing.T) {
	turn := Toward([3]float32{3, 0, 0})
	if right, up, back := turn.Col(0), turn.Col(1), turn.Col(2); right != [3]float32{0, 0, 1} || up != [3]float32{0, 1, 0} || back != [3]float32{-1, 0, 0} {
		t.Errorf("right %v, up %v, back %v", right, up, back)
	}
}
