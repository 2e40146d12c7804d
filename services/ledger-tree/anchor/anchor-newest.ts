import { Cell, comment, loadMessage, loadTransaction, type Transaction } from '@ton/core';
import { ledgerAnchorStream, type LedgerAnchorFailed } from '../../../contracts/events/ledger-anchor';
import { anchorComment } from '../../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import type { TonBlockRef } from '../../../contracts/ports/ton-client';
import { messageOf } from '../../../contracts/text/error-message';
import { load } from '../../commands/load';
import { blockAfterExpiry, EXPIRY_MARGIN, VALID_FOR } from '../../wallet-v5/message';
import { walletAt, walletV5 } from '../../wallet-v5/wallet-v5';
import { anchorMessage, MIN_BALANCE } from './anchor-wallet';
import { type AnchoredWhere, type AnchorState, isAnchored, ledgerAnchorKind } from './decider';
import { type AnchorDeps, AnchorWalletLow } from './deps';
import { record } from './record';

/**
 * Takes the newest signed head as far onto the chain as it goes now, from wherever an earlier run has left it; any number of
 * workers may do this. A message is recorded before it is sent. While it may still be carried out the same bytes are sent again, and
 * no other message is signed.
 * @param goal whose head is to be on the chain, or a later one
 * @returns whether it is
 * @throws AnchorWalletLow; what the nodes throw
 */
export async function anchorNewest(deps: AnchorDeps, goal: Checkpoint): Promise<boolean> {
  const { network, key, client, store, checkpoints } = deps;
  const account = walletV5(key.publicKey, network).address.toRawString();
  const state = await load(store, ledgerAnchorKind, ledgerAnchorStream(network, account));
  const block = await client.getLastBlock();
  const { seqno, balance } = await walletAt(deps, account, block.seqno);
  if (state?.live) {
    await followLive(deps, state.live, block, seqno);
    return false;
  }
  // A node is behind, or a fork has taken the last message back.
  if (state && seqno < state.nextSeqno) {
    const { anchored } = state;
    if (anchored && (await isDead(deps, anchored, block)))
      await record(deps, account, failed(anchored, 'dropped'));
    return false;
  }
  if (isAnchored(state, goal)) return true;
  if (balance < MIN_BALANCE) {
    if (!deps.fund)
      throw new AnchorWalletLow(`the wallet ${account} has ${balance} nanotons: send it some coins`);
    await deps.fund(account);
    return false;
  }
  const checkpoint = (await checkpoints.latest()) ?? goal;
  const validUntil = block.now + VALID_FOR;
  const message = await anchorMessage(key, { network, seqno, validUntil, text: anchorComment(checkpoint) });
  const boc = message.toBoc();
  const isSigned = await record(deps, account, {
    type: 'sign',
    after: state?.count ?? 0,
    message: { network, account, seqno, checkpoint, message: boc.toString('base64'), validUntil },
  });
  // Otherwise another worker was faster: what it has signed is looked at next.
  if (isSigned) await broadcast(deps, boc);
  return false;
}

type Live = NonNullable<AnchorState['live']>;
type Message = Pick<Live, 'account' | 'count' | 'seqno' | 'validUntil'>;

const failed = ({ count }: Message, reason: LedgerAnchorFailed['data']['reason']) =>
  ({ type: 'recordFailed', count, reason }) as const;

/** Whether it has arrived is seen on the chain, not by the answer of a node. */
async function broadcast({ client, logger }: AnchorDeps, message: Buffer): Promise<void> {
  await client.sendMessage(message).catch((error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'message with a head of the ledger not taken by a node');
  });
}

async function followLive(deps: AnchorDeps, live: Live, block: TonBlockRef, seqno: number): Promise<void> {
  const { account, count } = live;
  if (seqno <= live.seqno) {
    if (await isDead(deps, live, block)) await record(deps, account, failed(live, 'expired'));
    else await broadcast(deps, Buffer.from(live.message, 'base64'));
    return;
  }
  const transaction = await findTransaction(deps, live, block);
  if (!transaction || !hasSent(transaction.read, anchorComment(live.checkpoint))) {
    await record(deps, account, failed(live, transaction ? 'not_sent' : 'replaced'));
    return;
  }
  const where = whereOf(account, transaction);
  if (await record(deps, account, { type: 'recordAnchored', count, where }))
    deps.logger.info(
      { size: live.checkpoint.size, account, transaction: where.transaction.hash },
      'head of the ledger anchored',
    );
}

/** The wallet has not carried it out in the first block after its expiry: no later one has it. */
async function isDead(deps: AnchorDeps, { account, seqno, validUntil }: Message, newest: TonBlockRef) {
  const block = await blockAfterExpiry(deps, validUntil, newest);
  return block !== null && (await walletAt(deps, account, block)).seqno <= seqno;
}

interface FoundTransaction {
  readonly cell: Cell;
  readonly read: Transaction;
}

/** The transaction that has carried the message out. Only what is as old as the message is read, whatever others send to the wallet. */
async function findTransaction(
  { client, history }: AnchorDeps,
  { account, message, validUntil }: Live,
  { seqno }: TonBlockRef,
): Promise<FoundTransaction | null> {
  const body = loadMessage(Cell.fromBase64(message).beginParse()).body.hash();
  const { lastTransaction } = await client.getAccount(seqno, account);
  if (!lastTransaction) return null;
  const oldest = validUntil - VALID_FOR - EXPIRY_MARGIN;
  for await (const cell of history(account, lastTransaction)) {
    const read = loadTransaction(cell.beginParse());
    if (read.inMessage?.info.type === 'external-in' && read.inMessage.body.hash().equals(body))
      return { cell, read };
    if (read.now < oldest) return null;
  }
  return null;
}

function hasSent({ outMessages }: Transaction, text: string): boolean {
  const wanted = comment(text).hash();
  return outMessages
    .values()
    .some(({ info, body }) => info.type === 'internal' && body.hash().equals(wanted));
}

/** Not proven further here: a slow source of blocks would keep it from being recorded. */
function whereOf(account: string, { cell, read }: FoundTransaction): AnchoredWhere {
  return {
    transaction: { account, lt: read.lt.toString(), hash: cell.hash().toString('hex') },
    proof: { level: 'transaction', transaction: cell.toBoc().toString('base64') },
  };
}
