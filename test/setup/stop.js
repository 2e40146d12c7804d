const { rmSync } = require('node:fs');
const { env } = require('node:process');

/** After all tests. */
module.exports = function stop() {
  rmSync(env.TMPDIR, { recursive: true, force: true });
};
