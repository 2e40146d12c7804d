import type { Logger } from 'pino';
import {
  isFollowed,
  SOLANA_NETWORKS,
  TON_NETWORKS,
  type NetworkRef,
  type SolanaNetwork,
  type TonNetwork,
} from '../../../contracts/network/network';
import type { VerifiedSources } from '../../../contracts/network/network-identity';
import { expectFollowed } from '../../../contracts/network/network-off';
import type { Clients } from '../../../contracts/observation/observation';
import type { Documents } from '../../../contracts/ports/documents';
import type { SolanaClient } from '../../../contracts/ports/solana-client';
import type { TonClient } from '../../../contracts/ports/ton-client';
import type { TonNodes } from '../../../contracts/ports/ton-nodes';
import { sleep } from '../../../contracts/retry/retry';
import { createNetworkIdentity, type ObservedIdentity } from '../../../indexers/network-identity';
import { createSourceLimits, type SourceLimits } from '../../../indexers/observations/source-limits';
import type { TonSource } from '../../../indexers/ton/source';
import { createV4Source } from '../../../indexers/ton/v4-source/v4-source';
import { withLocalOrigins } from '../../engines/public-web/local-origins';
import { createPublicWeb } from '../../engines/public-web/public-web';
import { createSolanaClient } from '../../engines/solana-client/solana-client';
import { createTonClient } from '../../engines/ton-client/ton-client';
import { createTonNodes } from '../../engines/ton-nodes/ton-nodes';
import type { Check } from '../health/health';
import type { Networks } from './networks';
import type { Config } from '../../config/settings';

/**
 * How the chains are reached. Each is opened at its first use and shared by all roles of the process.
 * @throws Problem 404 `network_off` for a network that is off
 */
export interface Sources {
  /** Blocks of TON, for its indexer. */
  ton(network: TonNetwork): TonSource;
  /** The API of the nodes of TON as it is, for the RPC node. */
  tonNodes(network: TonNetwork): TonNodes;
  readonly clients: Clients;
  readonly limits: SourceLimits;
  /** The sources that are off, cannot be read, are of another network or on a fork, one entry for each network. */
  readonly checks: readonly Check[];
  /** True when every source of a network serves another one, as far as this process has asked them. */
  isWrongNetwork(at: NetworkRef): boolean;
  close(): Promise<void>;
}

