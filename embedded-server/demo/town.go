package demo

import (
	"encoding/base64"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What there is in the town.

const (
	winter = "winter"
	summer = "summer"
)

type dish struct {
	name, course, season, about string
}

var dishes = []dish{
	{"bruschetta", "starter", "", "Toasted bread, tomatoes, basil and the good oil."},
	{"fish-soup", "starter", winter, "What the boats brought in, with saffron."},
	{"gnocchi", "main", "", "Potato dumplings with sage butter."},
	{"grilled-sardines", "main", summer, "From the bay, with lemon and fennel."},
	{"ribollita", "main", winter, "Yesterday's soup of beans and black cabbage, better today."},
	{"lemon-granita", "dessert", summer, "Crushed ice and the lemons of the island."},
	{"panna-cotta", "dessert", "", "Cooked cream with a sauce of berries."},
}

func findDish(name string) (dish, bool) {
	for _, d := range dishes {
		if d.name == name {
			return d, true
		}
	}
	return dish{}, false
}

type place struct {
	name, conditions string
	celsius          float64
	windKnots        int
	ferries          []string
}

var places = []place{
	{"Porto Lume", "clear", 18.5, 8, []string{"07:30", "12:00", "17:45"}},
	{"Isola Verde", "light rain", 16, 14, []string{"09:15", "15:30"}},
	{"Capo Nord", "gale", 9.5, 41, nil},
	{"Santa Brina", "fog", 12, 2, []string{"10:00"}},
}

func findPlace(name string) (place, bool) {
	for _, p := range places {
		if p.name == name {
			return p, true
		}
	}
	return place{}, false
}

func placeNames() []string {
	names := make([]string, 0, len(places))
	for _, p := range places {
		names = append(names, p.name)
	}
	return names
}

var rooms = []string{"garden", "harbour", "tower"}

// Icons are data URIs, so that showing one asks nobody.
var (
	lighthouse = svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M6 15 7 5h2l1 10zM6 4h4v1H6zM7 2h2v2H7z"/></svg>`)
	table      = svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 5h14v2H1zM3 7h1v7H3zM12 7h1v7h-1z"/></svg>`)
)

func svg(source string) mcp.Icon {
	return mcp.Icon{
		Source:   "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(source)),
		MIMEType: "image/svg+xml",
		Sizes:    []string{"any"},
	}
}
