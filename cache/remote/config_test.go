package remote

import (
	"strings"
	"testing"
	"time"
)

func TestFromEnvironment(t *testing.T) {
	_, public := newKeys(t)
	for _, tt := range []struct {
		env      map[string]string
		url, err string
	}{
		{map[string]string{"QD_CACHE_REMOTE": "https://h/p/"}, "https://h/p", ""},
		{map[string]string{"QD_CACHE_REMOTE": "https://ann:pw@h:8443"}, "https://h:8443", ""},
		{map[string]string{"QD_CACHE_REMOTE": "http://127.0.0.1:80"}, "http://127.0.0.1:80", ""},
		{map[string]string{"QD_CACHE_REMOTE": "http://[::1]:80"}, "http://[::1]:80", ""},
		{map[string]string{"QD_CACHE_REMOTE": "http://localhost"}, "http://localhost", ""},
		{map[string]string{"QD_CACHE_REMOTE": "http://h", "QD_CACHE_KEY": public}, "http://h", ""},
		{map[string]string{"QD_CACHE_REMOTE": "http://h"}, "", "set QD_CACHE_KEY"},
		{map[string]string{"QD_CACHE_REMOTE": "http://localhost.example.com"}, "", "set QD_CACHE_KEY"},
		{map[string]string{"QD_CACHE_REMOTE": "http://h", "QD_CACHE_KEY": public, "QD_CACHE_TOKEN": "t"}, "", "read the token"},
		{map[string]string{"QD_CACHE_REMOTE": "http://a:b@h", "QD_CACHE_KEY": public}, "", "read the token or password"},
		{map[string]string{"QD_CACHE_REMOTE": "grpc://h"}, "", "write https://"},
		{map[string]string{"QD_CACHE_REMOTE": "https://"}, "", "write https://"},
		{map[string]string{"QD_CACHE_REMOTE": "cache.example.com"}, "", "write https://"},
		{map[string]string{"QD_CACHE_REMOTE": "https://h?x=1"}, "", "write https://"},
		{map[string]string{"QD_CACHE_REMOTE": "https://h", "QD_CACHE_REMOTE_MODE": "write"}, "", "use read or read-write"},
		{map[string]string{"QD_CACHE_REMOTE": "https://h", "QD_CACHE_REMOTE_WAIT": "2"}, "", "is not a time"},
		{map[string]string{"QD_CACHE_REMOTE": "https://h", "QD_CACHE_REMOTE_WAIT": "-2s"}, "", "is not a time"},
	} {
		t.Run(tt.env["QD_CACHE_REMOTE"], func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			c, err := FromEnvironment()
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("the error is %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || c.URL.String() != tt.url || c.Wait != time.Minute {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	t.Setenv("QD_CACHE_REMOTE", "https://h")
	t.Setenv("QD_CACHE_REMOTE_WAIT", "")
	if c, err := FromEnvironment(); err != nil || c.Wait != 200*time.Millisecond || c.ReadOnly {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestNetrc(t *testing.T) {
	for _, tt := range []struct{ text, user, password string }{
		{"machine h login u password p", "u", "p"},
		{"machine h\n\tlogin u\n\tpassword p\n", "u", "p"},
		{"machine h password p login u", "u", "p"},
		{"machine other login x password y\nmachine h login u password p\n", "u", "p"},
		{"machine h login u password p\nmachine h login x password y\n", "u", "p"},
		{"default login u password p\n", "u", "p"},
		{"machine h login u password p default login x password y", "u", "p"},
		{"machine h login u account a password p", "u", "p"},
		{"# machine h login x password y\nmachine h login u password p", "u", "p"},
		{"macdef init\nmachine h login x password y\n\nmachine h login u password p", "u", "p"},
		{"machine other login x password y", "", ""},
		{"machine h login", "", ""},
		{"machine h login default password machine", "default", "machine"},
		{"", "", ""},
	} {
		if user, password := parseNetrc(tt.text, "h"); user != tt.user || password != tt.password {
			t.Errorf("%q gives %q, %q", tt.text, user, password)
		}
	}
}
