import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '../servers/installation';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A command with what it prints in its error. @returns its standard output */
export async function output(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    return (await run(command, [...args], { maxBuffer: MAX_OUTPUT, ...options })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A folder of the cache, which is made the first time. */
async function once(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = cached(name);
  if (existsSync(join(folder, '.complete'))) return folder;
  // What an interrupted run has left.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await make(folder);
  await writeFile(join(folder, '.complete'), '');
  return folder;
}

const OPENAPI_GENERATOR = '7.25.0';
const PYTHON_CLIENT = '0.29.1';
const ORVAL = '8.38.0';
/** Orval needs a newer Node than some that run the product. */
const NODE_OF_ORVAL = '24.11.0';

/** A client made by openapi-generator, from Maven Central. @param language `python`, `typescript-fetch`, ... */
export async function openApiGenerator(document: string, language: string, to: string): Promise<string> {
  const jar = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;
  const folder = await once(jar, where =>
    output('mvn', [
      ...['-q', '-B', 'dependency:copy', `-DoutputDirectory=${where}`],
      `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`,
    ]),
  );
  return output('java', ['-jar', join(folder, jar), 'generate', '-i', document, '-g', language, '-o', to]);
}

/** A Python with packages from PyPI. */
async function python(name: string, packages: readonly string[]): Promise<string> {
  const folder = await once(name, async where => {
    await output('python3', ['-m', 'venv', where]);
    await output(join(where, 'bin', 'pip'), ['install', '-q', ...packages]);
  });
  return join(folder, 'bin');
}

/** A client made by openapi-python-client. @returns what it says */
export async function openApiPythonClient(document: string, to: string): Promise<string> {
  const bin = await python(`openapi-python-client-${PYTHON_CLIENT}`, [
    `openapi-python-client==${PYTHON_CLIENT}`,
  ]);
  return output(join(bin, 'openapi-python-client'), ['generate', '--path', document, '--output-path', to]);
}

/** Runs a program with a client that is a Python package in a folder. */
export async function runPython(program: string, client: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const bin = await python('generated-clients-python', [
    'pydantic',
    'python-dateutil',
    'urllib3',
    'httpx',
    'attrs',
  ]);
  return JSON.parse(await output(join(bin, 'python'), [program], { env: { ...env, PYTHONPATH: client } }));
}

/** A client made by orval, of one file, that calls the URL. */
export async function orval(document: string, url: string, target: string): Promise<void> {
  const folder = await once(`orval-${ORVAL}`, where =>
    output('npm', [
      'install',
      '--prefix',
      where,
      '--no-audit',
      '--no-fund',
      `orval@${ORVAL}`,
      `node@${NODE_OF_ORVAL}`,
    ]),
  );
  const config = `${target}.config.js`;
  const client = { input: document, output: { target, client: 'fetch', baseUrl: url } };
  await writeFile(config, `module.exports = ${JSON.stringify({ client })};`);
  const bin = join(folder, 'node_modules', '.bin');
  await output(join(bin, 'node'), [join(bin, 'orval'), '--config', config], {
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
  });
}
