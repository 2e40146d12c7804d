import autocannon from 'autocannon';
import { request } from 'undici';
import { issueLocalToken } from '../../infra/program/commands/local-token';
import { readConfig } from '../../infra/program/settings/config';
import { run, type Child } from './child';
import { figure, median, paired, type Figure, type Goal } from './figure';
import { readsOf, type BenchRequest } from './fill/requests';
import { interleave } from './interleave';
import { withoutNetworks } from './ports';
import type { Filled } from './programs/prepare-reads';
import type { DocumentRef } from './programs/serve';
import type { Setting } from './row';

const CONNECTIONS = 32;
/** How soon the end of the requests is noticed. */
const SAMPLE_MS = 10;
/** Of one request: a busy machine is slow, which is no failure. */
const TIMEOUT_SECONDS = 120;
/** The first rate is that of code that is not optimized yet. */
const FIRST_AMOUNT = 2 * CONNECTIONS;
/** Requests after which the processor time of one no longer falls. */
const WARM_UP = 6_000;
const PERIODS = ['2024-01', '2024-02', '2024-03', '2024-04', '2024-05', '2024-06'];
export interface Comparison {
  readonly setting: Setting;
  /** Which of `readsOf`; default: all. */
  readonly wanted?: (read: string) => boolean;
  readonly named: (read: string) => string;
  readonly goal?: Goal;
  /** A program that runs while it is measured, and its arguments. */
  readonly beside?: (filled: Filled) => readonly [program: string, ...args: string[]];
  /** Which of them have the goal; default: all. */
  readonly hasGoal?: (read: string) => boolean;
  /** While they are read, another process changes the documents, and no answer is cached. */
  readonly changing?: true;
}

export interface Side {
  readonly url: string;
  readonly process: Child;
  /** Microseconds of CPU a request, one a round. */
  readonly cpu: number[];
}

const cpuOf = async ({ process }: Side): Promise<number> => {
  const { user, system } = await process.ask<NodeJS.CpuUsage>('cpu');
  return user + system;
};

/** Sends so many requests. @returns how many were answered in a second; fails when one is not answered with 200 */
async function requestsPerSecond(
  side: Side,
  request: BenchRequest,
  headers: Record<string, string>,
  amount: number,
): Promise<number> {
  const before = await cpuOf(side);
  const began = performance.now();
  const { requests, non2xx, errors } = await autocannon({
    url: side.url + request.path,
    method: request.method,
    headers,
    ...(request.body && { body: JSON.stringify(request.body) }),
    connections: CONNECTIONS,
    amount,
    sampleInt: SAMPLE_MS,
    timeout: TIMEOUT_SECONDS,
  });
  const seconds = (performance.now() - began) / 1_000;
  if (non2xx + errors > 0 || requests.total !== amount)
    throw new Error(`${request.name}: ${requests.total} answers, ${non2xx} refused, ${errors} failed`);
  side.cpu.push(((await cpuOf(side)) - before) / requests.total);
  return amount / seconds;
}

/** Code that is not optimized yet takes up to ten times as long. @returns how many requests take about so many seconds */
async function warmUp(
  side: Side,
  request: BenchRequest,
  headers: Record<string, string>,
  { seconds, requests }: { readonly seconds: number; readonly requests: number },
): Promise<number> {
  const amountOf = (rate: number): number => Math.max(FIRST_AMOUNT, Math.round(rate * seconds));
  const first = await requestsPerSecond(side, request, headers, FIRST_AMOUNT);
  return amountOf(await requestsPerSecond(side, request, headers, Math.max(requests, amountOf(first))));
}

