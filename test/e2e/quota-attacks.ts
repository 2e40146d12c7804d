import { accessesOf } from '../../contracts/http/endpoint';
import type { Quota } from '../../contracts/quota';
import { MAX_POOLS } from '../../contracts/http/staking/member';
import { FEATURES } from '../../infra/program/features';
import { ENDPOINTS } from '../endpoints';
import { cardClient } from '../card/holder';
import { keysOf, readRequest, writeRequest } from '../storage/device';
import { until } from '../until';
import { send } from './client';
import { exampleCallsOf, type Documented, type ExampleCall } from './example-calls';
import { EXCEPTIONS } from './example-exceptions';
import { installation, type Installation } from './installation';

/*
 * Of each quota a call that costs it, of a stranger and of somebody honest, on a program that runs as `npm start` does.
 */

export const TEST_MS = 300_000;

let main: Installation;

interface Sent {
  readonly from: string;
  /** Whose token it has. */
  readonly subject?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Attack {
  /** The operation, and the name of its example; default: the first that declares the quota. */
  readonly example?: string;
  /** What the n-th call has instead of the example. */
  readonly stranger?: (n: number) => Partial<Sent> | Promise<Partial<Sent>>;
  /** Default: as the first one of the stranger. */
  readonly honest?: () => Partial<Sent> | Promise<Partial<Sent>>;
  /** What it is answered; default: 200. */
  readonly served?: number;
}

const address = (n: number): string => `0:${n.toString(16).padStart(64, '7')}`;
/** Networks, of which each quota has one. */
const [STRANGER, HONEST] = ['2001:db8:1', '2001:db8:2'];
const elsewhere = (n: number): string => `2001:db8:${n + 10}`;
const guess = (token: string, n: number) => ({
  body: { token, data: { id: `guess-${n}`, status: 'CONFIRMED' } },
});
const KNOWN_HOLDER = 'local-alice-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const holders = new Map<string, Promise<string>>();
/** @returns the token of a card holder who is enrolled for this test */
function holder(name: string): Promise<string> {
  const enrolled = holders.get(name) ?? cardClient(`${main.program.url}/card`).enrol(keysOf(name));
  holders.set(name, enrolled);
  return enrolled;
}

let calls: readonly ExampleCall[];
const nameOf = ({ operationId, name }: ExampleCall): string => `${operationId} ${name}`;
const callOf = (example: string): ExampleCall => calls.find(call => nameOf(call) === example)!;
const exceptionOf = async (example: string): Promise<Partial<Sent>> =>
  EXCEPTIONS[example]!.instead!(new Map(), callOf(example).body as Record<string, unknown>, main.program.url);
const email = async (name: string) => ({
  body: { token: await holder(name), email: `${name}@example.com` },
});
/** It may be posted again, by anybody who has it. */
let transfer: Promise<Partial<Sent>> | undefined;
const ofBilling = (example: string): Attack => ({
  example,
  stranger: n => ({ from: elsewhere(n), subject: `stranger of ${example}` }),
  honest: () => ({ subject: `honest caller of ${example}` }),
});
const written = (name: string): { body: unknown } => ({
  body: writeRequest(keysOf(name), 0, Buffer.from('a')),
});

const ATTACKS: Readonly<Record<string, Attack>> = {
  address: {
    example: 'instanceAdmin get_revenue',
    stranger: n => ({ subject: `stranger ${n}` }),
    honest: () => ({ subject: 'honest' }),
  },
  failures: {
    example: 'instanceAdmin get_revenue',
    honest: () => ({ from: STRANGER, subject: 'honest at the same address' }),
  },
  first_reads: {
    example: 'getTransactions 1',
    stranger: n => ({ params: { address: address(n) } }),
    honest: () => ({}),
  },
  node_reads: {
    example: 'getRpcAccountLite 1',
    stranger: n => ({ params: { address: address(n) } }),
    honest: () => ({}),
  },
  messages: { example: 'sendRpcMessage 1', honest: () => exceptionOf('sendRpcMessage 1') },
  contract_reads: {
    example: 'stakingMemberInfo 1',
    stranger: n => ({
      body: {
        address: address(0),
        pools: Array.from({ length: MAX_POOLS }, (_, pool) => address(1_000 * (n + 1) + pool)),
        isTestnet: false,
      },
    }),
  },
  token_prices: { example: 'getRates 1' },
  gasless_estimates: { example: 'gaslessEstimate 1' },
  gasless_sends: { example: 'gaslessSend 1', stranger: () => (transfer ??= exceptionOf('gaslessSend 1')) },
  bridge_messages: { example: 'tonconnectMessage 1' },
  bridge_streams: { example: 'getTonconnectEvents 1' },
  storage_reads: { example: 'storageRead 1', stranger: () => ({ body: readRequest(keysOf('anybody')) }) },
  storage_writes: {
    example: 'storageWrite 1',
    stranger: n => written(`key ${n}`),
    honest: () => written('key of somebody else'),
  },
  storage_key_writes: {
    example: 'storageWrite 1',
    stranger: n => ({ from: elsewhere(n), ...written('one key') }),
    honest: () => written('another key'),
  },
  wallet_requests: { honest: () => exceptionOf('walletRequestCreate 1') },
  card_enrolments: { honest: () => exceptionOf('connectCardWallet 1') },
  card_steps: {
    example: 'startCardEmail 1',
    stranger: n => email(`impatient-${n}`),
    honest: () => email('patient'),
  },
  card_contact_codes: {
    example: 'startCardPhone 1',
    stranger: async n => ({ body: { token: await holder(`stranger ${n}`), phone: '+4930123456' } }),
    honest: async () => ({ body: { token: await holder('owner of the number'), phone: '+4930123456' } }),
  },
  card_calls: {
    example: 'getCardProfile 1',
    stranger: async n => ({ from: elsewhere(n), body: { token: await holder('who asks too much') } }),
    honest: async () => ({ body: { token: await holder('who asks once') } }),
  },
  card_changes: {
    stranger: async n => ({ body: { token: await holder(`changer ${n}`), id: KNOWN_HOLDER } }),
    honest: () => ({}),
  },
  card_dead_tokens: {
    example: 'getCardProfile 1',
    stranger: n => ({ body: { token: `dead-${n}`.padEnd(40, 'x') } }),
    honest: async () => ({ from: STRANGER, body: { token: await holder('honest at the same address') } }),
  },
  // Nobody here has the secret of the issuer.
  card_unsigned_webhooks: { example: 'receiveCardIssuerWebhook 1', served: 401 },
  card_challenge_guesses: {
    example: 'confirmCardOtpRequest 1',
    stranger: n => ({ from: elsewhere(n), ...guess(KNOWN_HOLDER, n) }),
    honest: async () => guess(await holder('who is asked once'), 0),
  },
  exchange_estimates: {
    example: 'exchangeEstimate 1',
    stranger: n => ({ body: { fromCurrency: 'btc', toCurrency: 'ton', amount: `0.01${n}` } }),
    honest: () => ({}),
  },
  push_registrations: { stranger: () => ({ body: {} }), honest: () => ({}) },
  push_changes: {
    example: 'pushRegister 1',
    stranger: n => ({
      body: { ...(callOf('pushRegister 1').body as object), token: `ExponentPushToken[${n}]` },
    }),
    honest: () => ({}),
  },
  reads: ofBilling('instanceAdmin get_revenue'),
  exports: ofBilling('instanceAdmin export_revenue_csv'),
  writes: ofBilling('instanceAdmin set_rebate_rule'),
  fees: ofBilling('recordFees record'),
};

const tokens = new Map<string, string>();
async function tokenOf(subject: string): Promise<string> {
  const issue = ['token', '--role', 'admin', '--secure', '--ttl', '86400', '--subject', subject];
  if (!tokens.has(subject)) tokens.set(subject, (await main.command<{ token: string }>(...issue)).token);
  return tokens.get(subject)!;
}

/** The first operation that declares a quota. */
function declaring(quota: Quota): ExampleCall {
  const { path, method } = ENDPOINTS.find(each =>
    accessesOf(each).some(({ rateLimit }) => rateLimit === quota),
  )!;
  return calls.find(call => call.path === path && call.method === method)!;
}

export interface QuotaAnswer {
  readonly status: number;
  readonly text: string;
}

async function answerTo(
  call: ExampleCall,
  { from, subject, params, body = call.body }: Partial<Sent>,
): Promise<QuotaAnswer> {
  const search = new URLSearchParams(call.query).toString();
  const given: Record<string, string> = { ...call.params, ...params };
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!));
  const leave = new AbortController();
  const response = await fetch(`${main.program.url}${path}${search && `?${search}`}`, {
    method: call.method,
    headers: {
      'X-Forwarded-For': from!,
      'Content-Type': 'application/json',
      ...(subject !== undefined && { Authorization: `Bearer ${await tokenOf(subject)}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: leave.signal,
  });
  const { status } = response;
  // A stream does not end.
  const text = status === 200 && call.kind === 'sse' ? '' : await response.text();
  leave.abort();
  return { status, text };
}

/** Starts a program with such limits, for the tests of one file. */
export function startAttacked(settings: Readonly<Record<string, string>>): void {
  main = installation({ traffic: true, settings: { ...settings, TRUSTED_PROXIES: '1' } });
  beforeAll(async () => {
    const seeded = async () => (await send(main.program.url, 'GET', '/devnet')).body.seeded as boolean;
    await until(seeded, Boolean, TEST_MS);
    calls = exampleCallsOf((await send(main.program.url, 'GET', '/openapi.json')).body.paths as Documented);
    // Some wait for prices, which come after the start.
    let asked = 0;
    const priced = () => answerTo(callOf('getRates 1'), { from: `2001:db8:3:${(asked += 1)}::1` });
    await until(priced, ({ status }) => status === 200, TEST_MS);
  }, TEST_MS);
}

/** Calls that cost a quota. */
export interface QuotaCalls {
  /** The n-th call of a stranger, from 0 on. */
  stranger(n: number): Promise<QuotaAnswer>;
  /** A call of somebody who has made none before. */
  honest(): Promise<QuotaAnswer>;
  /** What that is answered with, where the quota does not refuse it. */
  readonly served: number;
}

export function callsOf(quota: Quota): QuotaCalls {
  const { example, stranger = () => ({}), honest, served = 200 }: Attack = ATTACKS[quota.name] ?? {};
  const call = example === undefined ? declaring(quota) : callOf(example);
  // Nothing that another test counts.
  const at = (address: string): string => `${address}:${FEATURES.quotas.indexOf(quota) + 1}::1`;
  const ask = (given: Partial<Sent>) => answerTo(call, { ...given, from: at(given.from ?? HONEST) });
  return {
    served,
    stranger: async n => ask({ from: STRANGER, ...(await stranger(n)) }),
    honest: async () => ask(await (honest ?? (() => stranger(0)))()),
  };
}

/** Whether an answer is what is beyond a quota. @param name of the policy: of the quota of a minute, or of a day */
export function isRefusedBy(quota: Quota, name: string, { status, text }: QuotaAnswer): boolean {
  return isTold(quota)
    ? status === 429 && text.includes(`"violated-policies":["${name}"]`)
    : text.includes('try-later');
}

/** Whether what is beyond a quota is told from what is refused for another reason, such as a busy machine. */
export function isTold({ beyond }: Quota): boolean {
  return beyond === undefined;
}

/** A read of an account that nobody has read, of one address that makes nothing else. */
export async function readOfNew(method: 'GET' | 'HEAD', n: number): Promise<QuotaAnswer> {
  const call = { ...callOf('getTransactions 1'), method };
  return answerTo(call, { from: '2001:db8:4::1', params: { address: address(100 + n) } });
}
