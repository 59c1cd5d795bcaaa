package demo

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var courses = []string{"starter", "main", "dessert"}

// complete gives the values that an argument can have and that begin with what
// was typed. A dish is completed within the course that was chosen before.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var values []string
	ref, arg := req.Params.Ref, req.Params.Argument
	switch {
	case ref.Name == "choose_dish" && arg.Name == "course":
		values = courses
	case ref.Name == "choose_dish" && arg.Name == "dish":
		course := ""
		if req.Params.Context != nil {
			course = req.Params.Context.Arguments["course"]
		}
		values = dishesOf(course)
	case ref.URI == "town://dishes/{dish}" && arg.Name == "dish":
		values = dishesOf("")
	case ref.URI == "town://rooms/{room}" && arg.Name == "room":
		values = rooms
	}
	fitting := []string{}
	for _, v := range values {
		if strings.HasPrefix(v, arg.Value) {
			fitting = append(fitting, v)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: fitting, Total: len(fitting)}}, nil
}

// dishesOf names the dishes of a course, or of all of them.
func dishesOf(course string) []string {
	var names []string
	for _, d := range dishes {
		if course == "" || d.course == course {
			names = append(names, d.name)
		}
	}
	return names
}

func known(values []string, v string) bool { return slices.Contains(values, v) }
