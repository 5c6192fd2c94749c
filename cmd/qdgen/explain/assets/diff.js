// Differences between two lists of numbers: lines that occur once in both divide them (patience), and what is between is
// compared by Myers' algorithm (1986), up to a number of differences.

const mostDifferences = 800;

// diff gives runs [kind, from a, to a, from b, to b]: ' ' for what is the same, '-' for what only a has, '+' for what only b has.
function diff(a, b) {
	const runs = [];
	const add = (kind, i, j, k, l) => {
		if (i === j && k === l) return;
		const last = runs[runs.length - 1];
		if (last && last[0] === kind) { last[2] = j; last[4] = l; } else runs.push([kind, i, j, k, l]);
	};
	const replace = (i, j, k, l) => { add('-', i, j, k, k); add('+', j, j, k, l); };
	const between = (i, j, k, l) => {
		let p = 0;
		while (i + p < j && k + p < l && a[i + p] === b[k + p]) p++;
		add(' ', i, i + p, k, k + p);
		i += p; k += p;
		let s = 0;
		while (j - s > i && l - s > k && a[j - s - 1] === b[l - s - 1]) s++;
		j -= s; l -= s;
		if (i === j || k === l) replace(i, j, k, l);
		else {
			const marks = unique(a, i, j, b, k, l);
			if (marks.length > 0) {
				for (const [x, y] of marks) {
					between(i, x, k, y);
					add(' ', x, x + 1, y, y + 1);
					i = x + 1; k = y + 1;
				}
				between(i, j, k, l);
			} else myers(a, i, j, b, k, l, add, replace);
		}
		add(' ', j, j + s, l, l + s);
	};
	between(0, a.length, 0, b.length);
	return runs;
}

// unique finds what occurs once in both parts, as far as it is in the same order: the longest ascending sequence.
function unique(a, i, j, b, k, l) {
	const count = new Map();
	for (let x = i; x < j; x++) { const c = count.get(a[x]) || [0, 0, 0, 0]; c[0]++; c[2] = x; count.set(a[x], c); }
	for (let y = k; y < l; y++) { const c = count.get(b[y]); if (c) { c[1]++; c[3] = y; } }
	const pairs = [];
	for (const c of count.values()) if (c[0] === 1 && c[1] === 1) pairs.push([c[2], c[3]]);
	pairs.sort((p, q) => p[0] - q[0]);
	const piles = [], back = [];
	pairs.forEach((p, n) => {
		let lo = 0, hi = piles.length;
		while (lo < hi) { const mid = (lo + hi) >> 1; if (pairs[piles[mid]][1] < p[1]) lo = mid + 1; else hi = mid; }
		back[n] = lo > 0 ? piles[lo - 1] : -1;
		piles[lo] = n;
	});
	const list = [];
	for (let n = piles.length > 0 ? piles[piles.length - 1] : -1; n >= 0; n = back[n]) list.push(pairs[n]);
	return list.reverse();
}

function myers(a, i, j, b, k, l, add, replace) {
	const n = j - i, m = l - k, trace = [];
	let v = new Map([[1, 0]]);
	let d = 0, found = false;
	for (; d <= Math.min(n + m, mostDifferences) && !found; d++) {
		trace.push(new Map(v));
		for (let c = -d; c <= d && !found; c += 2) {
			let x = c === -d || c !== d && (v.get(c - 1) ?? -1) < (v.get(c + 1) ?? -1) ? v.get(c + 1) : v.get(c - 1) + 1;
			while (x < n && x - c < m && a[i + x] === b[k + x - c]) x++;
			v.set(c, x);
			found = x >= n && x - c >= m;
		}
	}
	if (!found) { replace(i, j, k, l); return; }
	const steps = [];
	let x = n, y = m;
	for (let e = d - 1; e >= 0; e--) {
		const w = trace[e], c = x - y;
		const p = c === -e || c !== e && (w.get(c - 1) ?? -1) < (w.get(c + 1) ?? -1) ? c + 1 : c - 1;
		const px = w.get(p), py = px - p;
		while (x > Math.max(px, 0) && y > Math.max(py, 0)) { steps.push([' ', x - 1, x, y - 1, y]); x--; y--; }
		if (e > 0) steps.push(x === px ? ['+', x, x, y - 1, y] : ['-', x - 1, x, y, y]);
		x = Math.max(px, 0); y = Math.max(py, 0);
	}
	for (const [kind, f, g, h, o] of steps.reverse()) add(kind, i + f, i + g, k + h, k + o);
}
