// A pane shows one view of a kernel, or tables about it.

const groups = [
	['go', 'Go'], ['cpu', 'SSA cpu'], ['cpp', 'C++'], ['asm', 'assembly'], ['cuda', 'SSA cuda'], ['cu', 'CUDA'], ['ptx', 'PTX'], ['sass', 'SASS'],
	['facts', 'facts'], ['remarks', 'remarks'], ['checks', 'checks'], ['cost', 'cost'], ['cache', 'cache, time'], ['changes', 'changes'],
];
const tables = new Set(['facts', 'remarks', 'checks', 'cost', 'cache', 'changes']);

class Pane {
	constructor(root, id) {
		this.root = root;
		this.id = id;      // the view, or the table
		this.here = -1;    // the line that keys move
		this.marked = true;
		let over = -1; // the line that is pointed at
		root.addEventListener('mouseover', e => { const i = this.lineAt(e); if (i >= 0 && i !== over) light(this, i); over = i; });
		root.addEventListener('mouseleave', () => { over = -1; light(pinned.pane, pinned.line); });
		root.addEventListener('focusin', () => activate(this));
		root.addEventListener('click', e => this.click(e));
	}

	get hidden() { return this.root.hidden; }
	get isTable() { return tables.has(this.id); }

	// kernel is the one that is shown, of the version that this pane shows.
	get kernel() { return kernelOf(this.versionIndex); }
	get versionIndex() { return page.version === 'both' ? (this === panes.b ? 1 : this === panes.a ? 0 : 1) : page.version; }

	// view is what is shown, null for a table.
	get view() {
		if (this.isTable) return null;
		const k = this.kernel;
		return k && (k.byID.get(this.id) || k.views.find(v => v.group === this.id.split('/')[0]) || k.byID.get('go'));
	}

	lineAt(e) {
		const row = e.target.closest && e.target.closest('.row');
		return row && row.dataset.i !== undefined ? Number(row.dataset.i) : -1;
	}

	click(e) {
		activate(this);
		const i = this.lineAt(e);
		if (i < 0) return;
		if (e.target.closest('a')) e.preventDefault();
		if (String(getSelection()) !== '') return; // somebody copies text
		pin(this, i);
	}

	show(id) {
		if (id === this.id && this.drawn === this.state()) return;
		this.id = id;
		this.here = -1;
		this.draw();
	}

	state() { return [this.id, page.kernel, page.version, this.marked].join('\n'); }

	draw() {
		this.drawn = this.state();
		this.root.replaceChildren(this.bar());
		if (!this.kernel) { this.root.append(element('div', 'missing', 'This version has no such kernel.')); return; }
		if (this.isTable) { this.root.append(tableOf(this)); return; }
		const view = this.view;
		if (view.missing) {
			const box = element('div', 'missing');
			box.append(element('strong', '', 'Not here: '), view.missing);
			this.root.append(box);
			return;
		}
		this.body = element('div', 'text');
		this.body.tabIndex = 0;
		this.body.setAttribute('role', 'list');
		this.body.innerHTML = '<div class=rows>' + this.rows(view).join('') + '</div>';
		this.root.append(this.body);
		this.byLine = [];
		for (const r of this.body.firstChild.children) if (r.dataset.i) this.byLine[r.dataset.i] = r;
		this.lighted = [];
		// The kernel comes behind what it needs.
		const first = view.id === 'go' ? -1 : shown(view).go.findIndex(p => p >= 0);
		if (first > 20) this.body.scrollTop = this.row(first).offsetTop - 40;
		if (page.version === 'both' && this !== panes.go) this.body.addEventListener('scroll', () => followScroll(this));
	}

	// compared is what the lines of a view are compared with: the other version's, or the stage before; null for nothing.
	compared(view) {
		if (page.version === 'both') {
			if (this === panes.b && this.id !== panes.a.id) return null;
			const k = kernelOf(this.versionIndex === 1 ? 0 : 1);
			return k ? k.byID.get(view.id) || null : null;
		}
		return this.marked && view.before ? view.kernel.byID.get(view.before) : null;
	}

