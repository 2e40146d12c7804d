import type { Logger } from 'pino';
import type { AccountRef } from '../contracts/network/network';
import type { NetworkIdentity } from '../contracts/network/network-identity';
import {
  CheckpointMoved,
  type CollectionSpec,
  type Document,
  type Documents,
  type Write,
} from '../contracts/ports/documents';
import { redactedUrl } from '../contracts/url/redacted-url';
import { WrongNetwork } from '../contracts/network/wrong-network';

type Chain = AccountRef['chain'];

/** One document a network, with the cursor of its indexer. */
export function identitiesOf(chain: Chain): CollectionSpec {
  return { name: `indexer_${chain}_identities`, indexes: [] };
}

/** The checkpoint that is created with the identity: of two processes at a first start, one decides. */
export function identityCheckpoint(chain: Chain, network: string): string {
  return `indexer-${chain}-${network}-identity`;
}

type IdentityDocument = Document & { readonly identity: string };

/** Networks by identities that never change, to name them and to refuse them under another name. */
const KNOWN: Readonly<Record<string, { readonly chain: Chain; readonly network: string }>> = {
  // The zero states of the global configurations of TON.
  'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=:XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=': {
    chain: 'ton',
    network: 'mainnet',
  },
  'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=:Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=': {
    chain: 'ton',
    network: 'testnet',
  },
  // The clusters of Solana; `mainnet-beta` is `mainnet` here.
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': { chain: 'solana', network: 'mainnet' },
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: { chain: 'solana', network: 'devnet' },
};

export interface StoredIdentity {
  readonly chain: Chain;
  readonly network: string;
  readonly documents: Documents;
}

/** Null before the first source was asked. */
export async function loadIdentity({ chain, network, documents }: StoredIdentity): Promise<string | null> {
  const { name } = identitiesOf(chain);
  await documents.declare([identitiesOf(chain)]);
  return (await documents.get<IdentityDocument>(name, network))?.identity ?? null;
}

const identityWrite = (chain: Chain, network: string, identity: string): Write => ({
  collection: identitiesOf(chain).name,
  id: network,
  document: { _id: network, identity } satisfies IdentityDocument,
});

/** Replaces a stored identity that was false. */
export async function replaceIdentity(
  { chain, network, documents }: StoredIdentity,
  identity: string,
): Promise<void> {
  await documents.commit({
    writes: [identityWrite(chain, network, identity)],
    checkpoint: { name: identityCheckpoint(chain, network), value: { position: 0 } },
  });
}

/** Resolves to the stored identity, which is the given one unless another process was faster. */
async function storeFirst({ chain, network, documents }: StoredIdentity, identity: string): Promise<string> {
  try {
    await documents.commit({
      writes: [identityWrite(chain, network, identity)],
      checkpoint: { name: identityCheckpoint(chain, network), value: { position: 0 }, expect: null },
    });
    return identity;
  } catch (error) {
    const stored =
      error instanceof CheckpointMoved ? await loadIdentity({ chain, network, documents }) : null;
    if (stored === null) throw error;
    return stored;
  }
}

export interface NetworkIdentityOptions extends StoredIdentity {
  readonly logger: Logger;
  /** The identity that the operator has set, if any. */
  readonly pinned?: string | undefined;
  /** For commands, whose settings may be others than the program's: nothing is stored of the first source asked. */
  readonly readOnly?: boolean;
}

/** The identity of a network with what its sources were found to be, as far as this process has asked them. */
export interface ObservedIdentity extends NetworkIdentity {
  /** What is wrong with each source of another network. */
  faults(): readonly string[];
}

/**
 * The identity of a network: what is stored, or else what the operator has set, or else that of the first source asked,
 * which decides for good.
 */
export function createNetworkIdentity(options: NetworkIdentityOptions): ObservedIdentity {
  const { chain, network, logger, pinned, readOnly = false } = options;
  const title = `${chain} ${network}`;
  const faults = new Map<string, string>();
  let known: string | null = null;

  async function reasonAgainst(found: string): Promise<string | null> {
    // Read again before a source is refused: an operator may have corrected what is stored.
    if (known !== found) known = await loadIdentity(options);
    if (known === null) {
      if (pinned === undefined && isAnother(chain, network, found))
        return `it serves ${describeIdentity(found)}, not ${title}`;
      known = readOnly ? (pinned ?? found) : await storeFirst(options, pinned ?? found);
    }
    if (pinned !== undefined && known !== pinned)
      return `${title} is set to ${describeIdentity(pinned)}, but was indexed from ${describeIdentity(known)}`;
    return known === found
      ? null
      : `it serves ${describeIdentity(found)}; ${title} is ${describeIdentity(known)}`;
  }

  return {
    async check(url, found) {
      const reason = await reasonAgainst(found);
      if (reason === null) {
        if (faults.delete(url))
          logger.info({ chain, network, url: redactedUrl(url) }, 'source serves the right network again');
        return;
      }
      const fault = `${redactedUrl(url)} is not used: ${reason}`;
      if (faults.get(url) !== fault)
        logger.error({ chain, network, url: redactedUrl(url), reason }, 'source serves another network');
      faults.set(url, fault);
      throw new WrongNetwork(fault);
    },
    faults: () => [...faults.values()],
  };
}

/** Whether it is that of a public network, which no local one has. */
export function isPublicIdentity(identity: string): boolean {
  return KNOWN[identity] !== undefined;
}

const isAnother = (chain: Chain, network: string, found: string): boolean => {
  const named = KNOWN[found];
  return named !== undefined && (named.chain !== chain || named.network !== network);
};

/** The identity, and the name of the network when it is a public one. */
export function describeIdentity(identity: string): string {
  const named = KNOWN[identity];
  return named ? `${identity} (public ${named.chain} ${named.network})` : identity;
}
