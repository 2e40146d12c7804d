import type { z } from 'zod';
import type {
  CustomPayloadObserved,
  CustomPayloadSubject,
} from '../../contracts/chain/ton-token-observations';
import type { jettonPayload, MintlessHint } from '../../contracts/http/tokens/mintless';
import type { HintPrice } from '../../contracts/http/tokens/tokens';
import type { Observed } from '../../contracts/observation/reader';
import { accountKey } from '../../contracts/network/network';
import { TOKEN_VERIFICATIONS_SOURCE, trustedTokens } from '../../projections/tokens/verifications';
import { tonJettons } from '../../projections/ton/jettons/queries';
import type { AnyCall } from '../http/call';
import { addressKey } from '../../contracts/http/address-key';
import type { LimitFirstRead } from '../http/limits';
import { readUntil } from '../reads/read-until';
import type { TokenImages } from '../token-attributes';
import type { TonAccount } from '../../contracts/account/ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';
import { hintOf } from './hints';
import { findKnownJettons, isShown, isUnread, refreshKnownJetton, type KnownJetton } from './known-jettons';
import type { ReadJetton } from './contract-reads';

/** What an owner may claim of a jetton. */
interface Offer {
  readonly jetton: KnownJetton;
  readonly subject: CustomPayloadSubject;
  /** Null when it was not read since the owner used the wallet last. */
  readonly observed: Observed<CustomPayloadObserved> | null;
}

interface Found {
  /** Jettons of which something was never read. */
  readonly unread: readonly KnownJetton[];
  readonly offers: readonly Offer[];
}

/** A claim that was made since an answer was read makes the transfer fail that makes it again. */
const PAYLOAD_MAX_AGE_MS = 5_000;

/** Jettons that have a server of their own for payloads of transfers (TEP-176), among them mintless ones (TEP-177). */
export function createMintlessReads(deps: TokenDeps, limitFirstRead: LimitFirstRead, readJetton: ReadJetton) {
  const { views, masters, documents, payloads, prices, clock, gatewayUrl, publicUrl } = deps;
  const index = tonJettons(views);

  async function find({ network, address: owner }: TonAccount): Promise<Found> {
    const jettons = await findKnownJettons(deps, network, await trustedTokens(views, network));
    const subjects = jettons.flatMap(jetton => {
      const uri = jetton.attributes?.customPayloadApiUri;
      return uri ? [{ jetton, subject: { network, owner, master: jetton.master, uri } }] : [];
    });
    const found = await payloads.findMany(subjects.map(({ subject }) => subject));
    const used = new Map((await index.ofOwner(network, owner)).map(({ wallet, seqno }) => [wallet, seqno]));
    const isCurrent = ({ data, height }: Observed<CustomPayloadObserved>): boolean =>
      (height ?? 0) >= ((data && used.get(data.wallet)) ?? 0);
    return {
      unread: jettons.filter(isUnread),
      offers: subjects.map((offer, place) => {
        const observed = found[place];
        return { ...offer, observed: observed && isCurrent(observed) ? observed : null };
      }),
    };
  }

  /**
   * What the owner, who is watched, has not claimed of trusted jettons: their transactions say when an offer was read too
   * early. What was never read is waited for; what is stale is served.
   */
  async function unclaimed(account: TonAccount, call: AnyCall): Promise<MintlessHint[]> {
    const { network, address } = account;
    await watchIfPossible(deps, account, call);
    const sources = [
      TOKEN_VERIFICATIONS_SOURCE,
      { collection: masters.collection },
      { collection: documents.collection },
      ...index.sources(network, address),
      { collection: payloads.collection, part: accountKey({ chain: 'ton', network, address }) },
    ];
    const caller = addressKey(call.ip);
    let last: Found | null = null;
    const { offers } = await readUntil({
      read: async () => (last = await find(account)),
      isDone: ({ unread, offers }) =>
        unread.length === 0 && offers.every(({ observed }) => observed !== null),
      waitForChange: (timeoutMs, signal) => views.waitForChange(sources, timeoutMs, signal),
      async request() {
        const { unread: unreadJettons, offers } = last!;
        const unread = offers.filter(({ observed }) => observed === null);
        if (unread.length > 0) await limitFirstRead(`mintless of ${network}/${address}`, call);
        await Promise.all([
          ...unreadJettons.map(jetton => refreshKnownJetton(deps, network, jetton, caller)),
          ...unread.map(({ subject }) => payloads.request(subject, { caller })),
        ]);
      },
      waitMs: deps.waitMs,
      waitLimit: deps.waitLimit,
      caller,
      signal: call.signal,
    });
    await Promise.all(
      offers.map(async ({ subject, observed }) => {
        if (observed && payloads.isStale(observed.at)) await payloads.request(subject, { caller });
      }),
    );
    const priced = await prices.find(
      network,
      offers.map(({ subject: { master } }) => master),
    );
    const images = { gatewayUrl, api: publicUrl ?? call.origin };
    return offers.flatMap(offer => unclaimedHint(offer, priced, clock().getTime() / 1_000, images));
  }

  /** @throws Problem 429, 503 */
  async function payload(
    master: TonAccount,
    { address: owner }: TonAccount,
    call: AnyCall,
  ): Promise<z.input<NonNullable<typeof jettonPayload.response>>> {
    const { network, address } = master;
    const { jetton, at } = await readJetton(master, call);
    const uri = jetton?.customPayloadApiUri ?? null;
    if (uri === null) return { customPayload: null, stateInit: null, at };
    const subject = { network, owner, master: address, uri };
    if (!(await payloads.find(subject)))
      await limitFirstRead(`payload of ${network}/${owner}/${address}`, call);
    const now = clock().getTime();
    const found = await payloads.readDerived(
      subject,
      {
        find: () => payloads.find(subject),
        isStale: () => false,
        isCurrent: observed => now - Date.parse(observed.at) <= PAYLOAD_MAX_AGE_MS,
      },
      { caller: addressKey(call.ip) },
    );
    if (!found?.data) throw payloads.notReady(subject, 'The payload');
    const { customPayload, stateInit, claim } = found.data;
    const isClaimable = !claim || (claim.startFrom <= now / 1_000 && now / 1_000 < claim.expiresAt);
    return isClaimable
      ? { customPayload, stateInit, at: found.at }
      : { customPayload: null, stateInit: null, at: found.at };
  }

  return { unclaimed, payload };
}

function unclaimedHint(
  { jetton, subject, observed }: Offer,
  prices: ReadonlyMap<string, HintPrice>,
  now: number,
  images: TokenImages,
): MintlessHint[] {
  const claim = observed?.data?.claim;
  if (!claim || claim.expiresAt <= now || !isShown(jetton)) return [];
  const { wallet, balance: onChain } = observed.data!;
  const balance = String(BigInt(onChain) + BigInt(claim.amount));
  const owned = { jetton, wallet, balance, at: observed.at, price: prices.get(subject.master) ?? null };
  const { extensions = [], ...hint } = hintOf(owned, subject.network, images);
  const isLocked = claim.startFrom > now;
  return [
    { ...hint, extensions, ...(isLocked && { lock: { amount: claim.amount, till: claim.startFrom } }) },
  ];
}
