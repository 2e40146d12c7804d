const { join } = require('node:path');
const process = require('node:process');
const swaggerParser = require('@apidevtools/swagger-parser');

/*
 * node test/openapi/lint.js openapi.json
 *
 * Prints the faults of an OpenAPI document, one a line: those of the rules in redocly.yaml, and of the schema of OpenAPI.
 * A process of its own, because the linter is published as ES modules only, which jest cannot load.
 */

const CONFIG = join(__dirname, '..', '..', 'redocly.yaml');

async function faultsOf(file) {
  const { lint, loadConfig } = await import('@redocly/openapi-core');
  const found = await lint({ ref: file, config: await loadConfig({ configPath: CONFIG }) });
  const faults = found.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  );
  await swaggerParser.validate(file).catch(error => faults.push(`swagger-parser: ${error.message}`));
  return faults;
}

faultsOf(process.argv[2]).then(faults => process.stdout.write(faults.join('\n')));
