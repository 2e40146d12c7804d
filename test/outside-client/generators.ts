import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../servers/installation';
import { FIRST_COMPILER } from '../servers/maven';

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

const OPENAPI_GENERATOR = '7.25.0';
const PYTHON_CLIENT = '0.29.1';
const ORVAL = '8.38.0';
/** Orval needs a newer Node than some that run the product. */
const NODE_OF_ORVAL = '24.11.0';

/** A client made by openapi-generator, from Maven Central. @param language `python`, `typescript-fetch`, ... */
export async function openApiGenerator(document: string, language: string, to: string): Promise<string> {
  const jar = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;
  const folder = await cachedFolder(jar, where =>
    output('mvn', [
      ...['-q', '-B', 'dependency:copy', `-DoutputDirectory=${where}`],
      `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`,
    ]),
  );
  const options = [FIRST_COMPILER, '-XX:+UseSerialGC', '-jar', join(folder, jar)];
  return output('java', [...options, 'generate', '-i', document, '-g', language, '-o', to]);
}

/** Python packages from PyPI, in a folder for `PYTHONPATH`. */
function pythonPackages(name: string, packages: readonly string[]): Promise<string> {
  return cachedFolder(name, folder =>
    output('python3', ['-m', 'pip', 'install', '-q', '--target', folder, ...packages]),
  );
}

/** A client made by openapi-python-client. @returns what it says */
export async function openApiPythonClient(document: string, to: string): Promise<string> {
  const packages = await pythonPackages(`openapi-python-client-${PYTHON_CLIENT}`, [
    `openapi-python-client==${PYTHON_CLIENT}`,
  ]);
  const path = [join(packages, 'bin'), process.env['PATH']].join(delimiter);
  return output(
    'python3',
    ['-m', 'openapi_python_client', 'generate', '--path', document, '--output-path', to],
    { env: { ...process.env, PATH: path, PYTHONPATH: packages } },
  );
}

/** What the clients import. */
const PYTHON_OF_CLIENTS = [
  'attrs==26.1.0',
  'httpx==0.28.1',
  'pydantic==2.14.4',
  'python-dateutil==4.0.0',
  'urllib3==2.8.0',
];

/** Runs a program with a client that is a Python package in a folder. */
export async function runPython(program: string, client: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const packages = await pythonPackages('generated-clients-python', PYTHON_OF_CLIENTS);
  const PYTHONPATH = [client, packages].join(delimiter);
  return JSON.parse(await output('python3', [program], { env: { ...env, PYTHONPATH } }));
}

/** A client made by orval, of one file, that calls the URL. */
export async function orval(document: string, url: string, target: string): Promise<void> {
  const folder = await cachedFolder(`orval-${ORVAL}`, where =>
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
