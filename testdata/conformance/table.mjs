// Prints what the conformance suite found, one line a scenario: table.mjs REVISION OUTPUT RESULTS.
// Fails where a scored scenario fails, where one that this project holds itself to does, and at a
// warning in a scenario of input-required results. Scenarios that MCPTUI_CONFORMANCE_EXCUSE (a
// regular expression) matches are shown, and fail nothing.
import fs from 'node:fs';
import path from 'node:path';

const [revision, output, results] = process.argv.slice(2);
const beside = ['http-header-validation', 'http-custom-header-server-validation', 'json-schema-2020-12'];
const excuse = process.env.MCPTUI_CONFORMANCE_EXCUSE ? new RegExp(process.env.MCPTUI_CONFORMANCE_EXCUSE) : null;
const text = fs.readFileSync(output, 'utf8');

// The summary has a line for each scenario, and names those that are not scored.
const unscored = new Map();
const counted = new Map();
for (const line of text.slice(text.lastIndexOf('SUMMARY ===')).split('\n')) {
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

// Warnings are only in the files. A scenario's folder is its name, with "server-" before it in
// server mode, and a time after it.
const warnings = new Map();
for (const file of fs.existsSync(results) ? fs.readdirSync(results, { recursive: true }) : []) {
  if (path.basename(file) !== 'checks.json') continue;
  const name = path.dirname(file).replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
  const n = JSON.parse(fs.readFileSync(path.join(results, file), 'utf8')).filter(c => c.status === 'WARNING').length;
  warnings.set(name, (warnings.get(name) ?? 0) + n);
}
for (const name of counted.keys()) {
  if (counted.get(name).passed + counted.get(name).failed > 0 && !warnings.has(name)) {
    console.error(`${revision}: no results of ${name} below ${results}, so its warnings are not known`);
  }
}

const width = Math.max(...[...counted.keys()].map(n => n.length));
let bad = 0, scored = 0, scoredPassed = 0;
console.log(`\n${revision}`);
for (const [name, c] of counted) {
  const warned = warnings.get(name) ?? 0;
  const isScored = !unscored.has(name);
  const counts = (isScored || beside.includes(name)) && !excuse?.test(name);
  const ok = c.failed === 0 && !(warned && name.startsWith('input-required-result-'));
  if (isScored) { scored++; if (ok) scoredPassed++; }
  if (counts && !ok) bad++;
  const verdict = ok ? 'ok' : counts ? 'FAILED' : 'failed';
  console.log(`  ${name.padEnd(width)}  ${String(c.passed).padStart(3)} passed  ${String(c.failed).padStart(3)} failed  ${String(warned).padStart(3)} warned  ${verdict}${isScored ? '' : `  (not scored: ${unscored.get(name)})`}${excuse?.test(name) ? '  (excused)' : ''}`);
}
console.log(`  ${scoredPassed} of ${scored} scored scenarios pass`);
process.exit(bad ? 1 : 0);
