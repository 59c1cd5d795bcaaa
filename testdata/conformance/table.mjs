// Prints what the conformance suite found, one line a scenario: table.mjs REVISION OUTPUT RESULTS.
// Fails where a scored scenario fails, where one that this project holds itself to does, and at a
// warning in a scenario of input-required results.
import fs from 'node:fs';
import path from 'node:path';

const [revision, output, results] = process.argv.slice(2);
const beside = ['http-header-validation', 'http-custom-header-server-validation', 'json-schema-2020-12'];
const text = fs.readFileSync(output, 'utf8');

// The summary has a line for each scenario, and names those that are not scored.
const unscored = new Map();
const counted = new Map();
for (const line of text.slice(text.lastIndexOf('=== SUMMARY ===')).split('\n')) {
  let m = line.match(/^\S+ (\S+): (\d+) passed, (\d+) failed/);
  if (m) counted.set(m[1], { passed: +m[2], failed: +m[3] });
  m = line.match(/^\s+\S+ (\S+) \(([^)]+)\)$/);
  if (m) unscored.set(m[1], m[2]);
}
if (counted.size === 0) {
  process.stderr.write(text);
  console.error(`${revision}: the suite printed no summary`);
  process.exit(1);
}

// Warnings are only in the files; the folder of a scenario ends in a time.
const warnings = new Map();
for (const dir of fs.existsSync(results) ? fs.readdirSync(results) : []) {
  const file = path.join(results, dir, 'checks.json');
  if (!fs.existsSync(file)) continue;
  const name = [...counted.keys()].filter(n => dir.replace(/^(server|client)-/, '').startsWith(n + '-2')).sort((a, b) => b.length - a.length)[0];
  const n = JSON.parse(fs.readFileSync(file, 'utf8')).filter(c => c.status === 'WARNING').length;
  if (name) warnings.set(name, (warnings.get(name) ?? 0) + n);
}

const width = Math.max(...[...counted.keys()].map(n => n.length));
let bad = 0, scored = 0, scoredPassed = 0;
console.log(`\n${revision}`);
for (const [name, c] of counted) {
  const warned = warnings.get(name) ?? 0;
  const isScored = !unscored.has(name);
  const counts = isScored || beside.includes(name);
  const ok = c.failed === 0 && !(warned && name.startsWith('input-required-result-'));
  if (isScored) { scored++; if (ok) scoredPassed++; }
  if (counts && !ok) bad++;
  const verdict = ok ? 'ok' : counts ? 'FAILED' : 'failed';
  console.log(`  ${name.padEnd(width)}  ${String(c.passed).padStart(3)} passed  ${String(c.failed).padStart(3)} failed  ${String(warned).padStart(3)} warned  ${verdict}${isScored ? '' : `  (not scored: ${unscored.get(name)})`}`);
}
console.log(`  ${scoredPassed} of ${scored} scored scenarios pass`);
process.exit(bad ? 1 : 0);
