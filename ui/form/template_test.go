package form

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTemplate(t *testing.T) {
	for _, c := range []struct {
		template string
		keys     []string
		sends    string
		want     string
	}{
		{"dish://{name}", []string{"fish & chips"}, `{"name":"fish & chips"}`, "dish://fish%20%26%20chips"},
		{"file:///{+path}", []string{"a/b c"}, `{"path":"a/b c"}`, "file:///a/b%20c"},
		{"x://{a}{?q,lang}", []string{"1", "tab", "tab", "de"}, `{"a":"1","lang":"de"}`, "x://1?lang=de"},
		{"x://{a:3}", []string{"abcdef"}, `{"a":"abcdef"}`, "x://abc"},
		{"x://h{/parts*}", []string{"enter", "enter", "p", "tab", "enter", "q"}, `{"parts":["p","q"]}`, "x://h/p/q"},
		{"x://plain", nil, `{"uri":"x://plain"}`, "x://plain"},
		{"x://{broken", []string{"end", "}"}, `{"uri":"x://{broken}"}`, "x://{broken}"},
		{"x://{a}", nil, `{}`, "x://"},
	} {
		t.Run(c.template, func(t *testing.T) {
			raw, expand := Template(c.template)
			d := begin(t, string(raw), Options{Preview: func(value []byte) string {
				uri, err := expand(value)
				require.NoError(t, err)
				return uri
			}})
			d.keys(c.keys...).sends(c.sends).sees("─▶ " + c.want)
		})
	}
	_, expand := Template("x://{a}")
	_, err := expand([]byte("no JSON"))
	require.Error(t, err)
}