	rows(view) {
		const from = shown(view), list = [], lines = from.lines;
		const start = view.id === 'go' ? new Map(view.files.map(f => [f.at, []])) : new Map();
		if (view.id === 'go') view.files.forEach(f => start.get(f.at).push(f.gap ? '<div class=gap>&#8942;</div>' : '<div class=file>' + escape(f.name) + '</div>'));
		const one = (i, cls, sign) => {
			for (const head of start.get(i) || []) list.push(head);
			const label = view.id === 'go' ? view.labels[i] : i + 1;
			list.push('<div class="row' + cls + '" data-i=' + i + '><a tabindex=-1 href="' + escape(hashOf(view, i)) + '">' + label + '</a><b>' + (sign || this.badge(view, i)) + '</b><span>' + D.lines[lines[i]] + '</span>' + this.chips(view, i) + '</div>');
		};
		const other = this.compared(view), alone = this === panes.go;
		if (!other || view.same && page.version !== 'both') {
			for (let i = 0; i < lines.length; i++) one(i, '');
			return list;
		}
		const before = shown(other), both = page.version === 'both', first = both && this.versionIndex === 0;
		const [a, b] = first ? [from, before] : [before, from];
		const runs = diff(keysOf(a), keysOf(b));
		for (let r = 0; r < runs.length; r++) {
			const [kind, i, j, k, l] = runs[r];
			if (kind === ' ') for (let x = 0; x < j - i; x++) one(first ? i + x : k + x, '');
			else if (kind === '+' && !first) for (let x = k; x < l; x++) one(x, ' add', '+');
			else if (kind === '-' && first) for (let x = i; x < j; x++) one(x, ' del', '&minus;');
			else if (!both || alone) for (let x = i; x < j; x++) list.push('<div class="row del"><a></a><b>&minus;</b><span>' + D.lines[before.lines[x]] + '</span></div>');
			if (both && kind !== ' ' && !alone) { // the two versions stay beside each other
				const next = runs[r + 1], removed = kind === '-' ? j - i : 0, added = kind === '+' ? l - k : next && next[0] === '+' ? next[4] - next[3] : 0;
				const pads = first ? added - removed : removed - added;
				if (kind === '-' && next && next[0] === '+') {
					if (!first) continue;
				}
				const paired = kind === '+' && r > 0 && runs[r - 1][0] === '-' ? runs[r - 1][2] - runs[r - 1][1] : 0;
				const missing = kind === '+' ? (first ? (paired ? 0 : l - k) : Math.max(paired - (l - k), 0)) : Math.max(pads, 0);
				for (let x = 0; x < missing; x++) list.push('<div class="row pad"><a></a><b></b><span> </span></div>');
			}
		}
		return list;
	}

	// badge marks a line of Go of which something is said.
	badge(view, i) {
		const said = this.saidOf(view, i);
		if (!said) return '';
		return said.remarks.some(r => r.kind === 'missed') ? '&#9651;' : said.remarks.length > 0 || said.checks.some(c => c.state === 'kept') ? '&#8226;' : '';
	}

	saidOf(view, i) {
		if (view.id !== 'go') return null;
		const p = D.placeOf.get(fileAt(view, i) + ':' + view.labels[i]);
		return p === undefined ? null : view.kernel.said.get(p);
	}

	// chips are the facts of a line of Go in a word each.
	chips(view, i) {
		const said = this.saidOf(view, i);
		if (!said) return '';
		const words = [];
		for (const a of said.accesses) if (a.lanes === undefined && !words.some(w => w[0] === a.pattern)) words.push([a.pattern, a.op + ' ' + a.what + ': ' + a.text]);
		const head = view.kernel.pos; // whose parameters are many
		for (const v of said.values) if (!head || v.pos.line !== head.line || v.pos.file !== head.file) words.push([v.name + ': ' + v.class, v.text]);
		if (said.accesses.some(a => a.masked)) words.push(['masked', 'some lanes do not take part']);
		if (words.length === 0) return '';
		return '<em>' + words.slice(0, 4).map(([w, t]) => '<span class="chip ' + escape(w.split(' ').pop().replace(/.*:/, '')) + '" title="' + escape(t) + '">' + escape(w) + '</span>').join('') + '</em>';
	}

	bar() {
		const bar = element('div', 'bar'), k = this.kernel;
		if (this === panes.go) { bar.append(element('strong', '', 'Go')); return bar; }
		const tabs = element('span', 'tabs');
		tabs.setAttribute('role', 'tablist');
		const current = this.isTable ? this.id : this.view ? this.view.group : '';
		for (const [group, title] of this.groups()) {
			const tab = element('button', '', title);
			tab.dataset.group = group;
			tab.setAttribute('role', 'tab');
			tab.setAttribute('aria-selected', group === current);
			tab.addEventListener('click', () => this.open(group));
			tabs.append(tab, ' ');
		}
		bar.append(tabs);
		if (!k || this.isTable) return bar;
		const view = this.view, beside = k.views.filter(v => v.group === view.group);
		if (beside.length > 1) {
			const choose = element('select', 'stage');
			choose.setAttribute('aria-label', 'stage');
			for (const v of beside) {
				const o = new Option((v.pass ? '\u2003' : '') + v.title + (v.same ? ' (no change)' : ''), v.id, false, v === view);
				choose.append(o);
			}
			choose.addEventListener('change', () => { this.show(choose.value); moved(this); });
			const step = (text, by, title) => { const b = element('button', '', text); b.title = title; b.addEventListener('click', () => this.step(by)); return b; };
			bar.append(step('\u2039', -1, 'the stage before ([)'), choose, step('\u203a', 1, 'the stage behind (])'));
		}
		if (view.before && page.version !== 'both') {
			const label = element('label', ''), box = element('input');
			box.type = 'checkbox';
			box.checked = this.marked;
			box.className = 'marked';
			box.addEventListener('change', () => { this.marked = box.checked; this.draw(); });
			label.append(box, ' changes');
			bar.append(label);
		}
		bar.append(element('span', 'doc', (page.version === 'both' ? D.versions[this.versionIndex].label + ': ' : '') + (view.doc || '')));
		return bar;
	}

