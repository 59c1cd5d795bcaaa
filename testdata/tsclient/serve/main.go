// Command serve runs the server of package matrix for a client that is not
// written in Go: over stdio, or over HTTP, where it prints its URL and ends with
// its standard input. With -table it prints what a client should see there.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"mcptui/testdata/matrix"
)

func main() {
	overStdio := flag.Bool("stdio", false, "serve standard input and output")
	table := flag.Bool("table", false, "print the kinds of ask and the revisions as JSON")
	flag.Parse()
	if err := run(*overStdio, *table); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(overStdio, table bool) error {
	if table {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"revisions": matrix.Revisions, "kinds": matrix.Kinds})
	}
	e, err := matrix.New()
	if err != nil {
		return err
	}
	defer e.Close()
	if overStdio {
		return e.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	front := &http.Server{Handler: e}
	ended := make(chan error, 1)
	go func() { ended <- front.Serve(l) }()
	fmt.Printf("http://%s/mcp\n", l.Addr())
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil { // until whoever started it is gone
		return err
	}
	e.Close()
	if err := front.Close(); err != nil {
		return err
	}
	<-ended
	return nil
}
