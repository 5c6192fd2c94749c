package remote

import (
	"bytes"
	"cmp"
	"crypto/fips140"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"os"
	"runtime"
	"strings"
)

// Before it verifies its first certificate, Go reads and parses all that the system trusts: hundreds, from files of
// which most are there twice. That takes longer than a process needs for all its requests. So a chain is verified with
// a few of them first, those that may have signed it. What they do not verify, Go decides as ever.

// bundles are the files in which Go looks for the certificates that the system trusts: the first that exists.
var bundles = []string{
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem",
	"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
	"/etc/ssl/cert.pem",
}

// bundle is the file of certificates that Go reads first on this system, "" where it is not known: GODEBUG may change
// what Go does.
func bundle() string {
	if runtime.GOOS != "linux" || os.Getenv("GODEBUG") != "" {
		return ""
	}
	if name := os.Getenv("SSL_CERT_FILE"); name != "" {
		return name
	}
	for _, name := range bundles {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// signers are the certificates of a bundle that may have signed one of a chain.
func signers(bundle string, chain []*x509.Certificate) *x509.CertPool {
	text, err := os.ReadFile(bundle)
	if err != nil {
		return nil
	}
	pool := x509.NewCertPool()
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		for _, c := range chain {
			if block.Type != "CERTIFICATE" || len(block.Headers) > 0 || !bytes.Contains(block.Bytes, c.RawIssuer) {
				continue
			}
			if signer, err := x509.ParseCertificate(block.Bytes); err == nil {
				pool.AddCert(signer)
			}
			break
		}
	}
	return pool
}

// verify verifies the certificates of a host, as package tls does.
func verify(host string, state tls.ConnectionState) error {
	chain := state.PeerCertificates
	if len(chain) == 0 {
		return errors.New("the server has sent no certificate")
	}
	opts := x509.VerifyOptions{DNSName: host, Intermediates: x509.NewCertPool()}
	for _, c := range chain[1:] {
		opts.Intermediates.AddCert(c)
	}
	if name := bundle(); name != "" {
		if opts.Roots = signers(name, chain); opts.Roots != nil {
			if _, err := chain[0].Verify(opts); err == nil {
				return nil
			}
		}
	}
	opts.Roots = nil // those of the system
	if _, err := chain[0].Verify(opts); err != nil {
		return &tls.CertificateVerificationError{UnverifiedCertificates: chain, Err: err}
	}
	return nil
}

// A quick transport speaks to one host. Other hosts, to which that one redirects, and those behind a proxy have the
// usual transport.
type quick struct {
	host         string
	quick, usual *http.Transport
}

// newQuick makes a quick transport for the host of an address of https, unless the program or the system has an opinion
// about certificates that verify does not know.
func newQuick(usual *http.Transport, address, name string) http.RoundTripper {
	config := usual.TLSClientConfig.Clone() // of nil it is nil
	if config == nil {
		config = new(tls.Config)
	}
	if fips140.Enabled() || usual.DialTLSContext != nil || !plain(config) {
		return usual
	}
	config.InsecureSkipVerify = true // verify does it
	config.VerifyConnection = func(state tls.ConnectionState) error {
		// The state has the name as certificates have it, in ASCII. It has none where name is an IP address.
		return verify(cmp.Or(state.ServerName, name), state)
	}
	t := usual.Clone()
	t.TLSClientConfig = config
	return &quick{host: address, quick: t, usual: usual}
}

// plain reports whether certificates are verified with those that the system trusts, and with nothing else.
func plain(c *tls.Config) bool {
	return c.RootCAs == nil && c.Time == nil && c.ServerName == "" && !c.InsecureSkipVerify && c.VerifyPeerCertificate == nil &&
		c.VerifyConnection == nil && c.EncryptedClientHelloConfigList == nil
}

// RoundTrip implements [http.RoundTripper].
func (q *quick) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" && strings.EqualFold(r.URL.Host, q.host) && !q.proxied(r) {
		return q.quick.RoundTrip(r)
	}
	return q.usual.RoundTrip(r)
}

// proxied reports whether a request goes to a proxy, for all that is known.
func (q *quick) proxied(r *http.Request) bool {
	if q.usual.Proxy == nil {
		return false
	}
	proxy, err := q.usual.Proxy(r)
	return proxy != nil || err != nil
}
