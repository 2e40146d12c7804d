import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '../../infra/program/features';
import { environment, type Settings } from './tidemark';

const ROOT = join(__dirname, '..', '..');

/** Addresses that replace the default ones of the README. */
export interface TourUrls {
  readonly api: string;
  /** Of `GET /devnet`. */
  readonly devnet: string;
  /** Of the local mainnets. */
  readonly ton: string;
  readonly solana: string;
}

/** The commands of the README's tour, aimed at this installation. */
function tourCommands({ api, devnet, ton, solana }: TourUrls): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, script] = /## Five minutes with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)!;
  return script!
    .replaceAll('localhost:3000/devnet', `${devnet}/devnet`)
    .replaceAll('localhost:3000', api)
    .replaceAll('localhost:4100', ton)
    .replaceAll('localhost:4102', solana);
}

/** Runs the README's tour, stopping at the first command that fails. @returns its output */
export async function runTour(places: TourUrls, settings: Settings): Promise<string> {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', tourCommands(places)], {
    cwd: ROOT,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the tour ended with ${code}:\n${printed}`);
  return printed;
}

/** Checks the output of the tour. */
export function expectTour(printed: string): void {
  expect(printed).toContain('"status":"ready"');
  // The transfers of 1.5 TON and 1.5 SOL.
  expect(printed).toMatch(/"amount":"1500000000"[\s\S]*"balance":/);
  expect(printed).toContain('"results":[{"id":"fee-1","result":"recorded"');
  expect(printed).toContain('"totalFee":"1.250000000000000001"');
  expect(printed).toContain('"csv":"id,fee_type,collection_status,fee_amount');
  expect(printed).toContain('"status":409');
  expect(printed).toMatch(/INV-\d{6}-0001/);
  expect(printed).toContain('"status":"void"');
  // As of when the invoice was a draft, and before the first event.
  expect(printed).toMatch(/"status":"draft"[\s\S]*"status":"void"[\s\S]*"status":"draft"/);
  expect(printed).toContain('{"rows":[],"total":0,"page":1,"pageSize":50}');
  expect(printed).toContain('"code":"invalid_request"');
  expect(printed.match(/0 different/g)?.length).toBe(PROJECTIONS.length);
  expect(printed).toMatch(/verified: get_revenue is the answer of the first \d+ of \d+ events/);
  expect(printed).toMatch(/altered: [\s\S]*first differ at position \d+, line 1 of the export\nexit code 2/);
  expect(printed).toMatch(/verified: \d+ events, \d+ of them in the ledger tree/);
}
