// What the page shows: D is the data as qdgen has packed it.

let D;

// unpack reads the data.
async function unpack() {
	const zipped = Uint8Array.from(atob(document.getElementById('data').textContent.trim()), c => c.charCodeAt(0));
	const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
	D = JSON.parse(await new Response(stream).text());
	D.placeOf = new Map(D.places.map((p, i) => [p[0] + ':' + p[1], i]));
	for (const v of D.versions) for (const k of v.kernels) prepare(v, k);
	// Lines of Go are the same in two versions only if no line of Go differs.
	const source = v => JSON.stringify(v.files);
	D.sameSource = D.versions.every(v => source(v) === source(D.versions[0]));
}

// prepare numbers the views of a kernel, and adds one of its Go source.
function prepare(version, k) {
	for (const name of ['views', 'remarks', 'checks', 'values', 'accesses', 'costs', 'keys', 'times', 'way']) k[name] ||= [];
	k.title = k.name + (k.given ? ' (' + k.given + ')' : '');
	for (const v of k.views) { v.lines ||= []; v.go ||= []; }
	const go = { id: 'go', group: 'go', title: 'Go', doc: 'the source', lines: [], go: [], labels: [], files: [] };
	version.files.forEach(f => {
		go.files.push({ at: go.lines.length, name: f.name });
		f.parts.forEach((p, n) => {
			if (n > 0) go.files.push({ at: go.lines.length, gap: true });
			p.lines.forEach((line, i) => {
				const number = p.from + i, head = p.heads[i] || number;
				go.lines.push(line);
				go.labels.push(number);
				// A line within a statement is what its first line is, unless code comes from the line itself.
				const own = D.placeOf.get(f.name + ':' + number), whole = D.placeOf.get(f.name + ':' + head);
				go.go.push(own ?? whole ?? -1);
			});
		});
	});
	go.place = go.files;
	k.views.unshift(go);
	k.byID = new Map(k.views.map(v => [v.id, v]));
	for (const v of k.views) {
		v.kernel = k;
		v.version = version;
		v.at = new Map(); // lines by place
		v.go.forEach((p, i) => { if (p >= 0) push(v.at, p, i); });
		if (v.via) v.via.forEach((ps, i) => ps.forEach(p => push(v.at, p, i)));
		v.down = new Map(); // of the view above: lines by its lines
		if (v.ups) v.ups.forEach((u, i) => { if (u > 0) push(v.down, u - 1, i); });
	}
	// What is said of a line, by place.
	k.said = new Map();
	const say = (pos, kind, what) => {
		if (!pos || !pos.file) return;
		let p = D.placeOf.get(pos.file + ':' + pos.line);
		if (p === undefined) { p = D.places.length; D.places.push([pos.file, pos.line]); D.placeOf.set(pos.file + ':' + pos.line, p); }
		const all = k.said.get(p) || { values: [], accesses: [], checks: [], remarks: [] };
		all[kind].push(what);
		k.said.set(p, all);
	};
	k.checks = statesOf(k.checks);
	for (const kind of ['values', 'accesses', 'checks', 'remarks']) k[kind].forEach(x => say(x.pos, kind, x));
	go.lines.forEach((_, i) => {
		const [file, line] = [fileAt(go, i), go.labels[i]], p = D.placeOf.get(file + ':' + line);
		if (p !== undefined && go.go[i] < 0) { go.go[i] = p; push(go.at, p, i); }
	});
}

// statesOf says what has become of each check: of what passes say about it, the last counts.
function statesOf(remarks) {
	const last = new Map(), order = { kept: 0, hoisted: 1, proven: 2 };
	for (const r of remarks) {
		const cut = r.text.indexOf(': '), check = r.text.slice(0, cut), text = r.text.slice(cut + 2), func = r.func.replace(/\.hoisted$/, '');
		const at = [r.pos ? r.pos.file + ':' + r.pos.line + ':' + r.pos.col : '', func, check].join('\n');
		const state = r.by === 'hoist' && r.kind === 'done' ? 'hoisted' : r.kind === 'done' ? 'proven' : 'kept';
		const c = last.get(at) || { pos: r.pos, func, check, state: 'kept', open: new Set(), answer: '' };
		if (state === 'kept') c.open.add((r.by === 'hoist' ? 'by the launch: ' : 'by proof: ') + text);
		// Without the checks that the launch answers more is proven, which says nothing of the kernel itself.
		if (order[state] >= order[c.state] && !(r.func !== func && state === 'proven')) { c.state = state; if (state !== 'kept') c.answer = text; }
		last.set(at, c);
	}
	return [...last.values()].map(c => ({ ...c, why: c.state === 'kept' ? [...c.open] : [c.answer, ...(c.state === 'hoisted' ? c.open : [])] }));
}

function push(map, key, x) { const list = map.get(key); if (list) list.push(x); else map.set(key, [x]); }

// fileAt is the file of a line of the Go view.
function fileAt(go, i) {
	let name = '';
	for (const f of go.files) if (!f.gap && f.at <= i) name = f.name;
	return name;
}

// labelOf names a line of a view: its number, or of Go the file and its number.
function labelOf(view, i) { return view.id === 'go' ? fileAt(view, i) + ':' + view.labels[i] : String(i + 1); }

// lineOf finds the line that a label names, -1 for none.
function lineOf(view, label) {
	if (view.id !== 'go') { const n = Number(label); return n >= 1 && n <= view.lines.length ? n - 1 : -1; }
	const at = label.lastIndexOf(':'), file = label.slice(0, at), number = Number(label.slice(at + 1));
	return view.labels.findIndex((n, i) => n === number && fileAt(view, i) === file);
}

// shown is the view whose text a view has: where a stage has changed nothing, that of the one before.
function shown(view) {
	while (view.same && view.before) view = view.kernel.byID.get(view.before);
	return view;
}

// keysOf are the lines of a view as what is compared.
function keysOf(view) { return view.lines.map(n => D.keys[n]); }

// related finds, for a line of one view, the lines of another: exact ones have one instruction or statement of emitted code in common,
// the others a line of Go.
function related(view, i, other) {
	const exact = new Set(), lit = new Set();
	if (view === other) { exact.add(i); }
	if (view.version === other.version && view.kernel === other.kernel) {
		if (view.up === other.id && view.ups && view.ups[i] > 0) exact.add(view.ups[i] - 1);
		if (other.up === view.id) (other.down.get(i) || []).forEach(x => exact.add(x));
		if (view.up && view.up === other.up && view.ups && view.ups[i] > 0) (other.down.get(view.ups[i] - 1) || []).forEach(x => exact.add(x));
	}
	if (view.version === other.version || D.sameSource) {
		const from = view.go[i], add = (p, set) => (other.at.get(p) || []).forEach(x => set.add(x));
		add(from, view.id === 'go' || other.id === 'go' ? exact : lit);
		// What was inlined has come by calls, which are lit too.
		if (other.id === 'go' && view.via) view.via[i].forEach(p => add(p, lit));
	}
	return { exact, lit };
}
