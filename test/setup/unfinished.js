const { clearInterval, setInterval } = require('node:timers');
const process = require('node:process');

const MINUTE_MS = 60_000;
/** A test that runs for longer is named, each time that so long has passed. */
const LONG_MINUTES = 5;

/** Reporter of jest that names the tests that do not end: a run that is stopped at its limit has said what it waited for. */
module.exports = class Unfinished {
  #running = new Map();

  onRunStart() {
    this.#timer = setInterval(() => this.#say(), LONG_MINUTES * MINUTE_MS);
    this.#timer.unref();
  }

  onTestCaseStart({ path }, { ancestorTitles, title }) {
    this.#running.set(path, { title: [...ancestorTitles, title].join(' '), since: Date.now() });
  }

  onTestFileStart({ path }) {
    this.#running.set(path, { title: 'before its first test', since: Date.now() });
  }

  onTestCaseResult({ path }, { fullName }) {
    this.#running.set(path, { title: `after ${fullName}`, since: Date.now() });
  }

  onTestFileResult({ path }) {
    this.#running.delete(path);
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #timer;

  #say() {
    for (const [path, { title, since }] of this.#running) {
      const minutes = Math.floor((Date.now() - since) / MINUTE_MS);
      if (minutes < LONG_MINUTES) continue;
      process.stderr.write(
        `RUNNING for ${minutes} minutes: ${path.replace(`${process.cwd()}/`, '')}: ${title}\n`,
      );
    }
  }
};
