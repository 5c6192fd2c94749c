// Tables about a kernel.

// tableOf is a table as an element.
function tableOf(pane) {
	const box = element('div', 'tables'), k = pane.kernel;
	box.tabIndex = 0;
	({ facts, remarks, checks, cost, cache, changes })[pane.id](box, k, otherKernel(pane));
	box.addEventListener('click', e => {
		const a = e.target.closest('a[data-place]');
		if (!a) return;
		e.preventDefault();
		goTo(a.dataset.place);
	});
	return box;
}

// otherKernel is the same kernel of the other version, where there are two.
function otherKernel(pane) { return D.versions.length > 1 ? kernelOf(pane.versionIndex === 1 ? 0 : 1) : null; }

// placeLink is a link to a line of Go.
function placeLink(pos) {
	if (!pos || !pos.file) return '';
	const at = pos.file + ':' + pos.line;
	return '<a href="#" data-place="' + escape(at) + '">' + escape(at.replace(/^.*[\/\\]/, '')) + '</a>';
}

// rowsOf writes a table. On a phone the last cell of a row stands below the others where it has no head, which is where sentences are.
function rowsOf(heads, rows) {
	return '<table' + (heads.at(-1) === '' ? ' class=prose' : '') + '><tr>' + heads.map(h => '<th' + (h[0] === ' ' ? ' class=num' : '') + '>' + escape(h.trim()) + '</th>').join('') + '</tr>' +
		rows.map(r => '<tr>' + r.map((c, i) => '<td' + (heads[i][0] === ' ' ? ' class=num' : '') + '>' + c + '</td>').join('') + '</tr>').join('') + '</table>';
}

const chip = (word, cls) => '<span class="chip ' + escape(cls || word) + '">' + escape(word) + '</span>';
const code = text => '<code>' + escape(text) + '</code>';

// times is how often there is an access, where that is more than once.
const times = a => a.times > 1 ? ' \u00d7\u2009' + a.times : '';

function facts(box, k) {
	const unseen = 'The code of a thread is not looked at: it is too large with what it calls, or the kernel is the code of a block without loops over its lanes.';
	let html = '<h2>Values</h2><p>Of the threads of a row that run beside each other, in the lanes of a vector or in a warp. A value is uniform where they agree on it, linear where it grows by the same number from each to the next, else varying.</p>';
	html += k.values.length ? rowsOf(['variable', 'class', 'where', 'in', ''], k.values.map(v => [code(v.name), chip(v.class), placeLink(v.pos), code(v.func), escape(v.text)])) : '<p>' + unseen + '</p>';
	const plain = k.accesses.filter(a => a.lanes === undefined), wide = k.accesses.filter(a => a.lanes !== undefined);
	html += '<h2>Memory</h2>';
	html += plain.length ? rowsOf(['access', 'of', 'pattern', 'where', 'in', ''], plain.map(a => [escape(a.op) + times(a), code(a.what), chip(a.pattern), placeLink(a.pos), code(a.func), escape(a.text)])) : '<p>' + (k.values.length ? 'The threads access no memory but their own.' : unseen) + '</p>';
	html += '<h2>Vectors and masks</h2>';
	html += wide.length ? rowsOf(['access', 'of', 'pattern', 'lanes', 'masked', 'where', 'in', ''], wide.map(a => [escape(a.op) + times(a), code(a.what), chip(a.pattern), a.lanes || '', a.masked ? chip('masked', 'linear') : '', placeLink(a.pos), code(a.func), escape(a.text)])) : '<p>There are no vectors of our own for this kernel; see remarks for the reason.</p>';
	const masks = k.remarks.filter(r => r.by === 'mask');
	if (masks.length) html += '<h3>Where masks are</h3>' + rowsOf(['where', ''], masks.map(r => [placeLink(r.pos), escape(r.text)]));
	box.innerHTML = html;
}

// remarkRows is a row for each remark. One that is made at several places is one row with all of them.
function remarkRows(list) {
	const rows = new Map();
	for (const r of list) {
		const key = [r.kind, r.by, r.on, r.func, r.text].join('\n'), link = placeLink(r.pos);
		const row = rows.get(key) || rows.set(key, { remark: r, places: new Set() }).get(key);
		if (link) row.places.add(link);
	}
	return rowsOf(['', 'by', 'on', 'where', 'in', ''], [...rows.values()].map(({ remark: r, places }) =>
		[chip(r.kind), escape(r.by), escape(r.on || ''), [...places].join(' '), code(r.func || ''), escape(r.text)]));
}

function remarks(box, k) {
	const list = k.remarks.filter(r => r.by !== 'mask' && r.by !== 'checks' && r.by !== 'hoist');
	const kept = list.filter(r => r.by === 'gradient');
	const rest = list.filter(r => r.by !== 'gradient');
	let html = '';
	if (kept.length) html += '<h2>What the gradient keeps and computes again</h2>' + remarkRows(kept);
	html += '<h2>What was done, what was not, and why</h2>';
	for (const [kind, title] of [['missed', 'Not done'], ['done', 'Done'], ['note', 'Notes']]) {
		const some = rest.filter(r => r.kind === kind);
		if (some.length) html += '<h3>' + title + '</h3>' + remarkRows(some);
	}
	box.innerHTML = html + (list.length ? '' : '<p>Nobody has anything to say.</p>');
}

