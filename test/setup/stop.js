const { rmSync } = require('node:fs');
const { env } = require('node:process');

module.exports = function stop() {
  rmSync(env.TMPDIR, { recursive: true, force: true });
};
