package explain

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What colours add to a line, and how its characters are written.
var (
	tag     = regexp.MustCompile(`</?i[^>]*>`)
	escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
)

// Colours change no character, and no line is lost, whatever the text is.
func TestColoured(t *testing.T) {
	lines := []string{"v1:int32 = add i.v2, -3 // x", "", "\tif a<b && c { \"x\\\"y\"", "/*0010*/ @!P0 FMUL R1, c[0x0][0x28] ;", "$L__x: ld.global.f32 %f1, [%rd1+4];", "\"broken", "é日本 \\"}
	for _, lang := range []string{"go", "cpp", "asm", "ptx", "sass", "ssa"} {
		got := coloured(lang, lines)
		if len(got) != len(lines) {
			t.Fatalf("%s: %d lines", lang, len(got))
		}
		for i, line := range got {
			plain := tag.ReplaceAllString(line, "")
			if plain != escaped.Replace(lines[i]) {
				t.Errorf("%s: %q becomes %q", lang, lines[i], line)
			}
		}
	}
}

// A token of several lines has its colour on each of them.
func TestColouredLines(t *testing.T) {
	got := coloured("go", []string{"/* one", "", "two */ x := `a\r", "b`", "var y int"})
	want := []string{"<i class=c>/* one</i>", "", "<i class=c>two */</i> x := <i class=s>`a\r</i>", "<i class=s>b`</i>", "<i class=k>var</i> y <i class=t>int</i>"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// Words have the colours that readers know them by.
func TestColours(t *testing.T) {
	for _, tt := range []struct{ lang, line, want string }{
		{"cpp", `	return vec::load(x) + 2.0f; // done`, `	<i class=k>return</i> vec::load(x) + <i class=n>2.0f</i>; <i class=c>// done</i>`},
		{"cpp", `const char *s = "a\"b";`, `<i class=k>const</i> <i class=t>char</i> *s = <i class=s>&#34;a\&#34;b&#34;</i>;`},
		{"asm", `.LBB0_1:`, `<i class=l>.LBB0_1:</i>`},
		{"asm", `	vmovups	64(%rsp), %zmm8  # 64-byte`, `	<i class=f>vmovups</i>	<i class=n>64</i>(<i class=v>%rsp</i>), <i class=v>%zmm8</i>  <i class=c># 64-byte</i>`},
		{"ptx", `@%p1 bra 	$L__BB0_2;`, `<i class=l>@%p1</i> <i class=f>bra</i> 	<i class=v>$L__BB0_2</i>;`},
		{"sass", `/*0010*/ FMUL R1, R2 ;`, `<i class=c>/*0010*/</i> <i class=f>FMUL</i> <i class=v>R1</i>, <i class=v>R2</i> ;`},
		{"ssa", `	sum.v7:float32 = add v1, -2`, `	<i class=v>sum.v7</i>:<i class=t>float32</i> = <i class=f>add</i> <i class=v>v1</i>, <i class=n>-2</i>`},
		{"cpp", `#line 20 "main.go"`, `<i class=k>#line</i> <i class=n>20</i> <i class=s>&#34;main.go&#34;</i>`},
		{"cpp", `y.double = true;`, `y.double = <i class=k>true</i>;`},
		{"go", `	x := f(2) // y`, `	x := <i class=f>f</i>(<i class=n>2</i>) <i class=c>// y</i>`},
		{"go", `//qd:kernel`, `<i class=k>//qd:kernel</i>`},
		{"go", `func f[T any](a []int32, b T) (rune, error)`, `<i class=k>func</i> f[T <i class=t>any</i>](a []<i class=t>int32</i>, b T) (<i class=t>rune</i>, <i class=t>error</i>)`},
		{"go", `return x == nil || 0x1p-24 < 'a'`, `<i class=k>return</i> x == <i class=k>nil</i> || <i class=n>0x1p-24</i> &lt; <i class=s>&#39;a&#39;</i>`},
	} {
		if got := coloured(tt.lang, []string{tt.line})[0]; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s becomes\n%s, want\n%s", tt.lang, tt.line, got, tt.want)
		}
	}
}
