import type { TokenAttributes } from '../../contracts/chain/ton-token-observations';
import type { TokenVerification } from '../../contracts/events/token';
import type { TonNetwork } from '../../contracts/network/network';
import { tokenVerifications } from '../../projections/tokens/verifications';
import type { TokenDeps } from './deps';
import { tokenAttributesOf } from '../token-attributes';

/** What is known of a jetton, the same for all its owners. */
export interface KnownJetton {
  /** Raw. */
  readonly master: string;
  /** Null when nothing is known, or when the contract is not a jetton master. */
  readonly attributes: TokenAttributes | null;
  /** What operators say of it. */
  readonly verification: TokenVerification;
  /** Of its document; null when it has none, or when that is not known. */
  readonly uri: string | null;
  /** Instants (RFC 3339) of its observations; null where there is none. */
  readonly masterAt: string | null;
  readonly documentAt: string | null;
}

/** A jetton whose amounts can be shown. */
export type ShownJetton = KnownJetton & { readonly attributes: { readonly decimals: number } };

/** Whether the decimals of a jetton are known. */
export function isShown(jetton: KnownJetton): jetton is ShownJetton {
  return typeof jetton.attributes?.decimals === 'number';
}

/** Whether something was never read of it. */
export function isUnread({ masterAt, uri, documentAt }: KnownJetton): boolean {
  return masterAt === null || (uri !== null && documentAt === null);
}

type Deps = Pick<TokenDeps, 'views' | 'masters' | 'documents'>;

/** What is known of the jettons of masters (raw), in their order. */
export async function findKnownJettons(
  { views, masters, documents }: Deps,
  network: TonNetwork,
  addresses: readonly string[],
): Promise<KnownJetton[]> {
  const [observed, verifications] = await Promise.all([
    masters.findMany(addresses.map(address => ({ network, address }))),
    tokenVerifications(views, network, addresses),
  ]);
  const uris = observed.map(master => master?.data?.content.uri ?? null);
  const named = [...new Set(uris.filter(uri => uri !== null))];
  const found = await documents.findMany(named);
  const documentOf = new Map(named.map((uri, at) => [uri, found[at] ?? null]));
  return addresses.map((master, at) => {
    const observation = observed[at] ?? null;
    const uri = uris[at] ?? null;
    const document = uri === null ? null : (documentOf.get(uri) ?? null);
    return {
      master,
      attributes: observation?.data
        ? tokenAttributesOf(observation.data.content, document?.data ?? null)
        : null,
      verification: verifications[at]!,
      uri,
      masterAt: observation?.at ?? null,
      documentAt: document?.at ?? null,
    };
  });
}

/** Requests what was never read of a jetton, and what is stale of it. @param caller who has the documents of tokens read */
export async function refreshKnownJetton(
  { masters, documents }: Deps,
  network: TonNetwork,
  { master, uri, masterAt, documentAt }: KnownJetton,
  caller: string,
): Promise<void> {
  if (masterAt === null || masters.isStale(masterAt)) await masters.request({ network, address: master });
  if (uri !== null && (documentAt === null || documents.isStale(documentAt)))
    await documents.request(uri, { caller });
}
