const process = require('node:process');
const { TestEnvironment } = require('jest-environment-node');

/*
 * Tests run in the realm of Node itself instead of one for each test file: an `Error` of Node or of a package is an `Error`
 * of the test, and packages can be shared by all test files of a process, see runtime.js. What a test file changes in the
 * process is changed back after it.
 */

const replaceAll = (env, values) => {
  for (const name of Object.keys(env)) if (!(name in values)) delete env[name];
  Object.assign(env, values);
};

const listeners = () => new Map(process.eventNames().map(name => [name, process.rawListeners(name)]));

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
      listeners: listeners(),
      symbols: Object.getOwnPropertySymbols(globalThis),
    };
    this.undo = () => {
      globalThis.console = console;
      process.exit = exit;
      process.exitCode = exitCode;
      process.argv = before.argv;
      replaceAll(process.env, before.env);
      for (const [name, now] of listeners())
        for (const listener of now)
          if (!before.listeners.get(name)?.includes(listener)) process.removeListener(name, listener);
      for (const symbol of Object.getOwnPropertySymbols(globalThis))
        if (
          !before.symbols.includes(symbol) &&
          /^(JEST|EVENT_HANDLERS|RETRY|TEST_TIMEOUT)/.test(symbol.description ?? '')
        )
          delete globalThis[symbol];
    };
  }

  async teardown() {
    this.undo();
    await super.teardown();
  }
};
