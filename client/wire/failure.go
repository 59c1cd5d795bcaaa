package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// explain puts into words why an exchange failed, and what to try.
func explain(err error, target *url.URL) string {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		dns      *net.DNSError
		timeout  net.Error
	)
	host := target.Host
	var op *net.OpError
	switch {
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy cannot be reached (" + lastWords(op.Err) + "); check HTTP_PROXY, HTTPS_PROXY and NO_PROXY"
	case errors.As(err, &unknown):
		return "TLS: the certificate of " + host + " is signed by an unknown authority" + issuer(unknown.Cert) +
			"; give its authority with --ca FILE, or try --insecure"
	case errors.As(err, &hostname):
		return "TLS: the certificate is valid for " + validFor(hostname.Certificate) + ", not for " + hostname.Host +
			"; use a name that it is valid for, or try --insecure"
	case errors.As(err, &invalid):
		return "TLS: " + invalidity(invalid) + "; have it renewed, or try --insecure"
	case errors.As(err, &record):
		return "TLS: " + host + " does not speak TLS on this port; try http:// instead of https://"
	case errors.As(err, &alert):
		return "TLS: the server refused the handshake: " + alert.Error()
	case errors.As(err, &dns):
		return "the name " + dns.Name + " cannot be resolved (" + dns.Err + "); check the URL's spelling and the network"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at " + host + " (connection refused); start the server, or correct the port"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server cut the connection (" + lastWords(err) + ")"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the server cut the connection before its answer was complete"
	case errors.Is(err, context.Canceled):
		return "closed by mcptui"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer from " + host + " in time (" + lastWords(err) + ")"
	case strings.Contains(err.Error(), "malformed HTTP response"), strings.Contains(err.Error(), "malformed HTTP status"):
		return "what listens at " + host + " does not speak HTTP: " + lastWords(err)
	}
	return lastWords(err)
}

func issuer(cert *x509.Certificate) string {
	switch {
	case cert == nil:
		return ""
	case cert.Issuer.String() == cert.Subject.String():
		return " (self-signed: " + cert.Subject.String() + ")"
	}
	return " (" + cert.Issuer.String() + ")"
}

func validFor(cert *x509.Certificate) string {
	if cert == nil {
		return "another name"
	}
	names := append([]string(nil), cert.DNSNames...)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		names = []string{cert.Subject.CommonName}
	}
	return strings.Join(names, ", ")
}

func invalidity(e x509.CertificateInvalidError) string {
	if e.Reason == x509.Expired && e.Cert != nil {
		if strings.Contains(e.Detail, "not yet valid") {
			return "the certificate is valid from " + e.Cert.NotBefore.Format("2006-01-02") + " only (or this clock is wrong)"
		}
		return "the certificate expired on " + e.Cert.NotAfter.Format("2006-01-02")
	}
	return e.Error()
}

// lastWords drops what the layers of the library put in front of a cause.
func lastWords(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return fmt.Sprintf("%s %s: %v", op.Op, op.Net, op.Err)
	}
	var in *url.Error
	if errors.As(err, &in) {
		return in.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), "net/http: ")
}
