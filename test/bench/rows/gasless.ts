import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { GASLESS_ESTIMATES, GASLESS_SENDS } from '../../../contracts/http/ton/gasless';
import { quotaSetting } from '../../../infra/config/settings';
import {
  emulate,
  jettonsAt,
  jettonWalletOf,
  type EmulationWork,
  type JettonWalletWork,
  type JettonWork,
} from '../../../infra/engines/ton-emulator/emulate';
import { createTonEmulator } from '../../../infra/engines/ton-emulator/ton-emulator';
import { openTvm } from '../../../infra/engines/tvm/tvm';
import { probe } from '../../../services/gasless/estimate/probe';
import { readJettonMessage } from '../../../services/gasless/request/jetton-message';
import { walletAccount } from '../../../services/gasless/request/wallet-account';
import { PAID, relayView } from '../../gasless/local-relay';
import { relayerOf } from '../../gasless/relayer';
import { NETWORKS_OFF } from '../../local-networks';
import { run } from '../child';
import { figure, once, quantile } from '../figure';
import { freePort } from '../ports';
import { estimateOf, gaslessUser, send, signed, wantedBy } from '../gasless-user';
import type { Row } from '../row';

const CALLERS = 16;
const UNLIMITED = '1000000';

/**
 * Estimates and sends of wallets without coins, over HTTP, each wallet from an address of its own; the local testnet has a process
 * of its own on the same machine, and the wallets sign in a third one. An estimate against the emulation in it alone, on one core;
 * a send from the first request until both transfers of the last have arrived, as the trace says.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const users = sized({ full: 600, quick: 100, smallest: 4 });
  // Until they have been called a few times, most functions are interpreted.
  const before = sized({ full: 100, quick: 20, smallest: 1 });
  say(`minting for ${users + before} wallets`);
  const [chain, data] = ['chain', 'data'].map(name => join(folder, name)) as [string, string];
  for (const each of [chain, data]) mkdirSync(each);
  const network = run('programs/gasless-network', [String(users + before), chain]);
  const node = await network.next<string>();
  const metricsPort = String(await freePort());
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  const settings = { ...settingsOf(node, data), METRICS_PORT: metricsPort };
  const program = run('programs/serve', [], { env: { ...process.env, ...settings } });
  const url = await program.next<string>();

  say('estimates');
  for (let n = 0; n < users + before; n++) gaslessUser(n);
  await each(before, n => estimateOf(url, users + n));
  const quotes = await each(users, n => estimateOf(url, n));
  say('emulations alone');
  const floor = await emulationsPerSecond(node, sized({ full: 200, quick: 50, smallest: 2 }));

  say('sends');
  const bocs = await Promise.all(quotes.results.map((quote, n) => signed(n, quote)));
  const began = performance.now();
  const sends = await each(users, n => send(url, n, bocs[n]!));
  while ((await confirmed(metrics)) < users) await pause(100);
  const sent = (users / (performance.now() - began)) * 1_000;
  await program.stop();
  await network.stop();
  const named = (what: string, unit: string) => ({ what: `gasless, ${what}`, unit });
  return [
    figure(
      { ...named('estimates: to the emulation alone', 'estimates/s'), note: latencyOf(quotes) },
      once(quotes.perSecond, floor),
      { of: 'value', atLeast: 100 },
    ),
    figure(
      { ...named('sends until all have arrived: to those accepted', 'sends/s'), note: latencyOf(sends) },
      once(sent, sends.perSecond),
      { of: 'value', atLeast: 30 },
    ),
  ];
};

function settingsOf(node: string, dataDir: string): Record<string, string> {
  const budgets = ['', 'WALLET_', 'SOURCE_'].flatMap(whose =>
    ['MINUTE', 'DAY'].map(time => [`GASLESS_${whose}TON_PER_${time}`, UNLIMITED]),
  );
  return {
    ...NETWORKS_OFF,
    TON_RPC_URL_TESTNET: node,
    GASLESS_TESTNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
    GASLESS_TESTNET_JETTONS: JSON.stringify([
      { master: PAID.address.toString({ testOnly: true }), decimals: 6, perTon: '3' },
    ]),
    ...Object.fromEntries(budgets),
    ...Object.fromEntries([GASLESS_ESTIMATES, GASLESS_SENDS].map(quota => [quotaSetting(quota), '0'])),
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: '1',
    PORT: '0',
    LOG_LEVEL: 'fatal',
    LOG_FORMAT: 'json',
  };
}

interface Calls<Result> {
  readonly results: readonly Result[];
  readonly perSecond: number;
  readonly milliseconds: readonly number[];
}

/** For each user once, as many at a time as there are callers. */
async function each<Result>(users: number, act: (n: number) => Promise<Result>): Promise<Calls<Result>> {
  const results: Result[] = [];
  const milliseconds: number[] = [];
  let next = 0;
  const began = performance.now();
  const call = async (): Promise<void> => {
    for (let n = next++; n < users; n = next++) {
      const start = performance.now();
      results[n] = await act(n);
      milliseconds.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return { results, milliseconds, perSecond: (users / (performance.now() - began)) * 1_000 };
}

const latencyOf = ({ milliseconds }: Calls<unknown>): string =>
  `p50 ${quantile(milliseconds, 0.5).toFixed(0)}, p99 ${quantile(milliseconds, 0.99).toFixed(0)} ms with ${CALLERS} at once`;

/** The emulation of one estimate, on states that are known, in this process. */
async function emulationsPerSecond(node: string, times: number): Promise<number> {
  const tvm = await openTvm(() => undefined);
  let work: EmulationWork | undefined;
  const view = await relayView([node]);
  const threads = {
    emulate(given: EmulationWork) {
      work = given;
      return emulate(tvm, given);
    },
    jettonsAt: (given: JettonWork) => jettonsAt(tvm, given),
    jettonWalletOf: (given: JettonWalletWork) => jettonWalletOf(tvm, given),
  };
  const emulator = createTonEmulator({ client: view.client, threads, now: Date.now });
  const user = gaslessUser(0);
  const wallet = user.contract.address.toRawString();
  const publicKey = user.keys.publicKey.toString('hex');
  const relayer = { ...relayerOf(view), emulator };
  const account = await walletAccount(relayer, wallet, publicKey);
  const target = readJettonMessage(wantedBy(user))!;
  const master = PAID.address.toRawString();
  await probe(relayer, { account: account!, wallet, publicKey, master, target, balance: null });
  view.stop();
  const began = performance.now();
  for (let n = 0; n < times; n++) await emulate(tvm, work!);
  return (times / (performance.now() - began)) * 1_000;
}

const CONFIRMED = /^tidemark_gasless_transfers_total\{outcome="confirmed"\} (\d+)$/m;

/** Transfers that have arrived. */
async function confirmed(metrics: string): Promise<number> {
  const { body } = await request(metrics);
  return Number(CONFIRMED.exec(await body.text())?.[1] ?? 0);
}