export interface SourcesDeps {
  readonly networks: Networks;
  readonly config: Config;
  readonly documents: Documents;
  /** Those beside the chains and the web, and doubles. */
  readonly clients: Partial<Clients>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Every source is asked for its identity as often, in use or not. */
const VERIFY_MS = 10_000;

export function createSources({
  networks,
  config,
  documents,
  clients,
  logger,
  signal,
}: SourcesDeps): Sources {
  const identities = createIdentities({ config, documents, logger });
  const chains = openChains({ networks, identities, logger, signal });
  const web = createPublicWeb();
  const all = networkSources(networks, identities, chains.opened);
  const followed = (at: NetworkRef): boolean => isFollowed(networks.followed, at);
  const closing = new AbortController();
  const verifying = keepVerifying(chains.opened.all, AbortSignal.any([signal, closing.signal]));

  return {
    limits: createSourceLimits(),
    ton: chains.blocks,
    tonNodes: chains.nodes,
    clients: {
      ton: chains.ton,
      solana: chains.solana,
      web: withLocalOrigins(web, networks.localOrigins),
      ...clients,
      // What only observations of a group read with is there where the group is.
    } as Clients,
    checks: all.map(source => checkOf(source, !followed(source.at))),
    isWrongNetwork: ({ chain, network }) =>
      all.some(
        ({ at, count, identity }) =>
          at.chain === chain && at.network === network && followed(at) && identity.faults().length === count,
      ),
    async close() {
      closing.abort();
      await verifying;
      await Promise.all([web.close(), chains.close()]);
    },
  };
}

interface ChainDeps extends Pick<SourcesDeps, 'networks' | 'logger' | 'signal'> {
  readonly identities: ReturnType<typeof createIdentities>;
}

/** Clients of the nodes of each network, opened at their first use. */
function openChains({ networks, identities, logger, signal }: ChainDeps) {
  const blocks = new Map<TonNetwork, TonSource & VerifiedSources>();
  const ton = new Map<TonNetwork, TonClient & VerifiedSources>();
  const nodes = new Map<TonNetwork, TonNodes>();
  const solana = new Map<SolanaNetwork, SolanaClient & VerifiedSources>();
  const open = <Network extends string, Source>(
    sources: Map<Network, Source>,
    at: NetworkRef & { readonly network: Network },
    create: () => Source,
  ): Source => {
    expectFollowed(networks.followed, [at]);
    const source = sources.get(at.network) ?? create();
    sources.set(at.network, source);
    return source;
  };
  const tonOptions = (network: TonNetwork) => ({
    urls: networks.ton[network],
    identity: identities.ton[network],
    logger,
    signal,
  });

  return {
    blocks: (network: TonNetwork): TonSource =>
      open(blocks, { chain: 'ton', network }, () =>
        createV4Source({ endpoints: networks.ton[network], identity: identities.ton[network] }),
      ),
    ton: (network: TonNetwork): TonClient =>
      open(ton, { chain: 'ton', network }, () => createTonClient(tonOptions(network))),
    nodes: (network: TonNetwork): TonNodes =>
      open(nodes, { chain: 'ton', network }, () => createTonNodes(tonOptions(network))),
    solana: (network: SolanaNetwork): SolanaClient =>
      open(solana, { chain: 'solana', network }, () =>
        createSolanaClient({
          urls: networks.solana[network],
          identity: identities.solana[network],
          logger,
          signal,
        }),
      ),
    opened: {
      all: () => [...blocks.values(), ...ton.values(), ...nodes.values(), ...solana.values()],
      ton: (network: TonNetwork) => [blocks.get(network), ton.get(network), nodes.get(network)],
      solana: (network: SolanaNetwork) => [solana.get(network)],
      forks: (network: TonNetwork) => nodes.get(network)?.faults() ?? [],
    },
    async close(): Promise<void> {
      await Promise.all([...blocks.values(), ...nodes.values()].map(source => source.close()));
    },
  };
}

/** The sources of every network, followed or not. */
function networkSources(
  networks: Networks,
  identities: ReturnType<typeof createIdentities>,
  opened: ReturnType<typeof openChains>['opened'],
): readonly NetworkSources[] {
  return [
    ...TON_NETWORKS.map(network => ({
      at: { chain: 'ton', network } as const,
      count: networks.ton[network].length,
      identity: identities.ton[network],
      forks: () => opened.forks(network),
      opened: () => opened.ton(network),
    })),
    ...SOLANA_NETWORKS.map(network => ({
      at: { chain: 'solana', network } as const,
      count: networks.solana[network].length,
      identity: identities.solana[network],
      forks: (): readonly string[] => [],
      opened: () => opened.solana(network),
    })),
  ];
}

/** What is known of the network that the sources of each name serve. */
function createIdentities({
  config,
  documents,
  logger,
}: Pick<SourcesDeps, 'config' | 'documents' | 'logger'>) {
  const identify = (chain: 'ton' | 'solana', network: string, pinned: string | undefined): ObservedIdentity =>
    createNetworkIdentity({ chain, network, documents, logger, pinned });
  return {
    ton: {
      mainnet: identify('ton', 'mainnet', config.TON_ZEROSTATE_MAINNET),
      testnet: identify('ton', 'testnet', config.TON_ZEROSTATE_TESTNET),
    },
    solana: {
      mainnet: identify('solana', 'mainnet', config.SOLANA_GENESIS_MAINNET),
      devnet: identify('solana', 'devnet', config.SOLANA_GENESIS_DEVNET),
    },
  };
}

/** Asks all sources again and again which network they serve, until the signal. */
async function keepVerifying(sources: () => readonly VerifiedSources[], signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await sleep(VERIFY_MS, signal))
    await Promise.all(sources().map(source => source.verifySources()));
}

interface NetworkSources {
  readonly at: NetworkRef;
  /** How many there are. */
  readonly count: number;
  readonly identity: ObservedIdentity;
  readonly forks: () => readonly string[];
  /** Those that were used so far. */
  readonly opened: () => readonly (VerifiedSources | undefined)[];
}

function checkOf({ at, identity, forks, opened }: NetworkSources, off: boolean): Check {
  return {
    name: `${at.chain}_${at.network}_sources`,
    vital: false,
    off,
    async run() {
      const unreadable = opened().flatMap(sources => sources?.unreadableSources() ?? []);
      // Several clients read the same source.
      const faults = new Set([...identity.faults(), ...forks(), ...unreadable]);
      return faults.size === 0 ? null : [...faults].join('; ');
    },
  };
}
