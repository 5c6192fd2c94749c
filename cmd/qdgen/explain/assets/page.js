// The page: its panes, what is lit in them, the link that names a line, and the keys.

const page = { kernel: 0, version: 0 };
const panes = {};
let active, pinned = { pane: null, line: -1 };

const byID = id => document.getElementById(id);
const visible = () => Object.values(panes).filter(p => !p.hidden);

// kernelOf is the kernel that is shown, in a version; null where that has none of its name.
function kernelOf(version) {
	const name = names[page.kernel];
	return D.versions[version].kernels.find(k => keyOf(k) === name) || null;
}

// Kernels of two versions are the same if they have one name, though they may be given other constants.
const keyOf = k => D.versions.length > 1 ? k.package + ' ' + k.name : k.package + ' ' + k.title;
let names = [];

function activate(pane) {
	active = pane;
	for (const p of Object.values(panes)) p.root.classList.toggle('active', p === pane);
}

// light lights up what a line came from and what it became, in all panes.
function light(pane, line) {
	for (const p of visible()) p.light(pane, line);
}

// pin keeps a line lit, shows the others, and names it in the address.
function pin(pane, line) {
	pinned = { pane, line };
	if (pane.body) { pane.here = -1; pane.stand(line); }
	light(pane, line);
	card(shown(pane.view).go[line]);
	for (const p of visible()) if (p !== pane) p.reveal();
	if (pane.row(line)) pane.scrollTo(pane.row(line));
	history.replaceState(null, '', hashOf(pane.view, line));
}

// unpin lets go of it.
function unpin() {
	pinned = { pane: null, line: -1 };
	light(null, -1);
	byID('card').hidden = true;
}

// moved is called when a pane shows something else.
function moved(pane) {
	if (pinned.pane === pane) unpin();
	else if (pinned.pane) { light(pinned.pane, pinned.line); pane.reveal(); }
	if (!pinned.pane) history.replaceState(null, '', '#' + encodeURIComponent(names[page.kernel]) + '/' + pane.id);
}

// hashOf names a line of a view: #kernel/view:line
function hashOf(view, i) { return '#' + encodeURIComponent(keyOf(view.kernel)) + '/' + view.id + ':' + encodeURIComponent(labelOf(view, i)); }

// follow goes to what the address names.
function follow() {
	const hash = location.hash.slice(1), cut = hash.indexOf('/');
	if (cut < 0) return;
	const kernel = names.indexOf(decodeURIComponent(hash.slice(0, cut)));
	if (kernel < 0) return;
	if (kernel !== page.kernel) setKernel(kernel);
	let id = hash.slice(cut + 1), label = '';
	const colon = id.indexOf(':');
	if (colon >= 0) { label = decodeURIComponent(id.slice(colon + 1)); id = id.slice(0, colon); }
	const pane = id === 'go' ? panes.go : panes.a;
	const k = pane.kernel;
	if (!tables.has(id) && !(k && k.byID.has(id))) return;
	pane.show(id);
	const line = label && pane.view ? lineOf(pane.view, label) : -1;
	if (line >= 0) { activate(pane); pin(pane, line); pane.scrollTo(pane.row(line)); }
}

// goTo shows a line of Go: "file:line".
function goTo(place) {
	const pane = panes.go, i = lineOf(pane.view, place);
	if (i >= 0) pin(pane, i);
}

function setKernel(n) {
	page.kernel = n;
	byID('kernel').selectedIndex = n;
	redraw();
}

function setVersion(v) {
	page.version = v;
	byID('version').value = String(v);
	if (v === 'both') split(true);
	redraw();
}

function redraw() {
	unpin();
	const k = kernelOf(page.version === 'both' ? 1 : page.version);
	const error = byID('error');
	error.hidden = !(k && k.error);
	error.textContent = k && k.error || '';
	for (const p of Object.values(panes)) p.draw();
	const go = panes.go.view;
	if (k && k.pos.file) {
		const row = panes.go.row(lineOf(go, k.pos.file + ':' + k.pos.line));
		if (row) panes.go.body.scrollTop = row.offsetTop - 60;
	}
}

