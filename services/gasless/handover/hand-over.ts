import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { WithoutMetadata } from '../../../contracts/decider';
import { gaslessHandoverStream, type GaslessHandedOver } from '../../../contracts/events/gasless-handover';
import type { TonNetwork } from '../../../contracts/network/network';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type GaslessUpstream,
} from '../../../contracts/ports/gasless-upstream';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { Problem } from '../../../contracts/problem/problem';
import { load } from '../../commands/load';
import { readWalletState, type WalletState } from '../../wallet-v5/state';
import { watchIfPossible, type Reader, type Watch } from '../../watch-account';
import { isRefusal, refusal, type GaslessDeps, type GaslessRefusal } from '../deps';
import type { Carrier } from '../request/carrier';
import { hashesOf } from '../request/hashes';
import type { SignedRequest } from '../request/signed-request';
import { verifiedRequest } from '../request/verified-request';
import { faultOfValidity } from '../send/validity';
import { createWalletMutex } from '../wallet-mutex';
import { gaslessHandoverKind, hasEnded, type GaslessHandover, type GaslessHandoverCommand } from './decider';

export interface HandoverDeps extends Pick<GaslessDeps, 'store' | 'handle' | 'clock'> {
  /** What became of a transfer is read from the transactions of its wallet. */
  readonly watch: Watch;
  readonly logger: Pick<Logger, 'debug' | 'error'>;
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
/** While another process posts the same. */
const MAX_WAIT_MS = 12_000;
const POLL_MS = 100;

const handOverInTurn = createWalletMutex();

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
  // Before anything is recorded: a stranger who signs would keep the owner from using the seqno.
  const state = await walletIn(client, carrier, block.seqno);
  if (!isOwner(state, request.publicKey, signed)) return refusal('try-later', 'not the wallet of the key');
  const watched = await watchWallet(deps, { network, wallet: carrier.wallet }, reader);
  if (watched) return watched;
  const { seqno, validUntil, bodyHash } = signed;
  const { wallet } = carrier;
  const handover: Handover = { network, wallet, seqno, validUntil, bodyHash, hashes: hashesOf(carrier) };
  return handOverInTurn(handover, source, async () => {
    const earlier = await load(deps.store, gaslessHandoverKind, gaslessHandoverStream(handover));
    const isSame = earlier?.request.bodyHash === handover.bodyHash;
    if (isSame && isDecided(earlier)) return answerOf(earlier);
    // Of what may have been taken the chain knows more than who has taken it.
    if (isSame && state.seqno > seqno) return null;
    if (state.seqno !== seqno) return refusal('try-later', 'another seqno');
    return post(deps, upstream, request, handover);
  });
}

type Handover = Omit<GaslessHandedOver['data'], 'at'>;

/** Whether it is known what becomes of a request that is posted again. */
function isDecided({ step }: GaslessHandover): boolean {
  return step === 'taken' || hasEnded({ step });
}

/** Of a request that somebody has posted. */
function answerOf({ step }: GaslessHandover): GaslessRefusal | null {
  if (step === 'expired') return refusal('try-later', 'it has expired');
  return step === 'refused' ? refusal('try-later', 'it was refused just now') : null;
}

/** What the key has signed. @param now of the chain, Unix seconds */
function signedBy(
  { publicKey, carrier: { body } }: HandoverRequest,
  now: number,
): SignedRequest | GaslessRefusal {
  const signed = verifiedRequest(body, Buffer.from(publicKey, 'hex'));
  if (isRefusal(signed)) return signed;
  const fault = faultOfValidity(signed.validUntil, now);
  return fault === null ? signed : refusal('try-later', fault);
}

/** As a block has it, else as the message deploys it, of whose state the address is the hash; null where it is no wallet v5 r1. */
async function walletIn(
  client: Pick<TonClient, 'getAccount'>,
  { wallet, init }: Carrier,
  block: number,
): Promise<WalletState | null> {
  const { code, data } = await client.getAccount(block, wallet);
  const contract = code && data ? { code, data } : init;
  return contract && readWalletState(contract);
}

/** A key has many wallets: what it has signed is for the one whose id it names. */
function isOwner(
  state: WalletState | null,
  publicKey: string,
  { walletId }: SignedRequest,
): state is WalletState {
  return state?.publicKey === publicKey && state.walletId === walletId;
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
  deps: HandoverDeps,
  upstream: GaslessUpstream,
  { publicKey, boc, source }: HandoverRequest,
  handover: Handover,
): Promise<GaslessRefusal | null> {
  const stream = gaslessHandoverStream(handover);
  const record = (command: WithoutMetadata<GaslessHandoverCommand>) =>
    deps.handle(gaslessHandoverKind, stream, {
      ...command,
      metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
    });
  const { bodyHash } = handover;
  const outcome = await record({ type: 'handOver', request: handover });
  if (outcome.refusal) return refusal('cooldown', outcome.refusal.detail);
  const [claim] = outcome.events;
  if (!claim) return untilPosted(deps, stream);
  try {
    await upstream.send({ publicKey, boc, caller: source });
  } catch (error) {
    // An earlier post of it may have been taken, whatever is said of this one.
    const isRefused = error instanceof UpstreamRefused && claim.type === 'GaslessHandedOver';
    await record({ type: isRefused ? 'recordRefused' : 'recordUnanswered', bodyHash });
    throw error instanceof UpstreamUnavailable ? notAnswered() : error;
  }
  await record({ type: 'recordTaken', bodyHash });
  return null;
}

/** @throws Problem 503 where that takes too long, or nobody knows what became of the post */
async function untilPosted(
  { store }: Pick<HandoverDeps, 'store'>,
  stream: string,
): Promise<GaslessRefusal | null> {
  for (const since = performance.now(); performance.now() < since + MAX_WAIT_MS; await sleep(POLL_MS)) {
    const handover = await load(store, gaslessHandoverKind, stream);
    if (handover?.step === 'unanswered') break;
    if (handover && handover.step !== 'open') return answerOf(handover);
  }
  throw notAnswered();
}

const notAnswered = (): Problem =>
  Problem.unavailable('The relayer has not answered; post the same again.', RETRY_AFTER_SECONDS);
