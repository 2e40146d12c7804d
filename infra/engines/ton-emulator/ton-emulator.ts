import { beginCell, type Cell, Dictionary } from '@ton/core';
import { LRUCache } from 'lru-cache';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { CannotEmulate, type Change, type TonEmulator } from '../../../contracts/ports/ton-emulator';
import { WorkerThreadEnded } from '../worker-thread/worker-thread';
import type { EmulationWork } from './emulate';
import type { EmulatorThreads } from './emulator-threads';
import { shardAccountOf } from './shard-account';

/** A change of the network's configuration is known after so long. */
const CONFIG_MS = 60_000;
/** That are cached: some 500 bytes each. */
const MAX_JETTON_WALLETS = 5_000;
/** A master may be given other code. */
const JETTON_WALLET_MS = 60_000;

export interface TonEmulatorDeps {
  readonly client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'getConfig' | 'getJettonWallet'>;
  readonly threads: Pick<EmulatorThreads, 'emulate' | 'jettonsAt' | 'jettonWalletOf'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Public libraries that contracts name in place of their code; nodes do not tell them. */
  readonly libraries?: readonly Cell[];
}

/** Runs the virtual machine on states that the nodes of a network tell. */
export function createTonEmulator({ client, threads, now, libraries = [] }: TonEmulatorDeps): TonEmulator {
  const configAt = cachedConfig(client, now);
  const librariesBoc = dictionaryOf(libraries);
  const jettonWallets = new LRUCache<string, string>({ max: MAX_JETTON_WALLETS, ttl: JETTON_WALLET_MS });
  return {
    async emulate(message, { unsigned, block, expected = [], ...wanted }) {
      const { balances: coins = [], receivers = [], jettonWallets: counted = [] } = wanted;
      const { seqno, now: utime } = block ?? (await client.getLastBlock());
      const known = new Set([...expected, ...coins, ...counted]);
      const accounts: Record<string, string> = {};
      const readAll = async (addresses: Iterable<string>): Promise<void> => {
        const read = async (address: string): Promise<void> => {
          accounts[address] = await accountAt(client, seqno, address);
        };
        await Promise.all([...addresses].map(read));
      };
      const [config] = await Promise.all([configAt(seqno), readAll(known)]);
      const given = {
        ...config,
        utime,
        unsigned,
        balances: coins,
        receivers,
        jettonWallets: counted,
        message: message.toBoc().toString('base64'),
        libraries: librariesBoc,
      };
      for (;;) {
        const result = await inThread(() => threads.emulate({ ...given, accounts }));
        if (result.type === 'impossible') throw new CannotEmulate(result.reason);
        if (result.type === 'missing') {
          // Executed again from the beginning: what is expected is nearly always all.
          await readAll([result.address]);
          continue;
        }
        const { transactions, balances, jettons } = result;
        return {
          utime,
          transactions,
          balanceOf: address => askedFor(balances, address),
          jettonsOf: address => askedFor(jettons, address),
        };
      }
    },
    async jettonsIn(address, { seqno, now: utime }) {
      const [config, account] = await Promise.all([configAt(seqno), accountAt(client, seqno, address)]);
      return inThread(() =>
        threads.jettonsAt({ ...config, utime, libraries: librariesBoc, address, account }),
      );
    },
    async jettonWalletOf(master, owner, { seqno, now: utime }) {
      const key = `${master} ${owner}`;
      const known = jettonWallets.get(key);
      if (known !== undefined) return known;
      const [config, account] = await Promise.all([configAt(seqno), accountAt(client, seqno, master)]);
      const work = { ...config, utime, libraries: librariesBoc, address: master, account, owner };
      const wallet =
        (await inThread(() => threads.jettonWalletOf(work))) ??
        (await client.getJettonWallet(master, owner, seqno));
      jettonWallets.set(key, wallet);
      return wallet;
    },
  };
}

async function accountAt(
  client: Pick<TonClient, 'getAccount'>,
  seqno: number,
  address: string,
): Promise<string> {
  return shardAccountOf(address, await client.getAccount(seqno, address));
}

function dictionaryOf(libraries: readonly Cell[]): string | null {
  if (libraries.length === 0) return null;
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const library of libraries) dictionary.set(library.hash(), library);
  return beginCell().storeDictDirect(dictionary).endCell().toBoc().toString('base64');
}

function askedFor(changes: Readonly<Record<string, Change>>, address: string): Change {
  const change = changes[address];
  if (!change) throw new Error(`the balance of ${address} was not asked for`);
  return change;
}

async function inThread<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WorkerThreadEnded) throw new CannotEmulate(error.message);
    throw error;
  }
}

/**
 * The parameters that the virtual machine reads by itself: its version, storage, the id of the network, gas, forwarding, limits and
 * contracts of a known price. Hardly any method reads others, and most of a configuration is in those.
 */
const METHOD_PARAMETERS: ReadonlySet<number> = new Set([8, 18, 19, 20, 21, 24, 25, 43, 45]);

type Config = Pick<EmulationWork, 'config' | 'methodConfig'>;

/** As bags of cells in base64: the virtual machine is prepared again for another configuration. */
function cachedConfig({ getConfig }: TonEmulatorDeps['client'], now: () => number) {
  let cached: { readonly readAt: number; readonly config: Promise<Config> } | null = null;
  return (seqno: number): Promise<Config> => {
    if (cached && now() - cached.readAt < CONFIG_MS) return cached.config;
    const reading = { readAt: now(), config: getConfig(seqno).then(configOf) };
    cached = reading;
    reading.config.catch(() => {
      if (cached === reading) cached = null;
    });
    return reading.config;
  };
}

function configOf(parameters: ReadonlyMap<number, Cell>): Config {
  const ofMethods = [...parameters].filter(([id]) => METHOD_PARAMETERS.has(id));
  return { config: configBoc(parameters), methodConfig: configBoc(ofMethods) };
}

function configBoc(parameters: Iterable<[number, Cell]>): string {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [id, parameter] of parameters) dictionary.set(id, parameter);
  return beginCell().storeDictDirect(dictionary).endCell().toBoc({ idx: false }).toString('base64');
}
