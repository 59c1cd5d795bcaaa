package embeddedserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"

	embeddedserver "mcptui/embedded-server"
)

// A server in the process, asked for its name.
func ExampleServer_Pipe() {
	server, err := embeddedserver.New(embeddedserver.Options{Profile: "demo"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	conn := server.Pipe(context.Background())
	defer conn.Close()

	const discover = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	if _, err := io.WriteString(conn, discover+"\n"); err != nil {
		log.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		log.Fatal(err)
	}
	var response struct {
		Result struct {
			SupportedVersions []string `json:"supportedVersions"`
		} `json:"result"`
	}
	if err := json.Unmarshal(line, &response); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Result.SupportedVersions[0])
	// Output: 2026-07-28
}
