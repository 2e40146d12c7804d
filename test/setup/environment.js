const { AsyncLocalStorage } = require('node:async_hooks');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const process = require('node:process');
const { TestEnvironment } = require('jest-environment-node');
require('./emulator');

/*
 * Tests run in the realm of Node itself instead of one for each test file: an `Error` of Node or of a package is an `Error`
 * of the test, and packages can be shared by all test files of a process, see runtime.js. What a test file changes in the
 * process is changed back after it, and what it leaves in the folder for temporary files, of which each has its own, is deleted.
 */

const replaceAll = (env, values) => {
  for (const name of Object.keys(env)) if (!(name in values)) Reflect.deleteProperty(env, name);
  Object.assign(env, values);
};

const EMITTERS = [process, process.stdout, process.stderr];

const listenersOf = emitter => emitter.eventNames().map(name => [name, emitter.rawListeners(name)]);

/** @returns removes the listeners that were added since */
function rememberListeners(emitter) {
  const before = new Map(listenersOf(emitter));
  return () => {
    for (const [name, now] of listenersOf(emitter))
      for (const listener of now)
        if (!before.get(name)?.includes(listener)) emitter.removeListener(name, listener);
  };
}

/**
 * Contexts that a test file has entered. Jest makes one for each test file, and Node copies all that are enabled whenever a
 * promise is made: without an end to them, the hundredth test file of a process spends most of its time on that.
 */
const contexts = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  contexts.add(this);
  return run.apply(this, args);
};

function disableContexts() {
  for (const context of contexts) context.disable();
  contexts.clear();
}

module.exports = class NodeRealm extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
    const { console } = globalThis;
    const { exit, exitCode, argv, env } = process;
    const before = {
      env: { ...env },
      argv: [...argv],
      symbols: Object.getOwnPropertySymbols(globalThis),
    };
    this.temporaryFolder = mkdtempSync(join(tmpdir(), 'tests-'));
    process.env.TMPDIR = this.temporaryFolder;
    const removeListeners = EMITTERS.map(rememberListeners);
    this.undo = () => {
      globalThis.console = console;
      process.exit = exit;
      process.exitCode = exitCode;
      process.argv = before.argv;
      replaceAll(process.env, before.env);
      for (const remove of removeListeners) remove();
      for (const symbol of Object.getOwnPropertySymbols(globalThis))
        if (
          !before.symbols.includes(symbol) &&
          /^(JEST|EVENT_HANDLERS|RETRY|TEST_TIMEOUT)/.test(symbol.description ?? '')
        )
          Reflect.deleteProperty(globalThis, symbol);
    };
  }

  async teardown() {
    this.undo();
    rmSync(this.temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
    disableContexts();
    await super.teardown();
  }
};
