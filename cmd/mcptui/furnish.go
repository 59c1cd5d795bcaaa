package main

import (
	"mcptui/client"
	"mcptui/client/answer"
	"mcptui/ui"
)

// furnish adds to the UI's options what it may use of this machine: what is
// kept between runs, the sampler command, the working directory.
func (a *app) furnish(o client.Options, u ui.Options) ui.Options {
	u.Here, u.Declares = here(), o.Capabilities
	if a.flags.sampler != "" {
		u.Sample = (&answer.Sampler{Command: a.flags.sampler, Env: a.Env, Timeout: a.flags.timeout}).Sample
	}
	if a.flags.noState {
		return u
	}
	m, err := a.remembers(o)
	if err != nil {
		a.tell("%s", err) // stands above the screen, and is seen once it is left
	}
	if m != nil {
		u.Memory = m
	}
	return u
}
