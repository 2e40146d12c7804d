const { statSync } = require('node:fs');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/*
 * Loads modules as jest does, once for each test file, but does only once in a process what gives the same result each time:
 * packages are loaded by Node itself and shared by all test files, and each source file is read, compiled and resolved once.
 * Needs the environment of environment.js: what is shared has the same `Error` and `Array` as the tests.
 */

const PARAMETERS = 'module, exports, require, __dirname, __filename, jest';
const PREFIX = `(function (${PARAMETERS}) {`;

const isOfPackage = path => path.includes('/node_modules/');

/** Of all test files that this process runs, as long as the files on disk stay the same. */
const transformed = new Map();
const scripts = new Map();
const resolved = new Map();

module.exports = class SharedModules extends Runtime {
  constructor(...args) {
    super(...args);
    this._resolution.cjsCache = resolved;
    // The cache is shared; the base class empties that of one test file.
    this._resolution.clear = () => undefined;

    const { transformCache, executor } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, options) => {
      const { mtimeMs } = statSync(filename);
      const known = transformed.get(filename);
      if (known?.mtimeMs === mtimeMs) {
        if (known.sourceMap) transformCache.sourceMaps.set(filename, known.sourceMap);
        return known.code;
      }
      const code = transform(filename, options);
      transformed.set(filename, { mtimeMs, code, sourceMap: transformCache.sourceMaps.get(filename) });
      return code;
    };
    // Every run of the script makes a function of its own; what V8 has compiled of it stays.
    executor.compile = (code, filename) => {
      const known = scripts.get(filename);
      if (known?.code === code) return known.script.runInThisContext();
      const script = new Script(`${PREFIX}${code}\n})`, { filename, columnOffset: -PREFIX.length });
      scripts.set(filename, { code, script });
      return script.runInThisContext();
    };
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (
      moduleName !== undefined &&
      !options?.isInternalModule &&
      !this._resolution.isCoreModule(moduleName)
    ) {
      const path = this._resolution.resolveCjs(from, moduleName);
      if (isOfPackage(path)) return require(path);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};
