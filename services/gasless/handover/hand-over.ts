import type { Logger } from 'pino';
import { gaslessHandoverStream, type GaslessHandedOver } from '../../../contracts/events/gasless-handover';
import type { TonNetwork } from '../../../contracts/network/network';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type GaslessUpstream,
} from '../../../contracts/ports/gasless-upstream';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { Problem } from '../../../contracts/problem/problem';
import { load } from '../../load';
import { walletAt } from '../../wallet-v5';
import { watchIfPossible, type Reader, type Watch } from '../../watch-account';
import { isRefusal, refusal, type GaslessDeps, type GaslessRefusal } from '../deps';
import type { Carrier } from '../request/carrier';
import { hashesOf } from '../request/hashes';
import { verifiedRequest } from '../request/verified-request';
import { faultOfValidity } from '../send/validity';
import { createWalletTurns } from '../wallet-turns';
import { gaslessHandoverKind } from './decider';

export interface HandoverDeps extends Pick<GaslessDeps, 'store' | 'handle' | 'clock'> {
  /** What became of a transfer is read from the transactions of its wallet. */
  readonly watch: Watch;
  readonly logger: Pick<Logger, 'error'>;
  client(network: TonNetwork): Pick<TonClient, 'getLastBlock' | 'getAccount'>;
}

export interface HandoverRequest {
  readonly network: TonNetwork;
  /** Hex. */
  readonly publicKey: string;
  readonly carrier: Carrier;
  /** As it was posted, hex. */
  readonly boc: string;
  /** Where the call comes from, a pseudonym. */
  readonly source: string;
}

const RETRY_AFTER_SECONDS = 2;

const handOverInTurn = createWalletTurns();

/**
 * Hands a request of a wallet over to the relayer of somebody else, once that is recorded. When the answer is lost nobody knows
 * whether it was taken: the same request may then be posted again, and nothing else of the same seqno before it has expired.
 * @returns null where it is taken
 * @throws Problem 503 while it is not known whether it was
 */
export async function handOver(
  deps: HandoverDeps,
  upstream: GaslessUpstream,
  request: HandoverRequest,
  reader: Reader,
): Promise<GaslessRefusal | null> {
  const { network, carrier, source } = request;
  const client = deps.client(network);
  const block = await client.getLastBlock();
  const signed = signedBy(request, block.now);
  if (isRefusal(signed)) return signed;
  const watched = await watchWallet(deps, { network, wallet: carrier.wallet }, reader);
  if (watched) return watched;
  const handover: Handover = { ...signed, hashes: hashesOf(carrier) };
  return handOverInTurn(handover, source, async () => {
    const earlier = await load(deps.store, gaslessHandoverKind, gaslessHandoverStream(handover));
    const isSame = earlier?.request.bodyHash === handover.bodyHash;
    if (isSame && !['open', 'refused'].includes(earlier.step))
      return earlier.step === 'expired' ? refusal('try-later', 'it has expired') : null;
    const { seqno } = await walletAt({ client }, carrier.wallet, block.seqno);
    // Of what may have been taken the chain knows more than who has taken it.
    if (isSame && seqno > handover.seqno) return null;
    if (seqno !== handover.seqno) return refusal('try-later', 'another seqno');
    return post(deps, upstream, request, handover);
  });
}

type Handover = Omit<GaslessHandedOver['data'], 'at'>;

/** What the key has signed. @param now of the chain, Unix seconds */
function signedBy(
  { network, publicKey, carrier: { wallet, body } }: HandoverRequest,
  now: number,
): Omit<Handover, 'hashes'> | GaslessRefusal {
  const signed = verifiedRequest(body, Buffer.from(publicKey, 'hex'));
  if (isRefusal(signed)) return signed;
  const { seqno, validUntil, bodyHash } = signed;
  const fault = faultOfValidity(validUntil, now);
  return fault === null ? { network, wallet, seqno, validUntil, bodyHash } : refusal('try-later', fault);
}

async function watchWallet(
  deps: HandoverDeps,
  { network, wallet }: { readonly network: TonNetwork; readonly wallet: string },
  reader: Reader,
): Promise<GaslessRefusal | null> {
  try {
    await watchIfPossible(deps, { chain: 'ton', network, address: wallet }, reader);
    return null;
  } catch (error) {
    if (error instanceof Problem) return refusal('try-later', error.message);
    throw error;
  }
}

async function post(
  { handle, clock }: HandoverDeps,
  upstream: GaslessUpstream,
  { publicKey, boc }: HandoverRequest,
  handover: Handover,
): Promise<GaslessRefusal | null> {
  const stream = gaslessHandoverStream(handover);
  const { bodyHash } = handover;
  const metadata = () => ({ now: clock().toISOString(), actor: 'gasless' });
  const outcome = await handle(gaslessHandoverKind, stream, {
    type: 'handOver',
    request: handover,
    metadata: metadata(),
  });
  if (outcome.refusal) return refusal('cooldown', outcome.refusal.detail);
  const isFirst = outcome.events.length > 0;
  try {
    await upstream.send({ publicKey, boc });
  } catch (error) {
    if (error instanceof UpstreamUnavailable)
      throw Problem.unavailable('The relayer has not answered; post the same again.', RETRY_AFTER_SECONDS);
    // An earlier post of it may have been taken, whatever is said of this one.
    if (error instanceof UpstreamRefused && isFirst)
      await handle(gaslessHandoverKind, stream, { type: 'recordRefused', bodyHash, metadata: metadata() });
    throw error;
  }
  await handle(gaslessHandoverKind, stream, { type: 'recordTaken', bodyHash, metadata: metadata() });
  return null;
}
