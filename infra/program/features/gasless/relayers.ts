import { readFile } from 'node:fs/promises';
import { keyPairFromSeed, sign } from '@ton/crypto';
import { parseTonAddress } from '../../../../contracts/account/address';
import { TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import type { Relayer } from '../../../../services/gasless/deps';
import type { WalletKey } from '../../../../services/wallet-v5/wallet-v5';
import { withNodeProblems } from '../../../../services/gasless/node-problems';
import { fixedRate, rateOfPrices } from '../../../../services/gasless/quote/rate';
import { UnusableSecretFile } from '../../../../services/signing/secret-file';
import { networkMode } from '../../../config/network-settings';
import type { Config } from '../../../config/settings';
import type { ProgramDeps, Resource } from '../../feature';
import { openEmulatorThreads, type EmulatorThreads } from '../../../engines/ton-emulator/emulator-threads';
import { createTonEmulator } from '../../../engines/ton-emulator/ton-emulator';
import { jettonAndTon } from '../rates';
import { librariesIn } from './libraries';
import {
  GASLESS_SETTINGS,
  isPrivateKey,
  PRIVATE_KEY,
  relayerSettings,
  type RelayerSettings,
} from './settings';

/** Null where the network has no relayer. */
export type Relayers = (network: TonNetwork) => Relayer | null;

/** The relayers of all networks, one set for each process. */
export const gaslessRelayers: Resource<Relayers> = {
  async open(deps) {
    const relayers = new Map<TonNetwork, Relayer>();
    for (const network of TON_NETWORKS) {
      const relayer = await relayerOf(deps, network);
      if (relayer) relayers.set(network, relayer);
    }
    return network => relayers.get(network) ?? null;
  },
};

type Listed = NonNullable<RelayerSettings['jettons']>;

/** What the settings give the relayer of a network. */
export interface ConfiguredRelayer {
  readonly key: WalletKey;
  readonly listed: Listed;
}

/** Null where the network has none, or somebody else's is used: a local one has its own by default. @throws UnusableSecretFile */
export async function configuredRelayer(
  config: Config,
  network: TonNetwork,
): Promise<ConfiguredRelayer | null> {
  const given = relayerSettings(config, network);
  const mode = networkMode(config, { chain: 'ton', network });
  if (mode === 'off' || config.of(GASLESS_SETTINGS).GASLESS_RELAYER !== 'self') return null;
  const local = mode === 'local' ? (await import('../../../devnet/devnet.js')).localRelayer(network) : null;
  const seed = (await privateKeyOf(given)) ?? local?.privateKey;
  const listed = given.jettons ?? (local ? [...local.jettons] : undefined);
  return seed && listed ? { key: relayKey(seed), listed } : null;
}

/** What it may spend. */
export function relayerLimits(config: Config): Pick<Relayer, 'limits' | 'minBalance' | 'terms'> {
  const set = config.of(GASLESS_SETTINGS);
  return {
    terms: {
      marginBasisPoints: BigInt(set.GASLESS_MARGIN_BASIS_POINTS),
      minimum: BigInt(set.GASLESS_MIN_COMMISSION_UNITS),
    },
    limits: {
      all: { perMinute: set.GASLESS_TON_PER_MINUTE, perDay: set.GASLESS_TON_PER_DAY },
      wallet: { perMinute: set.GASLESS_WALLET_TON_PER_MINUTE, perDay: set.GASLESS_WALLET_TON_PER_DAY },
      source: { perMinute: set.GASLESS_SOURCE_TON_PER_MINUTE, perDay: set.GASLESS_SOURCE_TON_PER_DAY },
    },
    minBalance: set.GASLESS_MIN_BALANCE_TON,
  };
}

async function relayerOf(deps: ProgramDeps, network: TonNetwork): Promise<Relayer | null> {
  const { config, sources, clock, use } = deps;
  const configured = await configuredRelayer(config, network);
  if (!configured) return null;
  const { key, listed } = configured;
  const client = withNodeProblems<TonClient>(sources.clients.ton(network), network);
  return {
    network,
    client,
    emulator: createTonEmulator({
      client,
      threads: await use(emulatorThreads),
      now: () => clock().getTime(),
      libraries: await librariesIn(config.of(GASLESS_SETTINGS).GASLESS_LIBRARIES_FILE),
    }),
    ...relayerLimits(config),
    key,
    jettons: listed.map(({ master }) => parseTonAddress(master)!.raw),
    rateOf: await rateReader(deps, network, listed),
  };
}

/** The secret part stays in here: nothing that is logged or shown has it. */
function relayKey(seed: Buffer): WalletKey {
  const { publicKey, secretKey } = keyPairFromSeed(seed);
  return { publicKey, sign: hash => sign(hash, secretKey) };
}

/** @throws UnusableSecretFile */
async function privateKeyOf({ privateKey, privateKeyFile: file }: RelayerSettings): Promise<Buffer | null> {
  if (privateKey !== undefined) return Buffer.from(privateKey, 'hex');
  if (file === undefined) return null;
  const remedy = `It has to be ${PRIVATE_KEY}.`;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableSecretFile(file, `the file cannot be read (${error.code})`, remedy);
  });
  if (!isPrivateKey(text.trim())) throw new UnusableSecretFile(file, `not ${PRIVATE_KEY}`, remedy);
  return Buffer.from(text.trim(), 'hex');
}

/** They start with the first estimate. */
const emulatorThreads: Resource<EmulatorThreads> = {
  open: ({ logger }) => Promise.resolve(openEmulatorThreads(logger)),
  close: threads => threads.close(),
};

const MINUTE_MS = 60_000;

/** What operators say of a jetton, else what its pools do. */
async function rateReader(
  { config, clock, use }: ProgramDeps,
  network: TonNetwork,
  listed: Listed,
): Promise<Relayer['rateOf']> {
  const maxAgeMs = config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES * MINUTE_MS;
  const pricesOf = await use(jettonAndTon);
  const byMaster = new Map(listed.map(jetton => [parseTonAddress(jetton.master)!.raw, jetton]));
  return async master => {
    const jetton = byMaster.get(master);
    if (!jetton) return null;
    const { decimals, perTon } = jetton;
    if (perTon !== undefined) return fixedRate(perTon, decimals, clock().toISOString());
    const prices = await pricesOf({ network, master });
    return rateOfPrices(prices, decimals, { now: clock().getTime(), maxAgeMs });
  };
}
