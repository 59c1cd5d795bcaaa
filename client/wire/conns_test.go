package wire

import (
	"context"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoConnectionOutlivesItsTransport holds what the library cannot promise: a
// connection that it still takes for busy is closed with the transport, and so is one
// that is dialled meanwhile.
func TestNoConnectionOutlivesItsTransport(t *testing.T) {
	var far []net.Conn
	dialled := func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		far = append(far, theirs)
		return ours, nil
	}
	ended := func(i int) {
		_, err := far[i].Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	}
	var c conns
	first, err := c.own(dialled)(t.Context(), "tcp", "a:1")
	require.NoError(t, err)
	_, err = c.own(dialled)(t.Context(), "tcp", "a:1")
	require.NoError(t, err)
	require.NoError(t, first.Close())
	ended(0)
	require.Len(t, c.open, 1, "one that is closed is forgotten")

	late := c.own(func(ctx context.Context, network, address string) (net.Conn, error) {
		c.close()
		return dialled(ctx, network, address)
	})
	_, err = late(t.Context(), "tcp", "a:1")
	require.ErrorIs(t, err, ErrClosed)
	ended(1)
	ended(2)

	_, err = c.own(func(context.Context, string, string) (net.Conn, error) { return nil, io.ErrUnexpectedEOF })(t.Context(), "tcp", "a:1")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
