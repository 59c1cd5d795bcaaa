package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "mcptui/ui/internal/screentest"
)

const booking = `{"type":"object","properties":{
 "date":{"type":"string","format":"date","title":"Date","description":"The day of the visit."},
 "seats":{"type":"integer","minimum":1,"maximum":12,"default":2,"title":"Seats"},
 "area":{"type":"string","enum":["inside","terrace","bar"],"title":"Area"},
 "note":{"type":"string","title":"Note","maxLength":200},
 "ok":{"type":"boolean","title":"Agreed"}},"required":["date","ok"]}`

func TestFillAndSend(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {120, 36}} {
		t.Run(itoa(size[0])+"x"+itoa(size[1]), func(t *testing.T) {
			s := asked(t, booking, size[0], size[1])
			s.WaitFor("> *Date")
			s.Golden("open")
			s.Type("2026-12-04", Tab)
			s.WaitFor("> ", "Seats")
			s.Type(Backspace, "4", Tab)
			s.WaitFor(`"seats"`)
			s.Type("terr", Tab, "Zoë 日本", Tab)
			s.Type(Right)
			s.WaitFor("> *Agreed (●) true")
			s.Golden("filled")
			s.Type(CtrlS)
			s.WaitFor("SENT")
			require.Contains(t, strings.ReplaceAll(s.Text(), "\n", ""), `{"date":"2026-12-04","seats":4,"area":"terrace","note":"Zoë 日本","ok":true}`)
		})
	}
}
