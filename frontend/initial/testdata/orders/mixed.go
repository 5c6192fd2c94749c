package orders

import "strconv"

type vv struct{ n, m int }

func (v vv) get() int     { return v.n }
func (v *vv) inc() int    { v.n++; return v.n }
func (v *vv) me() *vv     { v.m++; return v }
func (v vv) add(x int) vv { v.n += x; return v }

type getr interface{ get() int }

func receiverBeside[T getr](x T, f func() int) (int, int) { return x.get()*100 + f(), x.get() }
func addedTo[T int | float64](p *T, f func() T) T         { return *p + f() }
func arrayOf[T any](x, y T) [2]T                          { return [2]T{x, y} }
func listOf[T any](p *T, f func() T) []T                  { return []T{*p, f(), *p} }
func putUnder[K comparable, V any](k *K, m map[K]V, f func() V) map[K]V {
	m[*k] = f()
	return m
}
func asAnys[T any](p *T, f func() T) (any, any)          { return *p, f() }
func assertedBeside[T any](x any, f func() int) (T, int) { y, z := x.(T), f(); return y, z }

// More than one rule is at work in these.
var (
	mixed1 = func() [2]int {
		v := vv{1, 2}
		f := func() int { v.n = 50; return 3 }
		a, b := receiverBeside(v, f)
		return [2]int{a, b}
	}()
	mixed2 = func() [3]int {
		n := 1
		f := func() int { n = 50; return 3 }
		return [3]int(append(listOf(&n, f), addedTo(&n, f))[1:])
	}()
	mixed3 = func() [2]int {
		n := 1
		f := func() int { n = 50; return 3 }
		return arrayOf(n, f())
	}()
	mixed4 = func() [2]int {
		n := 1
		f := func() int { n = 50; return 3 }
		m := putUnder(&n, map[int]int{}, f)
		return [2]int{m[1], m[50]}
	}()
	mixed5 = func() [2]int {
		n := 1
		f := func() int { n = 50; return 3 }
		x, y := asAnys(&n, f)
		return [2]int{x.(int), y.(int)}
	}()
	mixed6 = func() [6]int {
		x, y := 1, 2
		p := &x
		f := func() *int { p = &y; return p }
		g := func() int { y += 10; return y }
		*f() += g()
		*p, x = g(), *f()
		v := vv{}
		v.me().n = v.me().inc() + v.n
		v.me().m, v.n = v.m, v.inc()
		return [6]int{x, y, *p, v.n, v.m, 0}
	}()
	mixed7 = func() [6]int {
		type T struct{ y [3]struct{ z []int } }
		var x T
		n := 0
		f := func() int { n++; return n }
		for i := range x.y {
			x.y[i].z = make([]int, 3)
		}
		x.y[f()].z[n] = f()
		x.y[n-2].z[f()-3], n = n*10, f()
		x.y[0].z[n-4], x.y[0].z[f()-4] = f(), n
		return [6]int{x.y[1].z[2]*100 + x.y[2].z[0], x.y[0].z[0], x.y[0].z[1], x.y[0].z[2], n, x.y[1].z[1]}
	}()
	mixed8 = func() [3]int {
		f := func() (n, m int) {
			g := func() int { n = 50; m = 7; return 3 }
			n = 1
			return n, g()
		}
		h := func() (n int) {
			g := func() int { n *= 10; return 3 }
			n = 1
			return n + g() + n
		}
		a, b := f()
		return [3]int{a, b, h()}
	}()
	mixed9 = func() [4]int {
		m := map[string]int{"a": 1}
		k := "a"
		f := func() int { k = "b"; m["a"]++; return 5 }
		m[k], m["c"] = f(), m["a"]
		m[k] += f() + m[k]
		v, ok := m[k]
		if !ok {
			v = -1
		}
		return [4]int{m["a"], m["b"], m["c"], v}
	}()
	mixed10 = func() string {
		s := "a"
		f := func() string { s += "x"; return s }
		s = s + f() + s + f()
		s += f()
		return s + "," + f() + string(s[0]) + strconv.Itoa(len(s)) + f()
	}()
	mixed11 = func() [4]int {
		n := 0
		f := func() int { n++; return n }
		r := [4]int{}
		for i := f(); i+f() < 10; i += f() + n {
			r[0] += i
		}
		switch x := f(); x + n {
		case f() + f(), n*2 - 2:
			r[1] = 1
		default:
			r[1] = 2
		}
		if x := f(); x < n || x+f() == n*2-1 {
			r[2] = n
		}
		r[3] = n
		return r
	}()
	mixed12 = func() [4]int {
		v := vv{1, 2}
		a := v.add(v.inc())
		b := v.add(v.n).add(v.inc())
		f := v.get
		c := f() + v.inc() + v.get()
		return [4]int{a.n, b.n, c, v.add(1).add(v.me().n).m}
	}()
	mixed13 = func() [4]int {
		s := []int{1, 2, 3}
		f := func() int { s = s[1:]; return s[0] }
		a := s[0] + f()
		b := len(s) + f()*10
		s = []int{4, 5, 6, 7}
		c := append(s[:1], f(), s[0])
		return [4]int{a, b, c[0]*100 + c[1]*10 + c[2], len(s)}
	}()
	mixed14 = func() [3]int {
		var p *vv
		mk := func() *vv { p = &vv{3, 4}; return p }
		x := mk().n + p.m
		y, z := p.n, mk().inc()+p.n
		return [3]int{x, y, z}
	}()
	mixed15 = func() [3]bool {
		n := 1
		f := func() bool { n++; return n%2 == 0 }
		a := n == 1 && f() && n == 2
		b := !f() == (n == 3) && (n > 2 || f())
		c := f() != (n == 4)
		return [3]bool{a, b, c}
	}()
	mixed16 = func() [4]int {
		n := 1
		f := func(xs ...int) int { n += len(xs); return n }
		a := f(n, f(n, n), n)
		b := f([]int{n, f(), n}...) + n
		c := f(f(f(1, 2), n), n) * n
		return [4]int{a, b, c, n}
	}()
	mixed17 = func() [4]int {
		arr := [3]int{1, 2, 3}
		f := func() [3]int { arr[1] = 20; return arr }
		g := func() int { arr[0]++; return arr[0] }
		a := f()[1] + arr[1] + g()
		x := [3]int{arr[0], g(), arr[0]}
		y := [2][3]int{arr, f()}
		z := struct {
			a [3]int
			b int
		}{arr, g()}
		return [4]int{a, x[0]*100 + x[1]*10 + x[2], y[0][0]*100 + y[1][0], z.a[0]*100 + z.b}
	}()
	mixed18 = func() [3]int {
		i := 0
		f := func() func(int) int { i++; j := i; return func(x int) int { i += x; return i*10 + j } }
		a := f()(i) + f()(i)
		b := f()(f()(i))
		return [3]int{a, b, i}
	}()
	mixed19 = func() [3]int {
		c := 1 + 2i
		f := func() complex128 { c *= 1i; return c }
		x := c + f()
		y := complex(real(c), imag(f()))
		return [3]int{int(real(x))*100 + int(imag(x)), int(real(y)), int(imag(y))}
	}()
	mixed20 = func() [4]int {
		m := map[int][]int{}
		n := 0
		f := func() int { n++; m[n] = append(m[n], n*10); return n }
		m[0] = append(m[0], f(), n)
		m[2] = append(m[2], f())
		m[f()] = append(m[n], f(), n)
		return [4]int{len(m[0])*100 + m[0][1], len(m[1])*100 + len(m[2]), len(m[3])*100 + m[3][len(m[3])-1], n}
	}()
	mixed21 = func() [2]string {
		b := []byte("abc")
		f := func() string { b[0]++; return "-" }
		x := string(b) + f() + string(b)
		g := func(x, y, z string) string { return x + y + z }
		return [2]string{x, g(string(b), f(), string(b[:1]))}
	}()
	mixed22 = func() [3]int {
		var e any = 5
		f := func() int { e = "x"; return 1 }
		x := e.(int) + f()
		s, y := e.(string), f()
		_, ok := e.(int)
		z := 0
		if ok == (f() == 2) {
			z = 1
		}
		return [3]int{x, y + len(s), z}
	}()
	mixed23 = func() [2]int {
		x, err := assertedBeside[int](any(3), func() int { return 5 })
		return [2]int{x, err}
	}()
	mixed24 = func() [3]int8 {
		m := map[int8]int8{1: 2}
		var k int8 = 1
		f := func() int8 { m[5] = 6; return 9 }
		x := m[k] + f()
		m[k+1] = f() + m[k]
		mm := map[[2]int]int8{}
		n := 3
		mm[[2]int{n, 4}] = f()
		return [3]int8{x, m[2], mm[[2]int{3, 4}]}
	}()
)