function split(on) {
	panes.b.root.hidden = !on;
	byID('split').setAttribute('aria-pressed', on);
	if (on) {
		if (page.version === 'both') panes.b.id = panes.a.id;
		panes.b.draw();
		if (pinned.pane) { light(pinned.pane, pinned.line); panes.b.reveal(); }
	}
}

// followScroll keeps two versions beside each other.
let following = false;
function followScroll(pane) {
	const other = pane === panes.a ? panes.b : panes.a;
	if (following || !other.body || other.hidden || other.id !== pane.id) return;
	following = true;
	other.body.scrollTop = pane.body.scrollTop;
	requestAnimationFrame(() => { following = false; });
}

function theme() {
	const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	document.documentElement.dataset.theme = dark ? 'light' : 'dark';
}

function key(e) {
	if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
	const order = visible(), at = order.indexOf(active);
	const beside = by => { const p = order[Math.min(Math.max(at + by, 0), order.length - 1)]; activate(p); (p.body || p.root.querySelector('.tables'))?.focus({ preventScroll: true }); };
	const tab = n => { const all = active.groups(); if (active === panes.go) activate(panes.a); if (all[n]) active.open(all[n][0]); };
	const actions = {
		j: () => active.move(1), ArrowDown: () => active.move(1), k: () => active.move(-1), ArrowUp: () => active.move(-1),
		Enter: () => { if (active.here >= 0 && active.view) pin(active, active.here); },
		Escape: unpin, h: () => beside(-1), l: () => beside(1), ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
		'[': () => stepper().step(-1), ']': () => stepper().step(1),
		d: () => { const p = stepper(); p.marked = !p.marked; p.draw(); },
		n: () => active.next(1), p: () => active.next(-1),
		s: () => split(panes.b.hidden), t: theme, '?': () => byID('keys').showModal(),
	};
	if (byID('keys').open) return;
	if (e.target.tagName === 'BUTTON' && e.key === 'Enter') return;
	if (/^[0-9]$/.test(e.key)) tab((Number(e.key) + 9) % 10);
	else if (actions[e.key]) actions[e.key]();
	else return;
	e.preventDefault();
}

const stepper = () => active === panes.go ? panes.a : active;

async function begin() {
	if (!('DecompressionStream' in window)) {
		byID('error').hidden = false;
		byID('error').textContent = 'This browser cannot read compressed data (DecompressionStream); a newer one can.';
		return;
	}
	await unpack();
	names = [...new Set([...D.versions].reverse().flatMap(v => v.kernels.map(keyOf)))];
	page.version = D.versions.length - 1;
	const packages = new Set(D.versions.flatMap(v => v.kernels.map(k => k.package)));
	for (const name of names) byID('kernel').append(new Option(packages.size > 1 ? name : name.slice(name.indexOf(' ') + 1)));
	if (D.versions.length > 1) {
		byID('versions').hidden = false;
		D.versions.forEach((v, i) => byID('version').append(new Option(v.label, i)));
		byID('version').append(new Option('both, beside each other', 'both'));
		byID('version').value = String(page.version);
	}
	panes.go = new Pane(byID('pane-go'), 'go');
	panes.a = new Pane(byID('pane-a'), 'cpp');
	panes.b = new Pane(byID('pane-b'), 'asm');
	activate(panes.a);
	byID('kernel').addEventListener('change', () => setKernel(byID('kernel').selectedIndex));
	byID('version').addEventListener('change', () => setVersion(byID('version').value === 'both' ? 'both' : Number(byID('version').value)));
	byID('split').addEventListener('click', () => split(panes.b.hidden));
	byID('theme').addEventListener('click', theme);
	byID('help').addEventListener('click', () => byID('keys').showModal());
	document.addEventListener('keydown', key);
	addEventListener('hashchange', follow);
	setKernel(0);
	follow();
	document.documentElement.dataset.ready = 'yes';
}

begin();
