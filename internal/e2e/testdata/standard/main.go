// Command standard has kernels that use the standard library, for a machine without Go.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/qdgen/qd"
)

//qd:kernel
func search(t qd.Thread, sorted, x []int) {
	i := t.ID()
	at, _ := slices.BinarySearch(sorted, x[i])
	x[i] = 100*at + 10*sort.Search(len(sorted), func(j int) bool { return sorted[j] > 5 }) + cmp.Compare(x[i], 3)
}

//qd:kernel
func hashes(t qd.Thread, x []uint64) {
	i := t.ID()
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], x[i])
	h := fnv.New64a()
	h.Write(b[:])
	x[i] = h.Sum64() ^ uint64(adler32.Checksum(b[:])) ^ binary.LittleEndian.Uint64(b[:])
}

//qd:kernel
func sums(t qd.Thread, x []uint64) {
	i := t.ID()
	var b [80]byte
	binary.BigEndian.PutUint64(b[i:], x[i])
	h := sha256.Sum256(b[:])
	x[i] = uint64(crc32.ChecksumIEEE(b[:])) ^ binary.LittleEndian.Uint64(h[:])
}

//qd:kernel
func streams(t qd.Thread, x []uint64) {
	i := t.ID()
	x[i] = rand.NewChaCha8([32]byte{byte(x[i])}).Uint64()
}

//qd:kernel
func draws(t qd.Thread, x []uint64) {
	i := t.ID()
	r := rand.NewPCG(x[i], 7)
	r.Uint64()
	x[i] = r.Uint64()
}

//qd:kernel
func durations(t qd.Thread, x []int64, r []rune) {
	i := t.ID()
	x[i] = int64(time.Duration(x[i]).Round(time.Minute)) + int64(utf8.RuneLen(r[i]))
}

// find calls a function that reads an exported variable of an internal package.
//
//qd:kernel
func find(t qd.Thread, b []byte, x []int64) {
	i := t.ID()
	x[i] = int64(bytes.Index(b, b[3+i:5+i]))
}

var filled [4]int64

func init() {
	for i := range filled {
		filled[i] = int64(i*i + 2)
	}
}

func main() {
	device := flag.String("device", "", "device")
	flag.Parse()
	dev, err := qd.Open(*device)
	check(err)
	x := qd.From(dev, []int{1, 5, 9})
	check(launchSearch(qd.Dim(3), qd.From(dev, []int{1, 3, 5, 7, 9}), x))
	fmt.Println(x.Slice())
	u := qd.From(dev, []uint64{1, 2, 1 << 60})
	check(launchHashes(qd.Dim(3), u))
	fmt.Println(u.Slice())
	check(launchDraws(qd.Dim(3), u))
	fmt.Println(u.Slice())
	check(launchSums(qd.Dim(3), u))
	fmt.Println(u.Slice())
	check(launchStreams(qd.Dim(3), u))
	fmt.Println(u.Slice())
	d := qd.From(dev, []int64{int64(90 * time.Second), 7})
	check(launchDurations(qd.Dim(2), d, qd.From(dev, []rune{'a', 'ö'})))
	fmt.Println(d.Slice())
	check(launchFind(qd.Dim(2), qd.From(dev, []byte("hello, world")), d))
	fmt.Println(d.Slice())
	check(launchGrammar(qd.Dim(2), d))
	fmt.Println(d.Slice())
}

func check(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%T: %v\n", err, err)
		os.Exit(1)
	}
}

//line grammar.y:10
//qd:kernel
func grammar(t qd.Thread, x []int64) {
	x[t.ID()] *= filled[t.ID()] + int64(qd.Static(words("a b c")))
}

// words is evaluated by compiled Go.
func words(s string) int { return len(strings.Fields(s)) }