const checkChip = c => chip(c.state, c.state === 'kept' ? 'missed' : 'done');

function checks(box, k) {
	let html = '<h2>Checks of a checked build</h2><p>A build with QD_CHECK=1 stops where Go would panic. A check is proven when the kernel is compiled, answered once for all threads by the launch (hoisted), or done by each thread.</p>';
	html += k.checks.length ? rowsOf(['', 'check', 'where', 'in', 'why'], k.checks.map(c => [
		checkChip(c), code(c.check), placeLink(c.pos), code(c.func), c.why.map(escape).join('<br>'),
	])) : '<p>There is nothing to be checked.</p>';
	box.innerHTML = html;
}

// beside shows a number with that of the other version.
function beside(now, was) { return was === undefined || was === now ? escape(now) : '<span class=was>' + escape(was) + '</span><span class=now>' + escape(now) + '</span>'; }

function cost(box, k, other) {
	if (!k.costs.length) { box.innerHTML = '<p class=missing>' + escape((k.byID.get('ptx') || k.views.find(v => v.group === 'ptx') || {}).missing || 'There is no machine code for a GPU.') + '</p>'; return; }
	const fields = [['registers', ' registers'], ['frame', ' frame'], ['spillStores', ' spill stores'], ['spillLoads', ' spill loads'], ['shared', ' shared'], ['local', ' local'], ['constant', ' constant'], ['code', ' code'], ['maxThreads', ' threads']];
	const was = c => other && other.costs.find(o => o.arch === c.arch && o.kernel === c.kernel);
	let html = '<h2>Resources of a GPU</h2><p>Sizes are bytes, for each thread where nothing else is said; shared memory is that of a block, threads are the most that a block can have.</p>';
	html += rowsOf(['kernel', 'arch', ...fields.map(f => f[1])], k.costs.map(c => [code(c.kernel), escape(c.arch), ...fields.map(([f]) => beside(c[f], was(c) ? was(c)[f] : undefined))]));
	html += '<h2>Occupancy</h2><p>How many warps one multiprocessor runs at once, by the size of a block, and what allows no more.</p>';
	html += rowsOf(['kernel', 'arch', ' block', ' blocks', ' warps', '', 'limited by'], k.costs.flatMap(c => (c.occupancy || []).map(o => [code(c.kernel), escape(c.arch), o.block, o.blocks, o.warps + ' of ' + o.most,
		'<span class=meter style="width:' + (6 * o.warps / o.most).toFixed(2) + 'em"></span> ' + Math.round(100 * o.warps / o.most) + '%', escape(o.limit)])));
	const calls = k.costs.flatMap(c => (c.functions || []).map(f => [code(c.kernel), escape(c.arch), code(f.name), f.frame, f.code]));
	if (calls.length) html += '<h2>Calls</h2><p>Functions that NVRTC has not inlined, with the stack frame and the code of each.</p>' + rowsOf(['kernel', 'arch', 'function', ' frame', ' code'], calls);
	const unknown = k.costs.filter(c => !(c.occupancy || []).length);
	if (unknown.length) html += '<p>Of ' + unknown.map(c => escape(c.arch)).join(', ') + ' the limits of a multiprocessor are not known.</p>';
	const warnings = k.costs.flatMap(c => (c.warnings || []).map(w => [escape(c.arch), chip(w.kind, 'missed'), placeLink({ file: w.file, line: w.line }), escape(w.text), escape(w.hint || '')]));
	if (warnings.length) html += '<h2>Local memory</h2>' + rowsOf(['arch', '', 'where', '', 'what to do'], warnings);
	box.innerHTML = html;
}

function cache(box, k, other) {
	let html = '';
	for (const key of k.keys) {
		const was = other && other.keys.find(o => o.target === key.target);
		html += '<h2>Cache key for ' + escape(key.target) + '</h2><p>' + code(key.name) + (was ? was.name === key.name ? ' (the same in both versions)' : ' (another one in the other version)' : '') + '; the cache has ' + escape(key.cached) + '</p>' + (key.of ? '<p>It is that of ' + escape(key.of) + '</p>' : '');
		html += rowsOf(['part', ''], key.parts.map(p => [escape(p.name), code(p.text)]));
		html += '<p>A module of several kernels that are compiled together has a key of its own. A launch first asks for another key, which is made without parsing, of</p>' + rowsOf(['part', ''], key.first.map(p => [escape(p.name), code(p.text)]));
	}
	const most = Math.max(...k.times.map(t => t.nanos), 1);
	const why = new Map(k.way.map(w => [w.group + w.stage, w.why]));
	html += '<h2>Time of each stage</h2>' + rowsOf(['target', 'stage', ' ms', '', ''], k.times.map(t => [escape(t.group), escape(t.stage), (t.nanos / 1e6).toFixed(2), '<span class=meter style="width:' + (10 * t.nanos / most).toFixed(2) + 'em"></span>', escape(why.get(t.group + t.stage) || '')]));
	box.innerHTML = html;
}

