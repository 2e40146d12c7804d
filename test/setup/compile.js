const {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const process = require('node:process');
const { transformSync } = require('@swc/core');

/*
 * Compiles what has changed into dist/, without type-checking: a second, where tsc needs half a minute. The processes
 * and threads that tests start run from there. `npm run typecheck` checks types.
 */

const ROOT = join(__dirname, '..', '..');
const DIST = join(ROOT, 'dist');
const FOLDERS = ['contracts', 'services', 'indexers', 'projections', 'infra', 'test'];

const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  // With the annotation, `import()` of a file with several exports has them by name, as of one that tsc has compiled.
  module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /(?<!\.test|\.d)\.ts$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name));

/** Atomic: other runs may be reading it. */
function write(file, text) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

/** @returns whether it was out of date. A file with a syntax error fails only the tests that need it. */
function compile(source) {
  const target = join(DIST, relative(ROOT, source).replace(/\.ts$/, '.js'));
  if (changedAt(target) > changedAt(source)) return false;
  try {
    const { code, map } = transformSync(readFileSync(source, 'utf8'), { ...OPTIONS, filename: source });
    mkdirSync(dirname(target), { recursive: true });
    write(`${target}.map`, map);
    write(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
  } catch (error) {
    rmSync(target, { force: true });
    process.stderr.write(`not compiled: ${source}: ${String(error).split('\n')[0]}\n`);
  }
  return true;
}

function compileAll() {
  const compiled = FOLDERS.flatMap(folder => sources(join(ROOT, folder))).filter(compile);
  // The build info of tsc is out of date now.
  if (compiled.length > 0)
    for (const name of ['.tsbuildinfo', '.tsbuildinfo-tests']) rmSync(join(DIST, name), { force: true });
}

module.exports = { compileAll };
if (require.main === module) compileAll();
