import { readFile } from 'node:fs/promises';
import { keyPairFromSeed, sign } from '@ton/crypto';
import { LRUCache } from 'lru-cache';
import { parseTonAddress } from '../../../../contracts/account/address';
import { TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import type { Relayer } from '../../../../services/gasless/deps';
import type { NamedJetton } from '../../../../services/gasless/jettons/decider';
import { faultOfState } from '../../../../services/gasless/jettons/state';
import { jettonReader } from '../../../../services/gasless/jettons/list';
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
import { importJettons, isSameList, jettonPlace } from './jettons';
import { jettonStates } from './jetton-states';
import { librariesIn } from './libraries';
import { documentDecimals } from './read-master';
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

/** What the settings say of the jettons of a network. */
export interface ConfiguredJettons {
  /** Those with which the list begins. */
  readonly jettons: readonly NamedJetton[];
  /** Whether a setting names them. */
  readonly areSet: boolean;
  /** Whether this process can be the relayer: a command beside it needs no key. */
  readonly hasKey: boolean;
}

/** Null where the network has no relayer, or somebody else's is used: a local one has its own by default. */
export async function configuredJettons(
  config: Config,
  network: TonNetwork,
): Promise<ConfiguredJettons | null> {
  const given = relayerSettings(config, network);
  const mode = networkMode(config, { chain: 'ton', network });
  if (mode === 'off' || config.of(GASLESS_SETTINGS).GASLESS_RELAYER !== 'self') return null;
  const local = mode === 'local' ? await localRelayerOf(network) : null;
  const jettons = (given.jettons ?? local?.jettons ?? []).map(({ master, decimals, perTon = null }) => ({
    master: parseTonAddress(master)!.raw,
    decimals,
    perTon,
  }));
  const hasKey = local !== null || given.privateKey !== undefined || given.privateKeyFile !== undefined;
  return { jettons, areSet: given.jettons !== undefined, hasKey };
}

/** What the settings give the relayer of a network. */
export interface ConfiguredRelayer extends ConfiguredJettons {
  readonly key: WalletKey;
}

/** Null where the network has none. @throws UnusableSecretFile */
async function configuredRelayer(config: Config, network: TonNetwork): Promise<ConfiguredRelayer | null> {
  const configured = await configuredJettons(config, network);
  if (!configured?.hasKey) return null;
  const seed =
    (await privateKeyOf(relayerSettings(config, network))) ?? (await localRelayerOf(network)).privateKey;
  return { ...configured, key: relayKey(seed) };
}

const localRelayerOf = async (network: TonNetwork) =>
  (await import('../../../devnet/devnet.js')).localRelayer(network);

/** Of all networks that have one. @throws UnusableSecretFile */
export async function configuredRelayers(
  config: Config,
): Promise<(readonly [TonNetwork, ConfiguredRelayer])[]> {
  const found: (readonly [TonNetwork, ConfiguredRelayer])[] = [];
  for (const network of TON_NETWORKS) {
    const relayer = await configuredRelayer(config, network);
    if (relayer) found.push([network, relayer]);
  }
  return found;
}

/** From one shard to another, on networks that are busy. */
const MAX_DELIVERY_SECONDS = 20;

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
  const { config, engines, sources, handle, clock, logger, signal, use } = deps;
  const configured = await configuredRelayer(config, network);
  if (!configured) return null;
  await recordJettons(deps, network, configured);
  const place = jettonPlace(config, network);
  const client = withNodeProblems<TonClient>(sources.clients.ton(network), network);
  const reportOnce = oncePerFault((about, text) => logger.warn({ network, ...about }, text));
  const reportChange: Relayer['reportChange'] = change =>
    reportOnce(
      change,
      'a jetton has other code than when it was listed: its transfers are refused until it is removed and added again (tidemark gasless tokens)',
    );
  const states = jettonStates({
    client,
    decimalsAt: documentDecimals(sources.clients.web, signal),
    handle,
    place,
    clock,
    onFault({ master }, state) {
      if (state.state === 'other_code') return reportChange(state.change);
      // Those of a local network are deployed after the program has started.
      if (place.realm === 'local' && state.state === 'no_contract') return;
      const fault = faultOfState(state);
      reportOnce({ master, fault }, 'a listed jetton cannot pay: its transfers are refused');
    },
  });
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
    maxDeliverySeconds: place.realm === 'local' ? 0 : MAX_DELIVERY_SECONDS,
    key: configured.key,
    jettons: jettonReader(engines.store, place),
    stateOf: states.stateOf,
    knownStateOf: states.knownStateOf,
    reportChange(change) {
      // Not where wallets alone have other code: a master says nothing else at the next look.
      if (change.of === 'master') states.expire(change.master);
      reportChange(change);
    },
    rateOf: await rateReader(deps, network),
  };
}

/** The first start records what the settings name. Later ones say where they name something else, which counts for nothing. */
async function recordJettons(
  { config, handle, clock, logger, assertComplete }: ProgramDeps,
  network: TonNetwork,
  { jettons: named, areSet }: ConfiguredRelayer,
): Promise<void> {
  try {
    assertComplete();
  } catch {
    // Of a list that was lost the settings would make another one.
    return;
  }
  const place = jettonPlace(config, network);
  const metadata = { now: clock().toISOString(), actor: 'settings' };
  const listed = await importJettons(handle, place, named, metadata);
  const setting = `GASLESS_${network.toUpperCase()}_JETTONS`;
  if (areSet && !isSameList(named, listed))
    logger.info({ network }, `${setting} is not used: the jettons are those of tidemark gasless tokens`);
  if (listed.length === 0)
    logger.warn(
      { network },
      'no jetton pays for gasless transfers: add one with tidemark gasless tokens add',
    );
}

/** Faults of jettons that are remembered. */
const MAX_FAULTS = 200;

/** A fault is the same while all that is logged of it is. */
function oncePerFault(log: (about: object, text: string) => void): (about: object, text: string) => void {
  const reported = new LRUCache<string, true>({ max: MAX_FAULTS });
  return (about, text) => {
    const key = JSON.stringify(about);
    if (reported.has(key)) return;
    reported.set(key, true);
    log(about, text);
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
): Promise<Relayer['rateOf']> {
  const maxAgeMs = config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES * MINUTE_MS;
  const pricesOf = await use(jettonAndTon);
  return async ({ master, decimals, perTon }) => {
    if (perTon !== null) return fixedRate(perTon, decimals, clock().toISOString());
    const prices = await pricesOf({ network, master });
    return rateOfPrices(prices, decimals, { now: clock().getTime(), maxAgeMs });
  };
}