	// groups are the tabs.
	groups() {
		const k = this.kernel || { views: [] };
		return groups.filter(([g]) => g !== 'go' && (tables.has(g) ? g !== 'changes' || D.versions.length > 1 : k.views.some(v => v.group === g)));
	}

	open(group) {
		const k = this.kernel, last = this.lastOf && this.lastOf[group];
		(this.lastOf ||= {})[this.isTable ? this.id : this.view.group] = this.id;
		if (tables.has(group)) this.show(group);
		else {
			const all = k.views.filter(v => v.group === group);
			const stages = all.filter(v => !v.pass && !v.same);
			this.show((all.find(v => v.id === last) || all.find(v => v.title === 'optimize') || stages[stages.length - 1] || all[0]).id);
		}
		moved(this);
	}

	// step goes to the next view of the group that has changed something.
	step(by) {
		if (!this.view) return;
		const all = this.view.kernel.views.filter(v => v.group === this.view.group);
		for (let n = all.indexOf(this.view) + by; n >= 0 && n < all.length; n += by) {
			if (!all[n].same) { this.show(all[n].id); moved(this); return; }
		}
	}

	row(i) { return this.body && this.byLine[i] || null; }

	// light colours the lines that are related to one of another pane.
	light(from, line) {
		if (!this.body || this.hidden) return;
		for (const r of this.lighted) r.classList.remove('lit', 'exact');
		this.lighted = [];
		if (!from || line < 0 || !this.view || !from.view) return;
		const { exact, lit } = related(shown(from.view), line, shown(this.view));
		for (const [lines, kind] of [[lit, 'lit'], [exact, 'exact']]) {
			for (const i of lines) {
				const r = this.row(i);
				if (!r) continue;
				r.classList.add(kind);
				this.lighted.push(r);
			}
		}
	}

	// reveal scrolls to the first line that is lit.
	reveal() {
		const r = this.body && (this.body.querySelector('.exact') || this.body.querySelector('.lit'));
		if (r) this.scrollTo(r);
	}

	scrollTo(row) {
		const top = row.offsetTop - this.body.scrollTop;
		if (top < 20 || top > this.body.clientHeight - 60) this.body.scrollTop = row.offsetTop - this.body.clientHeight / 3;
	}

	// move moves the line of the keys.
	move(by) {
		if (!this.body) return;
		const rows = [...this.body.querySelectorAll('.row[data-i]')];
		let at = rows.findIndex(r => Number(r.dataset.i) === this.here);
		at = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
		if (rows[at]) this.stand(Number(rows[at].dataset.i));
	}

	stand(i) {
		this.body.querySelector('.here')?.classList.remove('here');
		this.here = i;
		const r = this.row(i);
		if (!r) return;
		r.classList.add('here');
		this.scrollTo(r);
		light(this, i);
	}

	// next moves to the next change, or the next line that is lit.
	next(by) {
		if (!this.body) return;
		let marks = [...this.body.querySelectorAll('.row.add, .row.del')];
		if (marks.length === 0) marks = [...this.body.querySelectorAll('.row.exact, .row.lit')];
		const starts = marks.filter(r => !marks.includes(r.previousElementSibling));
		const now = this.body.scrollTop + this.body.clientHeight / 3;
		const r = by > 0 ? starts.find(s => s.offsetTop > now + 4) : starts.reverse().find(s => s.offsetTop < now - 4);
		if (r) { this.body.scrollTop = r.offsetTop - this.body.clientHeight / 3; if (r.dataset.i) this.stand(Number(r.dataset.i)); }
	}
}

function element(tag, cls, text) {
	const e = document.createElement(tag);
	if (cls) e.className = cls;
	if (text !== undefined) e.textContent = text;
	return e;
}

function escape(s) { return String(s).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]); }
