package picker

import _ "mcptui/ui/internal/screentest" // go test ./ui/... -update: the flag is known here too
