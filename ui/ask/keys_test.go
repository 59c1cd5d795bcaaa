package ask

import tea "charm.land/bubbletea/v2"

func keyPress(name string) tea.KeyPressMsg {
	if name == "enter" {
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}
