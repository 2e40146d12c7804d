import { Cell } from '@ton/core';
import { gaslessRelayStream } from '../../../contracts/events/gasless-relay';
import { gaslessSendStream, type GaslessSendRef } from '../../../contracts/events/gasless-send';
import { messageOf } from '../../../contracts/text/error-message';
import { load } from '../../load';
import type { GaslessDeps, Relayer } from '../deps';
import { gaslessSendKind, type GaslessSend } from '../send/decider';
import { gaslessRelayKind, type RelayState } from './decider';
import { relayAddress, relaySeqnoAt } from './relay-account';
import { relayMessage, walletV5 } from './relay-message';

export type SendOnDeps = Pick<GaslessDeps, 'store' | 'handle' | 'clock' | 'logger'>;

/** Seconds: of a message of the relay wallet, and after them until it is looked for the last time. */
const VALID_FOR = 120;
const EXPIRY_MARGIN = 60;
/** Seconds that a request has to be valid for when it is sent on: it has to arrive. */
const MIN_VALID = 10;
const POLL_MS = 500;

/**
 * Takes an accepted request as far as it goes now, from wherever an earlier run has left it; any number of workers may do
 * this. The message of the relay wallet is recorded before it is sent. While it may still be carried out the same bytes are sent
 * again, and no other message is signed.
 * @returns milliseconds until there is more to do; null when it is on the chain, or never will be
 */
export async function sendOn(
  deps: SendOnDeps,
  relayer: Relayer,
  ref: GaslessSendRef,
): Promise<number | null> {
  const relay = relayAddress(relayer);
  // Before the request: a worker that signs in between makes the next decision refuse.
  const state = await load(deps.store, gaslessRelayKind, gaslessRelayStream(relayer.network, relay));
  if (state?.live) {
    await followLive(deps, relayer, state.live);
    return POLL_MS;
  }
  const send = await load(deps.store, gaslessSendKind, gaslessSendStream(ref));
  if (send?.step !== 'accepted') return null;
  const { now } = await relayer.client.getLastBlock();
  if (send.accepted.validUntil < now + MIN_VALID) {
    await record(deps, send, { type: 'recordExpired' });
    return null;
  }
  await signFor(deps, relayer, { send, state, relay, now });
  return POLL_MS;
}

type Live = NonNullable<RelayState['live']>;
type Outcome =
  | { readonly type: 'recordExpired' }
  | { readonly type: 'recordRelayed'; readonly relaySeqno: number; readonly messageHash: string };

async function record(
  { handle, clock }: SendOnDeps,
  { accepted }: GaslessSend,
  outcome: Outcome,
): Promise<void> {
  await handle(gaslessSendKind, gaslessSendStream(accepted), {
    ...outcome,
    bodyHash: accepted.bodyHash,
    metadata: { now: clock().toISOString(), actor: 'gasless' },
  });
}

interface Signing {
  readonly send: GaslessSend;
  readonly state: RelayState | null;
  readonly relay: string;
  readonly now: number;
}

async function signFor(
  deps: SendOnDeps,
  relayer: Relayer,
  { send: { accepted }, state, relay, now }: Signing,
): Promise<void> {
  const { key, network } = relayer;
  const { wallet, seqno: walletSeqno, bodyHash, init } = accepted;
  const seqno = await relaySeqnoAt(relayer, relay, (await relayer.client.getLastBlock()).seqno);
  const validUntil = now + VALID_FOR;
  const forward = {
    wallet,
    init: init && { code: Cell.fromBase64(init.code), data: Cell.fromBase64(init.data) },
    body: Cell.fromBase64(accepted.body),
    value: BigInt(accepted.attached),
  };
  const order = { seqno, validUntil, forwards: [forward] };
  const message = (await relayMessage(walletV5(key.publicKey, network), order, key.sign)).toBoc();
  const { refusal } = await deps.handle(gaslessRelayKind, gaslessRelayStream(network, relay), {
    type: 'sign',
    after: state?.count ?? 0,
    message: {
      ...{ network, relay, seqno, wallet, walletSeqno, bodyHash, validUntil },
      message: message.toString('base64'),
    },
    metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
  });
  // Another worker was faster: what it has signed is looked at next.
  if (!refusal) await broadcast(deps, relayer, message);
}

/** Whether it has arrived is seen on the chain, not by the answer of a node. */
async function broadcast({ logger }: SendOnDeps, { client }: Relayer, message: Buffer): Promise<void> {
  await client.sendMessage(message).catch((error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'message of the relay wallet not taken by a node');
  });
}

async function followLive(deps: SendOnDeps, relayer: Relayer, live: Live): Promise<void> {
  const { network, relay, count, seqno } = live;
  const block = await relayer.client.getLastBlock();
  const seen = {
    seqno: await relaySeqnoAt(relayer, relay, block.seqno),
    isExpired: await isExpired(relayer, live, block.seqno),
  };
  const message = Buffer.from(live.message, 'base64');
  // First what the request has to know: once the relay wallet may sign again, nothing else says that this was sent.
  if (seen.seqno > seqno) {
    const ref = { network, wallet: live.wallet, seqno: live.walletSeqno };
    await deps.handle(gaslessSendKind, gaslessSendStream(ref), {
      type: 'recordRelayed',
      ...{ bodyHash: live.bodyHash, relaySeqno: seqno },
      messageHash: Cell.fromBoc(message)[0]!.hash().toString('hex'),
      metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
    });
  } else if (!seen.isExpired) await broadcast(deps, relayer, message);
  await deps.handle(gaslessRelayKind, gaslessRelayStream(network, relay), {
    type: 'observe',
    ...{ count, seen },
    metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
  });
}

/** A later block than the first after the expiry is known, so that the node is not just behind, and that one has not used it. */
async function isExpired(
  relayer: Relayer,
  { relay, seqno, validUntil }: Live,
  newest: number,
): Promise<boolean> {
  const { client } = relayer;
  const { now } = await client.getLastBlock();
  if (now <= validUntil + EXPIRY_MARGIN) return false;
  const block = await client.getBlockAt(validUntil + EXPIRY_MARGIN);
  return block !== null && block < newest && (await relaySeqnoAt(relayer, relay, block)) === seqno;
}
