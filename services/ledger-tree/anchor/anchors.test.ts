import { type LedgerAnchorEvent, ledgerAnchorStream } from '../../../contracts/events/ledger-anchor';
import type { AnchorProof } from '../../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { recordedAnchors } from './anchors';

const AT = '2026-11-28T12:00:00.000Z';
const [ALICE, BOB] = ['a', 'b'].map(digit => `0:${digit.repeat(64)}`) as [string, string];
const ALONE: AnchorProof = { level: 'transaction', transaction: 't' };
const IN_BLOCK = {
  level: 'block',
  block: { seqno: 1, rootHash: 'b' },
  transactionProof: 'p',
} as const;
const IN_MASTERCHAIN: AnchorProof = {
  ...IN_BLOCK,
  level: 'masterchain',
  masterchain: { seqno: 1, rootHash: 'm' },
  shardProof: 's',
  previousProofs: [],
};

const about = (account: string, count: number, seqno = count) =>
  ({ network: 'testnet', account, count, seqno, at: AT }) as const;
const message = (...of: Parameters<typeof about>) => ({
  ...about(...of),
  checkpoint: { size: 10 * of[1] } as Checkpoint,
  validUntil: 9,
});
const signed = (...of: Parameters<typeof about>): LedgerAnchorEvent => ({
  type: 'LedgerAnchorSigned',
  data: { ...message(...of), message: 'm' },
});
const anchored = (of: Parameters<typeof about>, proof: AnchorProof = ALONE, at = AT): LedgerAnchorEvent => {
  const transaction = { account: of[0], lt: String(of[1]), hash: `${of[0]}${of[1]}` };
  return { type: 'LedgerHeadAnchored', data: { ...message(...of), transaction, proof, at } };
};
const proven = (of: Parameters<typeof about>, proof: AnchorProof): LedgerAnchorEvent => ({
  type: 'LedgerAnchorProven',
  data: { ...about(...of), proof },
});
const failed = (
  of: Parameters<typeof about>,
  reason: 'dropped' | 'expired' | 'replaced',
): LedgerAnchorEvent => ({ type: 'LedgerAnchorFailed', data: { ...about(...of), reason } });

/** What is shown after events of several wallets. */
async function shown(...events: readonly LedgerAnchorEvent[]): Promise<string[]> {
  const store = new InMemoryEventStore();
  for (const [at, event] of events.entries()) {
    const { network, account } = event.data;
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    // Written as they are: what the events of this test leave out is not looked at.
    const write = { id, type: event.type, data: event.data as object as never, metadata: { v: 1 } };
    await store.append(ledgerAnchorStream(network, account), 'any', [write]);
  }
  const found = [];
  for await (const { anchor, at, isTakenBack } of recordedAnchors(store))
    found.push(
      [
        anchor.transaction.account.charAt(2),
        anchor.checkpoint.size,
        isTakenBack ? 'taken back' : anchor.proof.level,
        ...(at === AT ? [] : [at]),
      ].join(' '),
    );
  return found;
}

it('shows each anchor once, with its furthest proof, the one that was signed last first', async () => {
  expect(
    await shown(
      signed(ALICE, 1),
      anchored([ALICE, 1]),
      signed(BOB, 1),
      anchored([BOB, 1]),
      proven([BOB, 1], IN_MASTERCHAIN),
      signed(ALICE, 2),
      proven([ALICE, 1], IN_BLOCK),
      anchored([ALICE, 2]),
      proven([ALICE, 1], IN_MASTERCHAIN),
      proven([ALICE, 1], IN_BLOCK),
      signed(ALICE, 3),
    ),
  ).toEqual(['a 20 transaction', 'b 10 masterchain', 'a 10 masterchain']);
});

it('shows an anchor once whose further proof an earlier version recorded after another wallet had anchored', async () => {
  expect(
    await shown(
      signed(ALICE, 1),
      anchored([ALICE, 1]),
      signed(BOB, 1),
      anchored([BOB, 1], IN_MASTERCHAIN),
      anchored([ALICE, 1], IN_MASTERCHAIN, '2026-11-28T13:00:00.000Z'),
    ),
  ).toEqual(['b 10 masterchain', 'a 10 masterchain']);
});

it('shows what a fork has taken back as that, and none that never was on the chain', async () => {
  expect(
    await shown(
      signed(ALICE, 1, 5),
      failed([ALICE, 1, 5], 'expired'),
      signed(ALICE, 2, 5),
      anchored([ALICE, 2, 5], IN_MASTERCHAIN),
      failed([ALICE, 2, 5], 'dropped'),
      signed(ALICE, 3, 5),
      failed([ALICE, 3, 5], 'replaced'),
      signed(ALICE, 4, 6),
      anchored([ALICE, 4, 6], IN_BLOCK),
    ),
  ).toEqual(['a 40 block', 'a 20 taken back']);
});

it('shows those as taken back whose seqno the wallet has used again', async () => {
  expect(
    await shown(
      signed(ALICE, 1, 4),
      anchored([ALICE, 1, 4]),
      signed(ALICE, 2, 5),
      anchored([ALICE, 2, 5]),
      signed(ALICE, 3, 6),
      anchored([ALICE, 3, 6]),
      failed([ALICE, 3, 6], 'dropped'),
      signed(ALICE, 4, 5),
      anchored([ALICE, 4, 5]),
    ),
  ).toEqual(['a 40 transaction', 'a 30 taken back', 'a 20 taken back', 'a 10 transaction']);
});
