package remote

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// defaultWait is for how long a process waits for a remote that gives it nothing.
const defaultWait = 200 * time.Millisecond

// A Config says which remote cache is used, and how.
type Config struct {
	URL      *url.URL // without user and password
	ReadOnly bool     // nothing is uploaded
	Wait     time.Duration
	Keys     *Keys

	token, user, password string
}

// FromEnvironment reads the settings that the package's documentation shows. It is nil if
// QD_CACHE_REMOTE names no remote cache.
func FromEnvironment() (*Config, error) {
	text := os.Getenv("QD_CACHE_REMOTE")
	if text == "" || text == "off" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("QD_CACHE_REMOTE is not the address of a remote cache: write https://HOST/PATH, or off")
	}
	c := &Config{URL: u, Wait: defaultWait, token: strings.TrimSpace(os.Getenv("QD_CACHE_TOKEN"))}
	u.Path = strings.TrimRight(u.Path, "/")
	switch mode := os.Getenv("QD_CACHE_REMOTE_MODE"); mode {
	case "", "read-write":
	case "read":
		c.ReadOnly = true
	default:
		return nil, fmt.Errorf("QD_CACHE_REMOTE_MODE=%s: use read or read-write", mode)
	}
	if wait := os.Getenv("QD_CACHE_REMOTE_WAIT"); wait != "" {
		if c.Wait, err = time.ParseDuration(wait); err != nil || c.Wait <= 0 {
			return nil, fmt.Errorf("QD_CACHE_REMOTE_WAIT=%s is not a time: write 200ms or 2s", wait)
		}
	}
	if c.Keys, err = ParseKeys(os.Getenv("QD_CACHE_KEY")); err != nil {
		return nil, err
	}
	if c.Keys != nil && !c.Keys.CanSign() {
		c.ReadOnly = true // nobody would load what is not signed
	}
	switch {
	case u.User != nil:
		c.user = u.User.Username()
		c.password, _ = u.User.Password()
		u.User = nil
	case c.token == "":
		c.user, c.password = netrcLogin(u.Hostname())
	}
	return c, c.safe()
}

// safe refuses what others in the network could change or read: what is loaded is code.
func (c *Config) safe() error {
	if c.URL.Scheme == "https" || isLoopback(c.URL.Hostname()) {
		return nil
	}
	switch {
	case c.Keys == nil:
		return errors.New("QD_CACHE_REMOTE begins with http://, so others could send code in its place: use https://, or set QD_CACHE_KEY")
	case c.token != "" || c.password != "":
		return errors.New("QD_CACHE_REMOTE begins with http://, so others could read the token or password: use https://")
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// netrcLogin gives the name and password that the file .netrc has for a host.
func netrcLogin(host string) (user, password string) {
	path := os.Getenv("NETRC")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", ""
		}
		name := ".netrc"
		if runtime.GOOS == "windows" {
			name = "_netrc"
		}
		path = filepath.Join(home, name)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", ""
	}
	return parseNetrc(string(text), host)
}

// parseNetrc finds a host in the text of a .netrc: words, as ftp(1) reads them. A macro ends at an
// empty line.
func parseNetrc(text, host string) (user, password string) {
	found := false // the entry that the words are about is the host's
	macro := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if macro = macro && line != ""; macro {
			continue
		}
		words := strings.Fields(line)
		for i := 0; i < len(words); i++ {
			if strings.HasPrefix(words[i], "#") || words[i] == "macdef" {
				macro = words[i] == "macdef"
				break
			}
			if words[i] == "machine" || words[i] == "default" {
				if found {
					return user, password // the first counts
				}
				found = words[i] == "default"
			}
			if words[i] == "default" || i+1 == len(words) {
				continue
			}
			i++
			switch value := words[i]; words[i-1] {
			case "machine":
				found = value == host
			case "login":
				if found {
					user = value
				}
			case "password":
				if found {
					password = value
				}
			}
		}
	}
	return user, password
}
