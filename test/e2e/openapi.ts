import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Address } from '@ton/core';
import { observeExchanges, send, type Exchange } from './client';
import { comparisonWith, resolved, type OpenApiDocument } from './documented';
import { EXAMPLES } from './examples';
import type { Installation } from './installation';
import { pathOf } from './malformed-requests';
import { until } from '../until';

const ROOT = join(__dirname, '..', '..');
const LINT = join(ROOT, 'test', 'openapi', 'lint.js');
const CLIENT = join(ROOT, 'test', 'openapi', 'client', 'main.ts');
const GENERATOR = join(dirname(require.resolve('openapi-typescript')), '..', 'bin', 'cli.js');
/** That of `npm run typecheck`, which takes a tenth of the time of the one before it. */
const COMPILER = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

const run = promisify(execFile);
const node = (...args: readonly string[]) => run(process.execPath, args);

/** As a user of the API may have them. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'node16',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
  outDir: 'out',
};

/** A wallet with one transaction. */
export async function fundedWallet(main: Installation): Promise<string> {
  const { ton } = await main.places();
  const address = new Address(0, Buffer.alloc(32, 'generated client'));
  const { endpoint } = ton.find(({ network }) => network === 'mainnet')!;
  const body = JSON.stringify({ address: address.toRawString(), amount: '1000000000' });
  await send(endpoint, 'POST', '/faucet', { body });
  const account = { tonAddress: address.toString(), solanaAddress: '' };
  await until(
    () => main.post('/transactions/v3', { account, network: 'mainnet' }),
    ({ body: page }) => (page as { data?: unknown[] }).data?.length === 1,
  );
  return account.tonAddress;
}

export function openApi(main: Installation): void {
  /** Those of the suites before this one, too. */
  const exchanges: Exchange[] = [];
  observeExchanges(exchange => {
    if (exchange.url === main.program.url) exchanges.push(exchange);
  });

  const file = join(main.folder, 'openapi.json');
  let document: OpenApiDocument;

  beforeAll(async () => {
    ({ body: document } = await send(main.program.url, 'GET', '/openapi.json'));
    writeFileSync(file, JSON.stringify(document));
  });

  it('has no fault for the published linter and parser', async () => {
    expect((await node(LINT, file)).stdout).toBe('');
  });

  it('has a problem document for every failure but one, which the page /problems names', async () => {
    const failures = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations)
        .flatMap(({ responses }) => Object.entries(responses))
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => ({ name: `${path} ${status}`, response: resolved(document, response) })),
    );
    expect(failures.length).toBeGreaterThan(1_000);
    const others = failures.filter(
      ({ response: { content = {} } }: { response: { content?: object } }) =>
        Object.keys(content).join() !== 'application/problem+json',
    );
    expect(others.map(({ name }) => name)).toEqual(['/health/ready 503']);
  });

  it('is enough for a generator to make a client whose types are true', async () => {
    const folder = join(main.folder, 'client');
    mkdirSync(folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(CLIENT, join(folder, 'main.ts'));
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['main.ts'] }));
    await node(GENERATOR, file, '--output', join(folder, 'api.d.ts'), '--default-non-nullable=false');
    // What the compiler says is on standard output, which the error of a command does not have.
    const compiled = await node(COMPILER, '--project', project).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');

    await until(
      () => main.get('/v2/price'),
      ({ status }) => status === 200,
    );
    const env = { ...process.env, API: main.program.url, TOKEN: main.token, TON: await fundedWallet(main) };
    const { stdout } = await run(process.execPath, [join(folder, 'out', 'main.js')], { env });
    expect(JSON.parse(stdout)).toEqual({
      results: ['recorded'],
      collected: '1.25',
      statuses: ['collected'],
      rows: expect.any(Number) as number,
      unknown: expect.stringContaining('/body/action') as string,
      incomplete: expect.stringContaining('/body/billingPeriod') as string,
      chains: ['ton'],
      timeout: expect.any(Number) as number,
      usd: expect.any(Number) as number,
      isAddressAtFault: true,
      field: '/path/address',
    });
  });

  it('describes every answer: status, headers, media type and body', async () => {
    const compare = comparisonWith(document);
    for (const example of EXAMPLES.filter(({ kind, writes }) => kind !== 'sse' && !writes)) {
      const { method, query, body } = example;
      const search = query ? `?${new URLSearchParams(query).toString()}` : '';
      await send(main.program.url, method, pathOf(example) + search, {
        body: typeof body === 'object' ? JSON.stringify(body) : body,
        headers: { authorization: `Bearer ${main.token}` },
      });
    }
    const found = exchanges.flatMap(exchange => {
      const { operationId, faults } = compare(exchange) ?? { operationId: '', faults: [] };
      return faults.map(fault => `${exchange.method} ${operationId} ${exchange.status}: ${fault}`);
    });
    expect([...new Set(found)]).toEqual([]);
  });
}
