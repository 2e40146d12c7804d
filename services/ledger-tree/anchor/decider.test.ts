import type { AnchorProof } from '../../../contracts/ledger-tree/anchor';
import type { LedgerAnchorEvent } from '../../../contracts/events/ledger-anchor';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import { type AnchorCommand, ledgerAnchorKind } from './decider';

const { initial, evolve, decide } = ledgerAnchorKind.decider;
const metadata = { now: '2026-11-28T12:00:00.000Z', actor: 'ledger anchor' };
const account = `0:${'2'.repeat(64)}`;
const checkpointOf = (size: number): Checkpoint => ({
  version: 1,
  instance: 'local',
  size,
  position: size,
  head: 'ab',
  root: 'cd',
  at: metadata.now,
  migratedFrom: null,
  keyId: 'k',
  signature: 's',
});
const sign = (after: number, seqno: number, size = 10): AnchorCommand => ({
  type: 'sign',
  after,
  metadata,
  message: {
    network: 'testnet',
    account,
    seqno,
    checkpoint: checkpointOf(size),
    message: 'm',
    validUntil: 9,
  },
});
const anchored = (count: number): AnchorCommand => ({
  type: 'recordAnchored',
  count,
  metadata,
  where: {
    transaction: { account, lt: '5', hash: 'h' },
    proof: { level: 'transaction', transaction: 't' },
  },
});
type Reason = Extract<AnchorCommand, { type: 'recordFailed' }>['reason'];
const failed = (count: number, reason: Reason): AnchorCommand => ({
  type: 'recordFailed',
  count,
  reason,
  metadata,
});

function after(...commands: readonly AnchorCommand[]) {
  return commands.reduce((state, command) => {
    const events = decide(state, command) as readonly LedgerAnchorEvent[];
    expect(events).toHaveLength(1);
    return events.reduce(evolve, state);
  }, initial());
}

it('signs nothing while the last message may still be carried out', () => {
  const live = after(sign(0, 5));
  for (const seqno of [5, 6]) expect(decide(live, sign(1, seqno, 11))).toEqual([]);
});

it.each<[Reason, number]>([
  ['expired', 5],
  ['replaced', 6],
  ['not_sent', 6],
])('signs the next one once the last is %s, also for the same head', (reason, seqno) => {
  const state = after(sign(0, 5), failed(1, reason));
  expect(decide(state, sign(1, seqno - 1))).toEqual([]);
  expect(decide(state, sign(1, seqno))).toMatchObject([{ type: 'LedgerAnchorSigned', data: { count: 2 } }]);
});

it('signs a later head once the last is on the chain, and no other', () => {
  const state = after(sign(0, 5), anchored(1));
  expect(state!.anchored).toMatchObject({
    checkpoint: { size: 10 },
    transaction: { lt: '5' },
    at: metadata.now,
  });
  expect(decide(state, sign(1, 6, 10))).toEqual([]);
  expect(decide(state, sign(1, 5, 11))).toEqual([]);
  expect(decide(state, sign(1, 6, 11))).toHaveLength(1);
});

it('signs the head again that a fork has taken back, with its seqno', () => {
  const dropped = after(sign(0, 5), anchored(1), failed(1, 'dropped'));
  expect(decide(dropped, sign(1, 5, 10))).toHaveLength(1);
  // What is on the chain neither expires nor is replaced, and what is not there is not dropped.
  const state = after(sign(0, 5), anchored(1));
  for (const reason of ['expired', 'replaced', 'not_sent'] as const)
    expect(decide(state, failed(1, reason))).toEqual([]);
  expect(decide(after(sign(0, 5)), failed(1, 'dropped'))).toEqual([]);
});

it('a decision that was made before another was signed changes nothing, nor does what is seen of an earlier message', () => {
  const second = after(sign(0, 5), failed(1, 'expired'), sign(1, 5));
  expect(decide(second, sign(1, 6, 11))).toEqual([]);
  expect(decide(second, anchored(1))).toEqual([]);
  expect(decide(second, failed(1, 'expired'))).toEqual([]);
  expect(decide(initial(), anchored(1))).toEqual([]);
});

it('records a proof that reaches further than the last one, of what is on the chain', () => {
  const inBlock = { level: 'block', block: { seqno: 1, rootHash: 'b' }, transactionProof: 'p' } as const;
  const prove = (proof: AnchorProof, count = 1): AnchorCommand => ({
    type: 'recordProof',
    of: { network: 'testnet', account, count, seqno: 4 + count },
    proof,
    metadata,
  });
  const state = after(sign(0, 5), anchored(1));
  expect(decide(state, prove({ level: 'transaction', transaction: 't' }))).toEqual([]);
  const proven = after(sign(0, 5), anchored(1), prove(inBlock));
  expect(proven).toMatchObject({ count: 1, nextSeqno: 6, live: null, anchored: { proof: inBlock } });
  expect(decide(proven, prove(inBlock))).toEqual([]);
  expect(decide(after(sign(0, 5)), prove(inBlock))).toEqual([]);
  expect(decide(state, prove(inBlock, 2))).toEqual([]);
});

it('records a further proof of a head that others have followed, which changes nothing of the last one', () => {
  const inBlock = { level: 'block', block: { seqno: 1, rootHash: 'b' }, transactionProof: 'p' } as const;
  const first = { network: 'testnet', account, count: 1, seqno: 5 } as const;
  const prove: AnchorCommand = { type: 'recordProof', of: first, proof: inBlock, metadata };
  for (const last of [
    [sign(1, 6, 11)],
    [sign(1, 6, 11), anchored(2)],
    [sign(1, 6, 11), failed(2, 'expired')],
  ]) {
    const state = after(sign(0, 5), anchored(1), ...last);
    expect(decide(state, prove)).toEqual([
      { type: 'LedgerAnchorProven', data: { ...first, proof: inBlock, at: metadata.now } },
    ]);
    expect(after(sign(0, 5), anchored(1), ...last, prove)).toEqual(state);
  }
});

it('signs with the seqno that the wallet has after a fork that has taken back several messages', () => {
  const dropped = after(sign(0, 5), anchored(1), sign(1, 6, 11), anchored(2), failed(2, 'dropped'));
  expect(decide(dropped, sign(2, 5, 11))).toHaveLength(1);
});
