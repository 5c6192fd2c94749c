package emit

import (
	"strings"
	"testing"
)

func TestWrapped(t *testing.T) {
	long := strings.Repeat("x", 50)
	row := "array<float32, 2>{" + long + ", 1.0f}"
	numbers := strings.TrimSuffix(strings.Repeat("1000, ", 40), ", ")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"x = f(a, b);", nil},
		{"x = " + strings.Repeat(long, 3) + ";", nil},
		{"if (" + strings.Repeat(long, 3) + ") {", nil},
		{"go::f{" + long + "} + " + long + " + " + long + ";", nil},
		{"return {" + row + ", " + row + "};", []string{"return {", "    " + row + ",", "    " + row, "};"}},
		{"f(s{" + long + ", g(" + long + ", b), " + long + " < c});", []string{"f(s{", "    " + long + ", g(" + long + ", b),", "    " + long + " < c", "});"}},
		{"m = array<array<float32, 2>, 2>{" + row + ", array<float32, 2>{" + long + long + ", 1.0f}};", []string{
			"m = array<array<float32, 2>, 2>{", "    " + row + ",", "    array<float32, 2>{", "        " + long + long + ", 1.0f", "    }", "};",
		}},
		{"const array<int32, 40> v = {" + numbers + "};", []string{
			"const array<int32, 40> v = {", "    " + strings.TrimSuffix(strings.Repeat("1000, ", 19), " "), "    " + strings.TrimSuffix(strings.Repeat("1000, ", 19), " "), "    1000, 1000", "};",
		}},
	} {
		if c.want == nil {
			c.want = []string{c.text}
		}
		if got := strings.Join(wrapped(c.text, 0), "\n"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.text, got, strings.Join(c.want, "\n"))
		}
	}
}
