package remote

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
)

// authority is a certificate that signs others.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// sign makes a certificate, one of an authority where parent is nil.
func (parent *authority) sign(t *testing.T, edit func(c *x509.Certificate)) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "a test's"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
	}
	edit(c)
	by, signer := c, key
	if parent != nil {
		by, signer = parent.cert, parent.key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, key.Public(), signer)
	if err == nil {
		c, err = x509.ParseCertificate(der)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &authority{c, key}
}

// Certificates are verified as Go does it: the names, the times, what they are for, who has signed them.
func TestVerify(t *testing.T) {
	isAuthority := func(name string) func(c *x509.Certificate) {
		return func(c *x509.Certificate) {
			c.IsCA, c.KeyUsage, c.Subject = true, x509.KeyUsageCertSign, pkix.Name{CommonName: name}
		}
	}
	root := (*authority)(nil).sign(t, isAuthority("root"))
	between := root.sign(t, isAuthority("between"))
	impostor := (*authority)(nil).sign(t, isAuthority("root")) // of the same name, and not trusted
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	t.Setenv("SSL_CERT_DIR", t.TempDir())
	t.Setenv("GODEBUG", "")
	ip := func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} }
	for _, tt := range []struct {
		name string
		by   *authority
		edit func(c *x509.Certificate)
		good bool
	}{
		{"by the root", root, ip, true},
		{"by one between", between, ip, true},
		{"by itself", nil, ip, false},
		{"by an impostor", impostor, ip, false},
		{"of another host", root, func(c *x509.Certificate) { c.DNSNames = []string{"cache.example.com"} }, false},
		{"of another address", root, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 2)} }, false},
		{"of no host", root, func(c *x509.Certificate) {}, false},
		{"of yesterday", root, func(c *x509.Certificate) { ip(c); c.NotAfter = time.Now().Add(-time.Minute) }, false},
		{"of tomorrow", root, func(c *x509.Certificate) { ip(c); c.NotBefore = time.Now().Add(time.Minute) }, false},
		{"for clients", root, func(c *x509.Certificate) { ip(c); c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			leaf := tt.by.sign(t, tt.edit)
			asked := 0
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				http.NotFound(w, nil)
			}))
			chain := [][]byte{leaf.cert.Raw}
			if tt.by == between {
				chain = append(chain, between.cert.Raw)
			}
			s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: chain, PrivateKey: leaf.key}}}
			s.StartTLS()
			defer s.Close()
			u, err := url.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = newClient(&Config{URL: u}).document(t.Context(), cache.KindNote, cache.Key{})
			var refused *tls.CertificateVerificationError
			if good := errors.Is(err, errMissing); good != tt.good || errors.As(err, &refused) == tt.good || (asked == 1) != tt.good {
				t.Errorf("%d requests, the error is %v", asked, err)
			}
		})
	}
}

// What a program has set for all its connections holds for the remote cache too: other certificates than those that the
// system trusts, and a transport of its own.
func TestDefaultTransport(t *testing.T) {
	usual := http.DefaultTransport
	defer func() { http.DefaultTransport = usual }()
	address := &Config{URL: &url.URL{Scheme: "https", Host: "cache.example.com"}}
	quickly := func() bool {
		_, ok := newClient(address).http.Transport.(*quick)
		return ok
	}
	if !quickly() {
		t.Error("the usual transport is not quick")
	}
	for name, config := range map[string]*tls.Config{
		"other certificates": {RootCAs: x509.NewCertPool()},
		"another name":       {ServerName: "localhost"},
		"a check of its own": {VerifyConnection: func(tls.ConnectionState) error { return nil }},
	} {
		http.DefaultTransport = &http.Transport{TLSClientConfig: config}
		if quickly() {
			t.Errorf("%s: they are not asked", name)
		}
	}
	http.DefaultTransport = &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{}}}}
	q, ok := newClient(address).http.Transport.(*quick)
	if !ok || q.quick.TLSClientConfig.MinVersion != tls.VersionTLS13 || len(q.quick.TLSClientConfig.Certificates) != 1 {
		t.Errorf("the certificate of the program and its version of TLS are lost: %+v", q)
	}
	http.DefaultTransport = &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "https", Host: "proxy.example.com"})}
	q, ok = newClient(address).http.Transport.(*quick)
	if !ok || !q.proxied(httptest.NewRequest(http.MethodGet, "https://cache.example.com/", nil)) {
		t.Error("the proxy is not asked for")
	}
	http.DefaultTransport = http.NewFileTransport(http.Dir("."))
	newClient(address) // does not panic
}

// A server's name is in its certificate as the resolver has it, whatever the address has: letters beyond ASCII, a dot at the end.
func TestVerifyNames(t *testing.T) {
	root := (*authority)(nil).sign(t, func(c *x509.Certificate) { c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign })
	leaf := root.sign(t, func(c *x509.Certificate) {
		c.DNSNames, c.IPAddresses = []string{"xn--bcher-kva.example"}, []net.IP{net.IPv6loopback}
	})
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	t.Setenv("GODEBUG", "")
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{leaf.cert.Raw}, PrivateKey: leaf.key}}}
	s.StartTLS()
	defer s.Close()
	for host, good := range map[string]bool{"b\u00fccher.example": true, "xn--bcher-kva.example.": true, "[::1]": true, "[::2]": false, "bucher.example": false} {
		c := newClient(&Config{URL: &url.URL{Scheme: "https", Host: host}})
		c.http.Transport.(*quick).quick.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
		}
		answer, err := c.http.Get(c.URL.String())
		if (err == nil) != good {
			t.Errorf("%s: %v", host, err)
		}
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.ProtoMajor != 2 {
			t.Errorf("%s: %s", host, answer.Proto)
		}
	}
}
