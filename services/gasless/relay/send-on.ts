import { Cell } from '@ton/core';
import { gaslessRelayStream } from '../../../contracts/events/gasless-relay';
import {
  gaslessSendStream,
  type GaslessSendAccepted,
  type GaslessSendRef,
} from '../../../contracts/events/gasless-send';
import type { TonBlockRef } from '../../../contracts/ports/ton-client';
import { messageOf } from '../../../contracts/text/error-message';
import { load } from '../../commands/load';
import { blockAfterExpiry, VALID_FOR } from '../../wallet-v5/message';
import { walletAt, walletV5, type WalletBalance } from '../../wallet-v5/wallet-v5';
import { chainTime } from '../chain-time';
import type { GaslessDeps, Relayer } from '../deps';
import { gaslessSendKind } from '../send/decider';
import { batchOf } from './batch';
import { gaslessRelayKind, type RelayState } from './decider';
import { takeBackFrom } from './fork';
import { relayAddress } from './relay-account';
import { relayMessage } from './relay-message';

export type SendOnDeps = Pick<GaslessDeps, 'store' | 'handle' | 'clock' | 'logger'>;

/** Seconds that a request has to be valid for when it is sent on: it has to arrive. */
const MIN_VALID = 10;

type Accepted = GaslessSendAccepted['data'];

/** The newest block, and the relay wallet in it. */
interface Seen {
  readonly relay: string;
  readonly block: TonBlockRef;
  readonly account: WalletBalance;
}

/**
 * Takes accepted requests as far as they go now, from wherever an earlier run has left them; any number of workers may do
 * this. A message of the relay wallet sends many of them on, and is recorded before it is sent. While it may still be carried out
 * the same bytes are sent again, and no other message is signed.
 * @returns those of the requests for which nothing more is to be done: they are on the chain, or never will be
 */
export async function sendOn(
  deps: SendOnDeps,
  relayer: Relayer,
  waiting: readonly GaslessSendRef[],
): Promise<readonly GaslessSendRef[]> {
  const relay = relayAddress(relayer);
  const block = await relayer.client.getLastBlock();
  const seen = { relay, block, account: await walletAt(relayer, relay, block.seqno) };
  // Before the requests: a worker that signs in between makes the next decision refuse.
  let state = await load(deps.store, gaslessRelayKind, gaslessRelayStream(relayer.network, relay));
  if (state && (state.live || seen.account.seqno < state.nextSeqno))
    state = await follow(deps, relayer, state, seen);
  if (state?.live) return [];

  const sends = await Promise.all(
    waiting.map(ref => load(deps.store, gaslessSendKind, gaslessSendStream(ref))),
  );
  const accepted = sends.flatMap(send => (send?.step === 'accepted' ? [send.accepted] : []));
  // No sooner: another worker may have just sent it on, and its wallet would still carry it out.
  const expired = accepted.filter(({ validUntil }) => validUntil <= block.now);
  for (const request of expired) await recordExpired(deps, request);
  const left = accepted.filter(request => !expired.includes(request));
  const earliest = chainTime(block, deps.clock()) + MIN_VALID;
  const requests = left.filter(({ validUntil }) => validUntil >= earliest);
  if (requests.length > 0) await signFor(deps, relayer, { requests, state, seen });
  const open = new Set(left.map(gaslessSendStream));
  return waiting.filter(ref => !open.has(gaslessSendStream(ref)));
}

async function recordExpired({ handle, clock }: SendOnDeps, accepted: Accepted): Promise<void> {
  await handle(gaslessSendKind, gaslessSendStream(accepted), {
    type: 'recordExpired',
    bodyHash: accepted.bodyHash,
    metadata: { now: clock().toISOString(), actor: 'gasless' },
  });
}

interface Signing {
  readonly requests: readonly Accepted[];
  readonly state: RelayState | null;
  readonly seen: Seen;
}

async function signFor(
  deps: SendOnDeps,
  relayer: Relayer,
  { requests, state, seen: { relay, block, account } }: Signing,
): Promise<void> {
  const { key, network, minBalance } = relayer;
  const { seqno, balance } = account;
  const batch = batchOf(requests, balance - minBalance);
  if (batch.length === 0) {
    deps.logger.warn({ network, balance: String(balance) }, 'the relay wallet is low: requests wait');
    return;
  }
  const validUntil = chainTime(block, deps.clock()) + VALID_FOR;
  const order = { seqno, validUntil, forwards: batch.map(forwardOf) };
  const cell = await relayMessage(walletV5(key.publicKey, network), order, key.sign);
  const message = cell.toBoc();
  const { refusal } = await deps.handle(gaslessRelayKind, gaslessRelayStream(network, relay), {
    type: 'sign',
    after: state?.count ?? 0,
    message: {
      network,
      relay,
      seqno,
      validUntil,
      requests: batch.map(({ wallet, seqno: used, bodyHash }) => ({ wallet, seqno: used, bodyHash })),
      messageHash: cell.hash().toString('hex'),
      message: message.toString('base64'),
    },
    metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
  });
  // Another worker was faster: what it has signed is looked at next.
  if (!refusal) await broadcast(deps, relayer, message);
}

const forwardOf = ({ wallet, init, body, attached }: Accepted) => ({
  wallet,
  init: init && { code: Cell.fromBase64(init.code), data: Cell.fromBase64(init.data) },
  body: Cell.fromBase64(body),
  value: BigInt(attached),
});

/** Whether it has arrived is seen on the chain, not by the answer of a node. */
async function broadcast({ logger }: SendOnDeps, { client }: Relayer, message: Buffer): Promise<void> {
  await client.sendMessage(message).catch((error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'message of the relay wallet not taken by a node');
  });
}

/** Looks for the last message on the chain, and sends it again while it may still be carried out. @returns the state after that */
async function follow(
  deps: SendOnDeps,
  relayer: Relayer,
  { live, count, nextSeqno, last }: RelayState,
  { relay, block, account: { seqno } }: Seen,
): Promise<RelayState | null> {
  const { network } = relayer;
  // Nearly always by the message itself. Where the key has signed another one elsewhere, the transactions of the wallet show it later.
  const isIncluded = live !== null && seqno > live.seqno;
  // A seqno of the relay wallet that stays below this shows that the message, or an earlier one, is not on the chain.
  const below = live ? live.seqno + 1 : nextSeqno;
  const isGone = seqno < below && (await blockAfterExpiry(relayer, last.validUntil, block)) !== null;
  // First what the requests have to know: once the relay wallet may sign again, nothing else says that they were sent, or not.
  if (isIncluded) await recordRelayed(deps, live);
  else if (isGone) await takeBackFrom(deps, { network, relay, seqno });
  else if (live) await broadcast(deps, relayer, Buffer.from(live.message, 'base64'));
  const outcome = await deps.handle(gaslessRelayKind, gaslessRelayStream(network, relay), {
    type: 'observe',
    count,
    seen: { seqno, isExpired: isGone },
    metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
  });
  return outcome.refusal ? null : outcome.state;
}

type Live = NonNullable<RelayState['live']>;

async function recordRelayed(
  { handle, clock }: SendOnDeps,
  { network, seqno: relaySeqno, requests, messageHash }: Live,
): Promise<void> {
  await Promise.all(
    requests.map(({ wallet, seqno, bodyHash }) =>
      handle(gaslessSendKind, gaslessSendStream({ network, wallet, seqno }), {
        type: 'recordRelayed',
        bodyHash,
        relaySeqno,
        messageHash,
        metadata: { now: clock().toISOString(), actor: 'gasless' },
      }),
    ),
  );
}
