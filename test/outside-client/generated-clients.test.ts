import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fee, installation } from '../e2e/installation';
import { fundedWallet } from '../e2e/openapi';
import { temporaryFolder } from '../temporary-folder';
import { openApiGenerator, openApiPythonClient, orval, output, runPython } from './generators';

/*
 * Published generators make clients of /openapi.json; each is compiled and used against the running program, and has to show
 * what the API says.
 */

const ROOT = join(__dirname, '..', '..');
const USE = join(ROOT, 'test', 'openapi', 'client');
const folder = temporaryFolder();
const main = installation();
const document = join(folder, 'openapi.json');
let env: NodeJS.ProcessEnv;
let expected: object;

beforeAll(async () => {
  const { url } = main.program;
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text());
  const TON = await fundedWallet(main);
  const POSITION = await main.record([fee('generated-1'), fee('generated-2')]);
  env = { ...process.env, API: url, TOKEN: main.token, TON, POSITION };
  const { body } = await main.get(`/transactions/${TON}?network=mainnet`);
  const { transactions } = body as { transactions: { hash: string }[] };
  expect(transactions).toHaveLength(1);
  const [{ hash }] = transactions as [{ hash: string }];
  expected = { health: 'ready', history: [hash], revenue: ['3.00'], refused: 'invoice_not_found' };
});

/** Compiles strictly, as a user would. @returns what it prints */
async function runTypeScript(project: string): Promise<unknown> {
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'node16',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  await output(process.execPath, [
    join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc'),
    '--project',
    project,
  ]);
  return JSON.parse(await output(process.execPath, [join(project, 'out', 'main.js')], { env }));
}

it('openapi-generator makes one for Python', async () => {
  const client = join(folder, 'python');
  const said = await openApiGenerator(document, 'python', client);
  expect(said).not.toMatch(/ERROR|Inline schema created/);
  expect(await runPython(join(USE, 'openapi_generator.py'), client, env)).toEqual(expected);
});

it('openapi-generator makes one for TypeScript', async () => {
  const project = join(folder, 'typescript-fetch');
  const said = await openApiGenerator(document, 'typescript-fetch', join(project, 'client'));
  expect(said).not.toMatch(/ERROR|Inline schema created/);
  copyFileSync(join(USE, 'typescript_fetch.ts'), join(project, 'main.ts'));
  expect(await runTypeScript(project)).toEqual(expected);
});

it('openapi-python-client makes one', async () => {
  const client = join(folder, 'openapi-python-client');
  const said = await openApiPythonClient(document, client);
  // It knows no images, and of a body that may be of any type only one of the two that are said.
  const known = [/GET \/apps\/image/, /POST \/tonconnect\/message/];
  const warnings = said.match(/^WARNING.*$|^Unable to process.*$/gm) ?? [];
  expect(warnings.filter(line => !known.some(each => each.test(line)))).toEqual([]);
  expect(readdirSync(client)).toContain('tidemark_client');
  expect(await runPython(join(USE, 'openapi_python_client.py'), client, env)).toEqual(expected);
});

it('orval makes one', async () => {
  const project = join(folder, 'orval');
  mkdirSync(project);
  await orval(document, main.program.url, join(project, 'client.ts'));
  copyFileSync(join(USE, 'orval.ts'), join(project, 'main.ts'));
  expect(await runTypeScript(project)).toEqual(expected);
});
