package cache

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestNewKeySeparatesParts(t *testing.T) {
	b := func(s string) []byte { return []byte(s) }
	keys := map[string]Key{
		`"d"`:            NewKey("d"),
		`"d" ""`:         NewKey("d", b("")),
		`"d" "" ""`:      NewKey("d", b(""), b("")),
		`"d" "ab" "c"`:   NewKey("d", b("ab"), b("c")),
		`"d" "a" "bc"`:   NewKey("d", b("a"), b("bc")),
		`"d" "abc"`:      NewKey("d", b("abc")),
		`"da" "bc"`:      NewKey("da", b("bc")),
		`"e" "abc"`:      NewKey("e", b("abc")),
		`"" "d" "abc"`:   NewKey("", b("d"), b("abc")),
		`"d" "abc\x00"`:  NewKey("d", b("abc\x00")),
		`"d" with bytes`: NewKey("d\x03\x00\x00\x00\x00\x00\x00\x00abc"),
	}
	seen := map[Key]string{}
	for name, k := range keys {
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[k] = name
	}
	// Keys name files: other values in another version would lose every cache.
	if got, want := NewKey("d", b("x")).String(), "746d8b3a1531caeb42d77cdefce626629202baf13aaee94defd0ec10b934e66a"; got != want {
		t.Errorf("NewKey: %s, want %s", got, want)
	}
}

func TestKeyText(t *testing.T) {
	k := key("x")
	if len(k.String()) != 64 || k.String()[:7] != k.Short() {
		t.Errorf("String %s, Short %s", k, k.Short())
	}
	parsed, err := ParseKey(k.String())
	if err != nil || parsed != k {
		t.Errorf("ParseKey(String): %v, %v", parsed, err)
	}
	text, err := json.Marshal(k)
	if err != nil || string(text) != `"`+k.String()+`"` {
		t.Errorf("JSON: %s, %v", text, err)
	}
	for _, bad := range []string{"", "6cd1", k.String() + "0", strings.ToUpper(k.String()), strings.Repeat("g", 64), "../" + k.String()[3:]} {
		if _, err := ParseKey(bad); err == nil {
			t.Errorf("ParseKey(%q) takes it", bad)
		}
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{
		"": defaultSize, "0": 0, "1": 1, "123456": 123456, "7B": 7,
		"1K": 1 << 10, "2k": 2 << 10, "500M": 500 << 20, "500 MB": 500 << 20, "3MiB": 3 << 20,
		" 1GiB ": 1 << 30, "2T": 2 << 40, "9223372036854775807": math.MaxInt64, "8388607T": 8388607 << 40,
	} {
		if got, err := parseSize(s); err != nil || got != want {
			t.Errorf("parseSize(%q): %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"x", "-1", "1.5G", "G", "1X", "1KK", "1iB", "9223372036854775808", "8388608T", " "} {
		_, err := parseSize(s)
		var bad *SizeError
		if !errors.As(err, &bad) || bad.Value != s || !strings.Contains(err.Error(), "500M") {
			t.Errorf("parseSize(%q): %v, want a *SizeError that says what to write", s, err)
		}
	}
}

func TestOpenRefusesBadSize(t *testing.T) {
	t.Setenv("QD_CACHE_SIZE", "much")
	var bad *SizeError
	if _, err := Open(t.TempDir()); !errors.As(err, &bad) {
		t.Errorf("Open: %v, want a *SizeError", err)
	}
}
