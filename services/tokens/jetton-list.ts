import type { TonAccount } from '../../contracts/account/ton-account';
import { accountKey } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons, type TonJetton, type TonJettonReceipt } from '../../projections/ton/jettons/queries';
import { newerSeqno } from '../../projections/ton/transactions/documents';
import type { TokenDeps } from './deps';

/** The jettons of an owner. */
export interface JettonList {
  readonly jettons: readonly ListedJetton[];
  /** What others sent to the owner without a notification, and no wallet of the owner is known for. */
  readonly unfound: readonly Unfound[];
}

export interface ListedJetton extends TonJetton {
  /** The block by which the wallet has what the owner's messages and those of others have caused; null when that is not known. */
  readonly arrival: number | null;
  /** When its master was last asked for it (RFC 3339), where no transaction of the owner names it; otherwise null. */
  readonly foundAt: string | null;
}

export interface Unfound {
  readonly master: string;
  /**
   * When the master was last asked for the wallet of the owner (RFC 3339), since the jettons were sent; null when it was not.
   */
  readonly askedAt: string | null;
  /** Whether it was ever asked. */
  readonly isAsked: boolean;
}

/** What was sent is in the wallet of its receiver two blocks later: the wallet of its sender comes first, one block later. */
const BLOCKS_TO_ARRIVE = 2;
const BLOCKS_TO_LEAVE = 1;
/** Ten minutes: what is delivered later than that is given up elsewhere as well. */
const MAX_BLOCKS_TO_ARRIVE = 1_500;

/** Of jettons that no transaction of an owner names. */
const MAX_FOUND = 1_000;

/** Where observations of an account are among those of all. */
export function partOf({ network, address }: TonAccount): string {
  return accountKey({ chain: 'ton', network, address });
}

/** What a list is read from. */
export function listSources(
  { views, ownedJettons }: Pick<TokenDeps, 'views' | 'ownedJettons'>,
  account: TonAccount,
): readonly Source[] {
  return [
    ...tonJettons(views).sources(account.network, account.address),
    { collection: ownedJettons.collection, part: partOf(account) },
  ];
}

/** As `listJettons`, cached until it changes. */
export function cachedJettonList(
  deps: Pick<TokenDeps, 'views' | 'ownedJettons'>,
  account: TonAccount,
): Promise<JettonList> {
  const key = ['jettons of a TON account', account.network, account.address];
  return deps.views.cached({ key, sources: listSources(deps, account) }, () => listJettons(deps, account));
}

/** Those that transactions of the owner name, and those that were found without. */
export async function listJettons(
  { views, ownedJettons }: Pick<TokenDeps, 'views' | 'ownedJettons'>,
  account: TonAccount,
): Promise<JettonList> {
  const { network, address } = account;
  const index = tonJettons(views);
  const [named, more, received] = await Promise.all([
    index.ofOwner(network, address),
    ownedJettons.findPart(partOf(account), MAX_FOUND),
    index.received(network, address),
  ]);
  const wallets = new Set(named.map(({ wallet }) => wallet));
  const unnamed = more.flatMap(({ subject: { master }, observed: { data: wallet, at: foundAt } }) =>
    wallet === null || wallets.has(wallet) ? [] : [{ wallet, master, seqno: null, foundAt }],
  );
  const sent = new Map(received.map(({ master, seqno }) => [master, seqno]));
  const all = [...named.map(jetton => ({ ...jetton, foundAt: null })), ...unnamed];
  const jettons = all.map(jetton => {
    const sentAt = sent.get(jetton.master) ?? null;
    const left = jetton.seqno && jetton.seqno + BLOCKS_TO_LEAVE;
    const arrival = newerSeqno(arrivalOf(sentAt), left);
    return { ...jetton, seqno: newerSeqno(jetton.seqno, sentAt), arrival };
  });
  const masters = new Set(jettons.map(({ master }) => master));
  const readings = new Map(more.map(({ subject: { master }, observed }) => [master, observed]));
  return {
    jettons: jettons.sort((a, b) => (a.wallet < b.wallet ? -1 : 1)),
    unfound: received
      .filter(({ master }) => !masters.has(master))
      .flatMap(receipt => unfoundOf(receipt, readings.get(receipt.master) ?? null)),
  };
}

/** The block by which it has arrived. */
const arrivalOf = (seqno: number | null): number | null => seqno && seqno + BLOCKS_TO_ARRIVE;

/** Nothing of what has not arrived long after it was sent: anyone can send what they do not have. */
function unfoundOf({ master, seqno }: TonJettonReceipt, reading: Observed<string | null> | null): Unfound[] {
  const height = reading?.height ?? 0;
  if (seqno !== null && height >= seqno + MAX_BLOCKS_TO_ARRIVE) return [];
  // Asked before it can have arrived, a master says nothing of it.
  const isCurrent = reading && height >= (arrivalOf(seqno) ?? 0);
  return [{ master, askedAt: isCurrent ? reading.at : null, isAsked: reading !== null }];
}
