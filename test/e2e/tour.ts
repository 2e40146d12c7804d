import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECTIONS } from '../../infra/program/features';
import { environment, type Settings } from './tidemark';

const ROOT = join(__dirname, '..', '..');

/** Ends a tour that hangs, before the test is ended, which could not say where. */
const MAX_TOUR_MS = 1_200_000;
/** For the test that runs the tour. */
export const TOUR_TEST_MS = 2 * MAX_TOUR_MS;

/** Of an answer in the message of a failed tour. */
const MAX_SHOWN_CHARACTERS = 2_000;

/** Addresses that replace the default ones of the README. */
export interface TourUrls {
  readonly api: string;
  /** Of `GET /devnet`. */
  readonly devnet: string;
  /** Of the local mainnets. */
  readonly ton: string;
  readonly solana: string;
}

/** A command as it is written in the README, and what it printed. */
interface TourStep {
  readonly command: string;
  readonly printed: string;
}

/** The commands of the README's tour, aimed at this installation, with their files in a folder of their own. */
function tourCommands({ api, devnet, ton, solana }: TourUrls, folder: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [tour] = /^## A tour with curl$[^]*?(?=^## )/m.exec(readme)!;
  return [...tour.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, script]) => script)
    .join('\n')
    .replaceAll('localhost:3000/devnet', `${devnet}/devnet`)
    .replaceAll('localhost:3000', api)
    .replaceAll('localhost:4100', ton)
    .replaceAll('localhost:4102', solana)
    .replaceAll('/tmp/', `${folder}/`);
}

/** Makes bash write each command before it runs, between two separators; functions are not entered. */
const MARK_COMMANDS = String.raw`trap '[ $BASH_SUBSHELL -ne 0 ] || printf "\x1e%s\x1f" "$BASH_COMMAND"' DEBUG`;

const stepsOf = (output: string): TourStep[] =>
  output
    .split('\x1e')
    .slice(1)
    .map(step => {
      const [command = '', printed = ''] = step.split('\x1f');
      return { command, printed };
    });

const shown = ({ command, printed }: TourStep): string =>
  `${command}\n${printed.slice(-MAX_SHOWN_CHARACTERS) || '(nothing printed)'}`;

/** Runs the README's tour. @throws naming the first command that fails, and the end of what it printed */
export async function runTour(places: TourUrls, settings: Settings): Promise<TourStep[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-tour-'));
  try {
    const file = join(folder, 'output');
    // One file for both, so that all is in the order in which it was written.
    const output = openSync(file, 'a');
    const script = `${MARK_COMMANDS}\n${tourCommands(places, folder)}`;
    const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
      cwd: ROOT,
      env: environment(settings),
      stdio: ['ignore', output, output],
      timeout: MAX_TOUR_MS,
      killSignal: 'SIGKILL',
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const steps = stepsOf(readFileSync(file, 'utf8'));
    if (code !== 0) throw new Error(`the tour ended with ${code ?? signal} at ${shown(steps.at(-1)!)}`);
    return steps;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What commands with these words print. */
const EXPECTED: readonly (readonly [command: string, prints: RegExp])[] = [
  ['/health/ready', /"status":"ready"/],
  // The transfers of 1.5 TON and 1.5 SOL.
  ['look', /"amount":"1500000000"/],
  ['/solana/account/', /"balance":/],
  ['/api/fees', /"results":\[{"id":"fee-1","result":"recorded"/],
  ['list_fee_ledger","status":"collected"', /"id":"fee-3"[^]*"total":2,/],
  ['export_revenue_csv', /"csv":"id,fee_type,collection_status,fee_amount/],
  ['"merchantSlug":"ann"', /"csv":"id,[^"]*fee-1,[^"]*"/],
  ['get_fee_history', /"event":"recorded"[^]*"by":/],
  ['preview_invoice', /"preview":{"billingPeriod":"2026-10"/],
  ['invoice.pdf', /%PDF-1/],
  ['list_audit_trail', /"action":"void_invoice"/],
  ['generate_invoice', /"totalFee":"1.250000000000000001"[^]*"status":"draft"[^]*"status":409/],
  ['finalize_invoice', /INV-\d{6}-0001/],
  ['void_invoice', /"status":"void"/],
  ['\\"asOf\\":\\"$THEN\\"', /"status":"draft"/],
  ['"asOf":"2000-', /{"rows":\[],"total":0,"page":1,"pageSize":50}/],
  ['replay --as-of', /fee-1,/],
  ['swap estimate', /"amountTo":[^]*"sandbox":true/],
  ['swap transaction/create', /"payinAddress":[^]*"sandbox":true/],
  ['/history', /"kind":"placed"[^]*"status":"finished"/],
  ['swap transactions', /"payoutHash":"[^]*"sandbox":true/],
  ['merchantSlug', /"fee_type":"swap"[^]*"merchant_id":"changelly"/],
  ['config diff', /\+ \/txTimeout: 90/],
  ['config history', /3 +\S+ +cli:\S+ +1\n/],
  ['domains list', /\.example\.com +\S+ +cli:\S+ +our guide/],
  ['domains explain', /app\.example\.com: allowed\n[^]*\.example\.com +\S+ +cli:\S+ +our guide/],
  ['banners explain', /1 +shown/],
  ['apps reviews', /It works/],
  ['apps moderate hide', /hidden/],
  ['apps reports', /spam +https:\/\/example\.com .*Too many offers/],
  ['apps moderate dismiss', /dismissed/],
  ['apps verify', /verified/],
  ['apps verified', /https:\/\/example\.com .*an example/],
  ['/apps/catalog', /"spam":0[^]*"reviewsCount":0/],
  ['apps moderate show', /shown/],
  ['service-addresses list', /changelly +deposit/],
  ['tokens list', /blacklist/],
  ['warnings list', /spam/],
  ['push devices', /ton:mainnet:0:/],
  ['push retire', /is notified no more/],
  ['/transactions/not-an-address', /"code":"invalid_request"/],
  ['"page":0', /"code":"invalid_request"/],
  // What follows each match has none in it: otherwise the time would double with each projection.
  ['rebuild --all', new RegExp(`(?:, 0 different(?:(?!, 0 different)[^])*){${PROJECTIONS.length}}`)],
  ['/ledger.ndjson', /verified: get_revenue is the answer of the first \d+ of \d+ events/],
  ['/altered.ndjson', /altered: [^]*first differ at position \d+, line 1 of the export\n/],
  ['exit code', /exit code 2/],
  ['tidemark verify', /verified: \d+ events, \d+ of them in the ledger tree/],
];

/** Checks what the tour printed. @throws naming the commands whose answer is another, and the end of it */
export function expectTour(steps: readonly TourStep[]): void {
  for (const [words, expected] of EXPECTED) {
    const ran = steps.filter(({ command }) => command.includes(words));
    if (!expected.test(ran.map(({ printed }) => printed).join('')))
      throw new Error(`the tour should print ${expected} at ${ran.map(shown).join('\n') || words}`);
  }
}
