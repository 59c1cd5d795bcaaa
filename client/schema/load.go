package schema

// Load replaces the whole draft by a JSON value. Nothing of it is lost: what
// the form does not know stays, and what nobody changes goes back as it came.
func (d *Draft) Load(raw []byte) error { return d.Root.Load(raw) }

// Load replaces the value of n by JSON.
func (n *Node) Load(raw []byte) error {
	v, err := parse(raw)
	if err != nil {
		return err
	}
	n.touch()
	n.load(v)
	n.touched = true
	return nil
}

// load puts v into n as an untouched value.
func (n *Node) load(v *value) {
	n.text, n.was, n.kept, n.chosen, n.variant, n.children, n.order = "", "", nil, nil, -1, nil, nil
	n.asJSON, n.opened, n.touched = false, false, false
	n.state, n.raw = Set, v.raw
	if v.is('n') && !n.choosesNull() {
		n.state = Null
		return
	}
	if n.draft.made > maxNodes || !n.take(v) {
		n.asJSON = true
		n.text = string(v.raw)
	}
	n.was = n.text
}

func (n *Node) choosesNull() bool {
	if n.Field.Kind != Choice {
		return n.Field.Kind == Variant && !n.Field.Nullable && n.Field.bestVariant(&value{kind: 'n', raw: []byte("null")}) >= 0
	}
	for _, o := range n.Field.Options {
		if string(o.Value) == "null" {
			return true
		}
	}
	return false
}

// fits reports whether the field of n has a way to show v.
func (n *Node) fits(v *value) bool {
	probe := n.draft.node(n.Field, n.Parent, n.Name)
	probe.load(v)
	return !probe.asJSON
}

// take fills n with v as its kind holds it, or reports that it cannot.
func (n *Node) take(v *value) bool {
	f := n.Field
	switch f.Kind {
	case JSON:
		n.text = string(v.raw)
	case String:
		if !v.is('"') {
			return false
		}
		n.text = v.text
	case Integer, Number:
		if !v.is('0') {
			return false
		}
		n.text = string(v.raw)
	case Boolean, Choice:
		i := f.option(v)
		if i < 0 {
			return false
		}
		n.chosen = []int{i}
	case MultiChoice:
		return n.takeChoices(v)
	case Object:
		return n.takeMembers(v)
	case Array:
		return n.takeElements(v)
	case Variant:
		i := -1
		if n.nested() < maxUnions {
			i = f.bestVariant(v)
		}
		if i < 0 {
			return false
		}
		c := n.draft.node(f.Variants()[i], n, n.Name)
		n.variant, n.children, n.opened = i, []*Node{c}, true
		c.load(v)
	}
	return true
}

// maxUnions bounds how many unions may stand directly within each other.
const maxUnions = 4

// nested counts the unions that n stands directly within.
func (n *Node) nested() int {
	count := 0
	for p := n.Parent; p != nil && p.Field.Kind == Variant; p = p.Parent {
		count++
	}
	return count
}

// option returns the index of the option that equals v, or -1.
func (f *Field) option(v *value) int {
	for i, o := range f.Options {
		if string(o.Value) == string(v.raw) {
			return i
		}
	}
	if v.is('"') && len(f.Options) > 0 && plainString(v.raw) {
		// Only an option with escapes could still be the same string.
		for i, o := range f.Options {
			if o.Value[0] == '"' && !plainString(o.Value) && equal(mustParse(o.Value), v) {
				return i
			}
		}
		return -1
	}
	for i, o := range f.Options {
		if equal(mustParse(o.Value), v) {
			return i
		}
	}
	return -1
}

func plainString(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' {
			return false
		}
	}
	return true
}

func (n *Node) takeChoices(v *value) bool {
	if !v.is('[') {
		return false
	}
	chosen := make([]int, 0, len(v.items))
	seen := map[int]bool{}
	for _, e := range v.items {
		i := n.Field.option(e)
		if i < 0 || seen[i] {
			return false // a choice made twice cannot be shown as a set of choices
		}
		seen[i] = true
		chosen = append(chosen, i)
	}
	n.chosen, n.opened = chosen, true
	return true
}

func (n *Node) takeMembers(v *value) bool {
	if !v.is('{') {
		return false
	}
	members := v.unique()
	byName := make(map[string]*value, len(members))
	for _, m := range members {
		byName[m.name] = m.value
		n.order = append(n.order, m.name)
	}
	n.opened = true
	for _, f := range n.Field.Children() {
		c := n.draft.node(f, n, f.Name)
		n.children = append(n.children, c)
		if e, ok := byName[f.Name]; ok {
			c.load(e)
			delete(byName, f.Name)
		}
	}
	for _, m := range members {
		if e, ok := byName[m.name]; ok {
			c := n.unknownMember(m.name)
			n.children = append(n.children, c)
			c.load(e)
		}
	}
	return true
}

func (n *Node) takeElements(v *value) bool {
	if !v.is('[') || len(v.items) > maxElements {
		return false
	}
	n.opened = true
	for i, e := range v.items {
		f := n.elementField(i)
		if f == nil {
			f = n.draft.Form.anyField() // one too many: Check says so
		}
		c := n.draft.node(f, n, "")
		n.children = append(n.children, c)
		c.load(e)
	}
	return true
}

// bestVariant returns the variant that v is valid for, else the one whose kind
// and constants it has, else -1.
func (f *Field) bestVariant(v *value) int {
	variants := f.Variants()
	best, score := -1, 0
	for i, c := range variants {
		if s := c.likeness(v, 0); s > score {
			best, score = i, s
		}
	}
	if best < 0 {
		return -1
	}
	// Where several are alike, the validator decides.
	alike := 0
	for _, c := range variants {
		if c.likeness(v, 0) > 0 {
			alike++
		}
	}
	if alike > 1 {
		for i, c := range variants {
			if c.likeness(v, 0) > 0 && len(f.form.variantProblems(c, v)) == 0 {
				return i
			}
		}
	}
	return best
}

// likeness says how much v looks like a value of f: 0 for not at all.
func (f *Field) likeness(v *value, depth int) int {
	switch f.Kind {
	case JSON:
		return 1
	case String:
		return score(v.is('"'), 2)
	case Number:
		return score(v.is('0'), 2)
	case Integer:
		return score(v.is('0') && isInteger(string(v.raw)), 3)
	case Boolean, Choice:
		return score(f.option(v) >= 0, 4)
	case MultiChoice:
		for _, e := range v.elements() {
			if f.option(e) < 0 {
				return 0
			}
		}
		return score(v.is('['), 3)
	case Array:
		return score(v.is('['), 2)
	case Variant:
		if depth > 3 { // unions within unions multiply
			return 1
		}
		for _, c := range f.Variants() {
			if c.likeness(v, depth+1) > 0 {
				return 2
			}
		}
		return score(v.is('n') && f.Nullable, 2)
	}
	if !v.is('{') {
		return 0
	}
	points := 10
	for _, c := range f.Children() {
		e := v.get(c.Name)
		switch {
		case e == nil && c.Required:
			points -= 2
		case e == nil:
		case c.Kind == Choice && c.option(e) < 0:
			points -= 5
		default:
			points++
		}
	}
	return max(points, 1)
}

func score(yes bool, points int) int {
	if yes {
		return points
	}
	return 0
}
