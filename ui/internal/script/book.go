package script

import (
	"encoding/json"
	"time"
)

// Tools are the entries of a catalogue like the embedded server's.
var Tools = []string{
	`{"name":"greet","description":"Asks for a name, then says hello.","inputSchema":{"type":"object"}}`,
	`{"name":"book_table","title":"Book a table","description":"Books a table in three questions: when, how many seats, and whether it is right.","inputSchema":{"type":"object","properties":{"restaurant":{"type":"string","default":"Chez Ada"}}}}`,
	`{"name":"add","description":"Adds two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]},"annotations":{"readOnlyHint":true}}`,
	`{"name":"delete_branch","description":"Deletes a branch, once you confirm.","inputSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]},"annotations":{"destructiveHint":true}}`,
}

// Ask forms of book_table.
var (
	When    = Want{"when", "elicitation/create", json.RawMessage(`{"message":"When would you like to come?","requestedSchema":{"type":"object","properties":{"date":{"type":"string","format":"date","title":"Date","description":"The day of your visit."}},"required":["date"]}}`)}
	Seats   = Want{"seats", "elicitation/create", json.RawMessage(`{"message":"How many seats, and where?","requestedSchema":{"type":"object","properties":{"seats":{"type":"integer","minimum":1,"maximum":12},"area":{"type":"string","enum":["inside","terrace"],"default":"inside"}},"required":["seats"]}}`)}
	Confirm = Want{"confirm", "elicitation/create", json.RawMessage(`{"message":"A table for 4 on 2026-12-04, inside. Shall I book it?","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean","title":"Book it"}},"required":["ok"]}}`)}
)

type m = map[string]any

func accept(content m) m { return m{"action": "accept", "content": content} }

// Catalogue fills the four lists.
func (s *Script) Catalogue() {
	s.List("tools/list", "tools", Tools...)
	s.List("prompts/list", "prompts", `{"name":"review","description":"Asks for a review of a text.","arguments":[{"name":"text","required":true}]}`)
	s.List("resources/list", "resources", `{"name":"menu","uri":"demo://menu","description":"Today's menu.","mimeType":"text/plain"}`)
	s.List("resources/templates/list", "resourceTemplates", `{"name":"table","uriTemplate":"demo://tables/{id}","description":"One table."}`)
}

// Book plays a call of book_table up to a number of answers; with three it ends.
func (s *Script) Book(answers int) *Call {
	c := s.Call("book_table", m{"restaurant": "Chez Ada"})
	s.Wait(12 * time.Millisecond)
	req := "k1Zc0pJ5xQ9vT2mB"
	c.Asks(m{"req": req, "asked": m{"when": m{"method": "elicitation/create"}}}, When)
	if answers == 0 {
		return c
	}
	s.Wait(4200 * time.Millisecond)
	when := accept(m{"date": "2026-12-04"})
	c.Answer("when", when)
	s.Wait(9 * time.Millisecond)
	c.Asks(m{"req": req, "asked": m{"seats": m{"method": "elicitation/create"}}, "answers": m{"when": when}}, Seats)
	if answers == 1 {
		return c
	}
	s.Wait(6800 * time.Millisecond)
	seats := accept(m{"seats": 4, "area": "inside"})
	c.Answer("seats", seats)
	s.Wait(8 * time.Millisecond)
	c.Asks(m{"req": req, "asked": m{"confirm": m{"method": "elicitation/create"}}, "answers": m{"when": when, "seats": seats}}, Confirm)
	if answers == 2 {
		return c
	}
	s.Wait(2100 * time.Millisecond)
	c.Answer("confirm", accept(m{"ok": true}))
	s.Wait(15 * time.Millisecond)
	c.Done("Booked: a table for 4 on 2026-12-04, inside, at Chez Ada.")
	return c
}