// changes lists what differs between the versions of a kernel.
function changes(box) {
	const [a, b] = [kernelOf(0), kernelOf(1)];
	let html = '<h2>' + escape(D.versions[0].label) + ' and ' + escape(D.versions[1].label) + '</h2>';
	if (!a || !b) { box.innerHTML = html + '<p>Only ' + escape(D.versions[a ? 0 : 1].label) + ' has this kernel.</p>'; return; }
	const rows = [];
	const nameOf = v => escape((groups.find(g => g[0] === v.group) || ['', v.group])[1] + (['go', 'cpp', 'asm', 'cu'].includes(v.group) ? '' : ': ' + v.title));
	const has = v => Boolean(v) && !v.missing;
	const lacks = (view, version) => escape(view ? 'not in ' + D.versions[version].label + ': ' + view.missing : 'only in ' + D.versions[1 - version].label);
	for (const v of a.views) if (!v.pass && has(v) && !b.byID.get(v.id)) rows.push([nameOf(v), '', '', lacks(null, 1)]);
	for (const v of b.views) {
		const was = a.byID.get(v.id);
		if (v.pass) continue;
		if (has(was) !== has(v)) rows.push([nameOf(v), '', '', has(v) ? lacks(was, 0) : lacks(v, 1)]);
		if (!has(was) || !has(v) || v.same && was.same) continue;
		let add = 0, del = 0;
		for (const [kind, i, j, k, l] of diff(keysOf(shown(was)), keysOf(shown(v)))) { if (kind === '+') add += l - k; if (kind === '-') del += j - i; }
		rows.push(['<a href="#" data-view="' + escape(v.id) + '">' + nameOf(v) + '</a>', add ? '+' + add : '', del ? '\u2212' + del : '', add || del ? '' : 'the same']);
	}
	html += rowsOf(['text', ' added', ' removed', ''], rows);
	for (const c of b.costs) {
		const was = a.costs.find(o => o.arch === c.arch && o.kernel === c.kernel);
		if (!was) continue;
		const diffs = ['registers', 'frame', 'spillStores', 'spillLoads', 'shared', 'local', 'constant', 'code', 'maxThreads'].filter(f => was[f] !== c[f]);
		html += '<p>' + code(c.kernel) + ' on ' + escape(c.arch) + ': ' + (diffs.length ? diffs.map(f => escape(f) + ' ' + beside(c[f], was[f])).join(', ') : 'costs the same') + '</p>';
	}
	for (const key of b.keys) {
		const was = a.keys.find(o => o.target === key.target);
		if (was) html += '<p>The cache key for ' + escape(key.target) + ' is ' + (was.name === key.name ? 'the same: nothing is compiled again' : 'another one') + '.</p>';
	}
	const id = r => [r.by, r.kind, r.func, r.text].join('\n');
	const [left, right] = [new Set(a.remarks.map(id)), new Set(b.remarks.map(id))];
	const gone = a.remarks.filter(r => !right.has(id(r))), come = b.remarks.filter(r => !left.has(id(r)));
	if (gone.length) html += '<h3>Remarks only about ' + escape(D.versions[0].label) + '</h3>' + remarkRows(gone);
	if (come.length) html += '<h3>Remarks only about ' + escape(D.versions[1].label) + '</h3>' + remarkRows(come);
	box.innerHTML = html;
	box.addEventListener('click', e => {
		const link = e.target.closest('a[data-view]');
		if (!link) return;
		e.preventDefault();
		setVersion('both');
		panes.a.show(link.dataset.view);
		panes.b.show(link.dataset.view);
		activate(panes.a);
		panes.a.next(1);
	});
}

// card shows what is said of a line of Go.
function card(place) {
	const footer = document.getElementById('card'), k = kernelOf(page.version === 'both' ? 1 : page.version);
	const said = place >= 0 && k ? k.said.get(place) : null;
	footer.hidden = !said;
	if (!said) return;
	const p = D.places[place], close = element('button', '', 'close');
	let html = '<strong>' + escape(p[0]) + ':' + p[1] + '</strong>';
	for (const v of said.values) html += '<p>' + code(v.name) + ' ' + chip(v.class) + escape(v.text) + '</p>';
	for (const a of said.accesses) html += '<p>' + escape(a.op) + times(a) + ' ' + code(a.what) + ' ' + chip(a.pattern) + (a.masked ? chip('masked', 'linear') : '') + escape(a.text) + (a.lanes ? ', ' + a.lanes + ' lanes' : '') + '</p>';
	for (const r of said.remarks) html += '<p>' + chip(r.kind) + escape(r.by) + ': ' + escape(r.text) + '</p>';
	for (const c of said.checks) html += '<p>' + checkChip(c) + code(c.check) + ' in a checked build: ' + escape(c.why.join('; ')) + '</p>';
	footer.innerHTML = html;
	close.addEventListener('click', () => { footer.hidden = true; });
	footer.prepend(close);
}
