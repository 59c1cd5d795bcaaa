package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// Secret is a field that seems to ask for something secret, which a server
// must not do in a form (Elicitation, "Security Considerations": sensitive
// information goes by URL mode).
type Secret struct {
	Path string // JSON Pointer of the value
	Word string // what gave it away
}

// secretWords give a secret away where they stand alone; secretPairs where
// they follow each other.
var (
	secretWords = []string{
		"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "credential", "credentials", "pin",
		"cvv", "cvc", "ssn", "otp", "totp", "card", "iban", "mnemonic", "privatekey", "accesskey", "secretkey", "jwt", "bearer",
	}
	secretPairs = [][2]string{
		{"api", "key"}, {"access", "key"}, {"secret", "key"}, {"private", "key"}, {"ssh", "key"}, {"encryption", "key"},
		{"signing", "key"}, {"license", "key"}, {"recovery", "key"}, {"security", "code"}, {"verification", "code"},
		{"social", "security"}, {"seed", "phrase"}, {"recovery", "phrase"}, {"account", "number"}, {"client", "secret"},
		{"one", "time"}, {"2fa", "code"}, {"pass", "word"}, {"pass", "phrase"},
	}
	// harmless are words after which a secret word means something else.
	harmless = [][2]string{
		{"business", "card"}, {"card", "title"}, {"card", "type"}, {"card", "color"}, {"card", "colour"}, {"id", "card"},
		{"token", "count"}, {"token", "limit"}, {"token", "budget"}, {"pin", "to"}, {"pin", "message"}, {"secret", "santa"},
	}
)

// SecretWord returns the word in text that speaks of a secret, or "".
func SecretWord(text string) string {
	list := words(text)
	for i, w := range list {
		next, before := "", ""
		if i+1 < len(list) {
			next = list[i+1]
		}
		if i > 0 {
			before = list[i-1]
		}
		if slices.Contains(harmless, [2]string{w, next}) || slices.Contains(harmless, [2]string{before, w}) {
			continue
		}
		if slices.Contains(secretPairs, [2]string{w, next}) {
			return w + " " + next
		}
		if slices.Contains(secretWords, w) {
			return w
		}
	}
	return ""
}

// secretName returns the word by which a field seems to ask for a secret. The
// description counts only where it is short: a long one may well say "never
// enter a password here".
func secretName(f *Field) string {
	if f.Format == "password" {
		return "password"
	}
	if strings.EqualFold(f.Name, "key") || strings.EqualFold(f.Title, "key") {
		return "key"
	}
	for _, text := range []string{f.Name, f.Title} {
		if word := SecretWord(text); word != "" {
			return word
		}
	}
	if len(f.Description) <= 80 {
		return SecretWord(f.Description)
	}
	return ""
}

// Secrets returns the fields that seem to ask for something secret. Only text
// can be one: a choice is in the schema already.
func (f *Form) Secrets() []Secret {
	var found []Secret
	left := 1000
	var walk func(field *Field, path string, depth int)
	walk = func(field *Field, path string, depth int) {
		if left--; left < 0 || depth > 6 {
			return
		}
		switch field.Kind {
		case String, Integer, Number:
			if word := secretName(field); word != "" && field.Name != "" {
				found = append(found, Secret{path, word})
			}
		case Object:
			for _, c := range field.Children() {
				walk(c, path+"/"+Escape(c.Name), depth+1)
			}
		case Variant:
			for _, c := range field.Variants() {
				walk(c, path, depth+1)
			}
		}
	}
	walk(f.Root, "", 0)
	return found
}

// Secretive reports whether a value should not be kept: its schema asks for
// something secret, or a member of it, however deep, is named like one.
func Secretive(schemaJSON, value []byte) bool {
	if len(Parse(schemaJSON).Secrets()) > 0 {
		return true
	}
	var v any
	if json.Unmarshal(value, &v) != nil {
		return true // what cannot be read cannot be judged
	}
	return secretMember(v)
}

func secretMember(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if SecretWord(name) != "" || secretMember(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, secretMember)
	}
	return false
}
