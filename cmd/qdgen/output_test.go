package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	rows := table{{"NAME", " SIZE", "KEY"}, {"größe", "7", "a"}, {"x", "1000", ""}}
	if err := rows.print(&b); err != nil {
		t.Fatal(err)
	}
	want := "NAME   SIZE  KEY\ngröße     7  a\nx      1000\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 20 << 20: "20.0 MiB", math.MaxInt64: "8.0 EiB",
	} {
		if got := formatSize(n); got != want {
			t.Errorf("formatSize(%d): %s, want %s", n, got, want)
		}
	}
}

func TestFormatAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 0: "0s", 59 * time.Second: "59s", 90 * time.Second: "1m", 23 * time.Hour: "23h", 49 * time.Hour: "2d", 10000 * time.Hour: "416d",
	} {
		if got := formatAge(d); got != want {
			t.Errorf("formatAge(%v): %s, want %s", d, got, want)
		}
	}
}