async function ask(
  url: string,
  { method, path, body }: Omit<BenchRequest, 'name'>,
  headers: Record<string, string>,
): Promise<string> {
  const answer = await request(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  return text;
}

/** Creates the invoices that are read. @returns the id of one */
async function invoice(url: string, headers: Record<string, string>): Promise<string> {
  const ids: string[] = [];
  for (const billingPeriod of PERIODS) {
    const body = { action: 'generate_invoice', billingPeriod };
    const made = await ask(url, { method: 'POST', path: '/api/instance-admin', body }, headers);
    ids.push((JSON.parse(made) as { invoice: { invoiceId: string } }).invoice.invoiceId);
  }
  return ids[0]!;
}

/** @param changer `programs/change-documents`, when the documents change */
export async function compare(
  ours: Side,
  bare: Side,
  request: BenchRequest,
  signed: string,
  { setting, named, goal, hasGoal = () => true }: Comparison,
  changer?: Child,
): Promise<Figure> {
  const headers: Record<string, string> = {
    ...(request.body && { 'content-type': 'application/json' }),
    ...(request.signed && { authorization: signed }),
  };
  const answer = await ask(ours.url, request, headers);
  const fixed: BenchRequest = { ...request, path: `/${request.name.replaceAll(' ', '-')}` };
  await bare.process.ask({ path: fixed.path, json: JSON.parse(answer) });
  if ((await ask(bare.url, fixed, headers)) !== answer)
    throw new Error(`${request.name}: the answers differ`);
  const [rounds, seconds, requests] = setting.sized({
    full: [4, 2, WARM_UP],
    quick: [1, 1, WARM_UP],
    smallest: [1, 0, 0],
  });
  const amounts = {
    ours: await warmUp(ours, request, headers, { seconds, requests }),
    bare: await warmUp(bare, fixed, headers, { seconds, requests }),
  };
  ours.cpu.length = bare.cpu.length = 0;
  const before = await changer?.ask<number>(await ours.process.ask<DocumentRef[]>('documents'));
  const started = performance.now();
  const rates = await interleave(rounds, {
    ours: () => requestsPerSecond(ours, request, headers, amounts.ours),
    bare: () => requestsPerSecond(bare, fixed, headers, amounts.bare),
  });
  const cpu = [median(ours.cpu), median(bare.cpu)] as const;
  const notes = [
    `${(answer.length / 1024).toFixed(1)} KiB`,
    `CPU ${Math.round(cpu[0])} to ${Math.round(cpu[1])} us`,
  ];
  if (changer) {
    const changes = (await changer.ask<number>([])) - before!;
    notes.push(`${Math.round((changes * 1_000) / (performance.now() - started))} changes/s`);
  }
  return figure(
    { what: `${named(request.name)}: to bare Express`, unit: 'requests/s', note: notes.join(', ') },
    paired(rates.ours, rates.bare),
    hasGoal(request.name) ? goal : undefined,
  );
}

/**
 * Compares read endpoints with bare Express, which sends the same JSON from a fixed object and parses request bodies.
 * Both in processes of their own, on the same machine as the client.
 */
export async function againstExpress(comparison: Comparison): Promise<Figure[]> {
  const { setting, wanted = () => true, beside, changing } = comparison;
  const { folder, say } = setting;
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    CARD_SANDBOX: 'true',
    // Rate limits are counted, and never exceeded.
    RATE_LIMIT_READS: String(10 ** 9),
    RATE_LIMIT_ADDRESS: String(10 ** 9),
    RATE_LIMIT_FIRST_READS: String(10 ** 9),
    RATE_LIMIT_NODE_READS: String(10 ** 9),
    RATE_LIMIT_MESSAGES: String(10 ** 9),
    RATE_LIMIT_CARD_CALLS: String(10 ** 9),
  };
  say('filling the documents');
  const amounts = setting.sized({
    full: [20_000, 10, 2_000],
    quick: [20_000, 10, 2_000],
    smallest: [1_000, 2, 20],
  });
  const prepared = run('programs/prepare-reads', amounts.map(String), { env });
  const filled = await prepared.next<Filled>();
  const { ton, jettonOwner, app, solana, exchange, card } = filled;
  await prepared.ended();

  const open = async (program: string, args: readonly string[] = []): Promise<Side> => {
    const child = run(program, args, { env });
    return { process: child, url: await child.next<string>(), cpu: [] };
  };
  const ours = await open('programs/serve', changing && ['changing']);
  const bare = await open('programs/bare-express');
  const [otherProgram, ...otherArgs] = beside?.(filled) ?? [];
  const other = otherProgram === undefined ? null : await open(otherProgram, otherArgs);
  const changer = changing ? run('programs/change-documents', [], { env }) : undefined;
  const token = async (role: 'finance' | 'admin', secure: boolean): Promise<string> =>
    `Bearer ${await issueLocalToken(readConfig(env), { issuer: 'instance', role, secure, ttl: 3_600, subject: 'bench' })}`;
  const invoiceId = await invoice(ours.url, {
    'content-type': 'application/json',
    authorization: await token('admin', true),
  });
  const finance = await token('finance', false);
  const figures: Figure[] = [];
  const reads = readsOf({
    tonAddress: ton.address,
    tonHash: ton.hash,
    jettonOwner,
    app,
    solanaAddress: solana.address,
    signature: solana.signature,
    exchange,
    invoiceId,
    card,
  });
  for (const request of reads.filter(({ name }) => wanted(name))) {
    say(request.name);
    figures.push(await compare(ours, bare, request, finance, comparison, changer));
  }
  await Promise.all([ours.process, bare.process, other?.process, changer].map(child => child?.stop()));
  return figures;
}
