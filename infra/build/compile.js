require('../config/supported-node.js');
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

/*
 * Compiles what has changed into dist/, without type-checking: two seconds for all of it, where tsc needs half a minute.
 * `npm start` runs it, and the processes and threads that tests start run from there. `npm run typecheck` checks types.
 */

const ROOT = join(__dirname, '..', '..');
const DIST = join(ROOT, 'dist');
const FOLDERS = ['contracts', 'services', 'indexers', 'projections', 'infra', 'test'];
const SOURCE = /(?<!\.test|\.d)\.tsx?$|^supported-node\.js$/;

const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  // With the annotation, `import()` of a file with several exports has them by name, as of one that tsc has compiled.
  module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

/** What browsers load as modules: names of files stand there without an ending, and are served so. */
const BROWSER = /^infra\/console\/browser\//;
const BROWSER_OPTIONS = {
  ...OPTIONS,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};

/**
 * What assembles the program and its commands: most of it is needed by some roles and commands alone. The OpenAPI document, with its
 * recorded answers, is made when it is first asked for.
 */
const ASSEMBLY =
  /^(?:infra\/(?:cli|engines|program|devnet\/(?:devnet|traffic|page)\.ts)|services\/http\/openapi)/;
const IMPORTED = /\bfrom '([^']+)'/g;

/**
 * What the file imports only when it is first used: packages, and what the assembly of the program names. A command that needs
 * the settings of every feature then does not load all that the features are made of: it takes half of the time.
 */
function lazyImports(source, text) {
  const isAssembly = ASSEMBLY.test(relative(ROOT, source));
  const imported = [...text.matchAll(IMPORTED)].map(([, from]) => from);
  return imported.filter(from => isAssembly || !from.startsWith('.'));
}

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @returns the files of a folder whose names match, at any depth; none of a folder that is not there */
function filesOf(folder, names) {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && names.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name));
}

const targetOf = source => join(DIST, relative(ROOT, source).replace(/\.tsx?$/, '.js'));

/** Atomic: other runs may be reading it. */
function write(file, text) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

function optionsFor(source, text) {
  if (BROWSER.test(relative(ROOT, source))) return BROWSER_OPTIONS;
  return { ...OPTIONS, module: { ...OPTIONS.module, lazy: lazyImports(source, text) } };
}

/** @returns whether it could be compiled. A file with a syntax error fails only what needs it. */
function compile(source, transformSync) {
  const target = targetOf(source);
  try {
    const text = readFileSync(source, 'utf8');
    const { code, map } = transformSync(text, { ...optionsFor(source, text), filename: source });
    mkdirSync(dirname(target), { recursive: true });
    write(`${target}.map`, map);
    write(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
    return true;
  } catch (error) {
    rmSync(target, { force: true });
    process.stderr.write(`not compiled: ${relative(ROOT, source)}: ${String(error).split('\n')[0]}\n`);
    return false;
  }
}

/** Loaded only when there is something to do. @returns null where it is not installed, which it says */
function loadCompiler() {
  try {
    return require('@swc/core').transformSync;
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    process.stderr.write('the packages are not installed: run `npm ci` first\n');
    return null;
  }
}

/** Compiles what is newer than its output, and removes the output of what is no longer there. @returns how many failed */
function compileAll() {
  const started = Date.now();
  const sources = FOLDERS.flatMap(folder => filesOf(join(ROOT, folder), SOURCE));
  const targets = new Set(sources.map(targetOf));
  for (const file of filesOf(DIST, /\.js$/))
    if (!targets.has(file)) for (const old of [file, `${file}.map`]) rmSync(old, { force: true });

  const compilerAt = changedAt(__filename);
  const changed = sources.filter(
    source => changedAt(targetOf(source)) <= Math.max(changedAt(source), compilerAt),
  );
  if (changed.length === 0) return 0;
  const transformSync = loadCompiler();
  if (transformSync === null) return changed.length;
  process.stderr.write(`compiling ${changed.length} of ${sources.length} files ...`);
  const failed = changed.filter(source => !compile(source, transformSync)).length;
  process.stderr.write(` ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  return failed;
}

module.exports = { compileAll };
if (require.main === module) process.exitCode = compileAll() === 0 ? 0 : 1;
