import fc from 'fast-check';
import {
  encodeSolanaMessage,
  type SolanaMessage,
  type TransactionSeen,
} from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import type { Document } from '../../../contracts/ports/documents';
import type { LogMessage } from '../../../contracts/ports/log';
import { solanaTransactionsProjection } from './projection';
import { runs } from '../../../test/random';
import { foldInto } from '../../../test/projections/fold-into';

const ACCOUNT = 'solana:mainnet:Alice';
const projection = solanaTransactionsProjection({
  version: 1,
  decode: (raw, slot) => decoded(raw['signature'] as string, slot),
  mints: () => [],
});

const transferOf = (mint: string): EnhancedTransaction['tokenTransfers'][number] => ({
  fromTokenAccount: '',
  toTokenAccount: '',
  fromUserAccount: '',
  toUserAccount: '',
  mint,
  tokenStandard: '',
  tokenAmount: 1,
  rawAmount: '1',
  kind: 'transfer',
});
const decoded = (signature: string, slot: number): EnhancedTransaction => ({
  description: '',
  type: 'TRANSFER',
  source: 'SYSTEM_PROGRAM',
  feePayer: 'Bob',
  signature,
  fee: 5_000,
  slot,
  timestamp: 0,
  tokenTransfers: [transferOf('Mint'), transferOf('Other'), transferOf('Mint')],
  nativeTransfers: [],
  accountData: [],
  transactionError: null,
  instructions: [],
});
const inclusion = (signature: string, slot: number, blockhash: string) => ({
  network: 'mainnet' as const,
  account: 'Alice',
  signature,
  slot,
  blockhash,
  mints: ['Mint'],
});
const seen = (
  signature: string,
  slot: number,
  blockhash: string,
  finality: TransactionSeen['finality'],
): TransactionSeen => ({
  type: 'transaction',
  ...inclusion(signature, slot, blockhash),
  index: 3,
  blockTime: 0,
  finality,
  origin: 'tail',
  mentioned: true,
  balance: '10',
  raw: { signature },
});
const finalized = (signature: string, slot: number, blockhash: string): SolanaMessage => ({
  type: 'finalized',
  ...inclusion(signature, slot, blockhash),
});
const rolledBack = (signature: string, slot: number, blockhash: string): SolanaMessage => ({
  type: 'rolled-back',
  ...inclusion(signature, slot, blockhash),
});

type Documents = ReadonlyMap<string, Document>;

function fold(
  messages: readonly SolanaMessage[],
  start: Documents = new Map(),
  into = projection,
): Map<string, Document> {
  const onTheLog = messages.map((message, offset): LogMessage => ({
    topic: 'solana.transactions',
    partition: 0,
    offset,
    timestamp: 0,
    headers: {},
    key: ACCOUNT,
    value: encodeSolanaMessage(message),
  }));
  return foldInto(new Map(start), into, onTheLog);
}
const ids = (documents: Documents): string[] => [...documents.keys()].sort();

test('a transaction is one document, and one for each token', () => {
  const documents = fold([seen('s', 5, 'b5', 'confirmed')]);
  expect(ids(documents)).toEqual([
    `solana_token_transactions/${ACCOUNT}/s/Mint`,
    `solana_transactions/${ACCOUNT}/s`,
  ]);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({
    account: ACCOUNT,
    finality: 'confirmed',
    chainOrder: 5 * 2 ** 17 + 3,
    mints: ['Mint', 'Other'],
    timestamp: 0,
    error: null,
    item: JSON.stringify(decoded('s', 5)),
  });
});

test('finality comes later, and only for the block that is named', () => {
  const documents = fold([seen('s', 5, 'b5', 'confirmed'), finalized('s', 5, 'another')]);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({ finality: 'confirmed' });
  for (const document of fold([finalized('s', 5, 'b5')], documents).values())
    expect(document).toMatchObject({ finality: 'finalized' });
});

test('a rolled-back block removes its own inclusions and no others', () => {
  const kept = fold([seen('kept', 4, 'b4', 'confirmed')]);
  const before = fold([seen('s', 5, 'b5', 'confirmed')], kept);
  const after = fold([rolledBack('s', 5, 'b5')], before);
  expect(withoutOrphans(after)).toEqual(kept);
  expect(after.get(`solana_orphans/${ACCOUNT}/s`)).toMatchObject({ signature: 's', slot: 5 });
  expect(withoutOrphans(fold([rolledBack('s', 5, 'another')], before))).toEqual(before);
});

test('a transaction that is included again is shown in the other block', () => {
  const documents = fold([
    seen('s', 5, 'b5', 'confirmed'),
    rolledBack('s', 5, 'b5'),
    seen('s', 4, 'b4', 'confirmed'),
  ]);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({ slot: 4, blockhash: 'b4' });
});

/** Where a transaction was once says nothing of where it is. */
function withoutOrphans(documents: Documents): Documents {
  return new Map([...documents].filter(([id]) => !id.startsWith('solana_orphans/')));
}

test('a final inclusion is never replaced', () => {
  const final = fold([seen('s', 4, 'b4', 'finalized')]);
  const later = [seen('s', 5, 'b5', 'confirmed'), rolledBack('s', 4, 'b4'), finalized('s', 5, 'b5')];
  expect(withoutOrphans(fold(later, final))).toEqual(final);
});

test('a retraction takes back its own inclusion, final or not, and what is known of the history', () => {
  const kept = fold([seen('kept', 4, 'b4', 'finalized')]);
  const backfilled: SolanaMessage = {
    type: 'backfilled',
    watch: 1,
    network: 'mainnet',
    account: 'Alice',
    slot: 5,
    since: 0,
    parts: 1,
    complete: true,
  };
  const retracted = (blockhash: string): SolanaMessage => ({
    type: 'retracted',
    ...inclusion('s', 5, blockhash),
  });
  for (const finality of ['confirmed', 'finalized'] as const) {
    const before = fold([seen('s', 5, 'b5', finality), backfilled], kept);
    expect(fold([retracted('b5')], before)).toEqual(kept);
    const true_ = fold([seen('s', 5, 'true', 'finalized')], fold([retracted('b5')], before));
    expect(fold([retracted('b5')], true_)).toEqual(true_);
  }
});

test('a backfill may come at any moment between the records of the tail, and every record twice', () => {
  // Each transaction: first in a block that is rolled back, or not; then published by the tail, the backfill, both or neither.
  const transaction = fc.record({ orphaned: fc.boolean(), tailed: fc.boolean(), backfilled: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(transaction, { maxLength: 5 }),
      fc.infiniteStream(fc.nat(1_000)),
      (transactions, random) => {
        const tail = transactions.flatMap(({ orphaned, tailed }, i) => [
          ...(orphaned ? [seen(`s${i}`, 9, 'lost', 'confirmed'), rolledBack(`s${i}`, 9, 'lost')] : []),
          ...(tailed ? [seen(`s${i}`, 8, 'kept', 'confirmed'), finalized(`s${i}`, 8, 'kept')] : []),
        ]);
        const mixed = [...tail];
        transactions.forEach(({ backfilled }, i) => {
          if (!backfilled) return;
          mixed.splice(random.next().value! % (mixed.length + 1), 0, seen(`s${i}`, 8, 'kept', 'finalized'));
        });
        const expected = transactions.flatMap(({ tailed, backfilled }, i) =>
          tailed || backfilled ? [`s${i} 8 finalized`] : [],
        );
        const documents = fold(mixed);
        const shown = [...withoutOrphans(documents).values()]
          .filter(({ mint }) => mint === undefined)
          .map(({ signature, slot, finality }) => `${signature} ${slot} ${finality}`);
        expect(shown.sort()).toEqual(expected.sort());
        expect(fold(mixed, documents)).toEqual(documents);
      },
    ),
    runs(100),
  );
});

test('histories become longer and complete, never the reverse, and begin again with another watch', () => {
  const backfilled = (slot: number, since: number, parts: number, complete: boolean, watch = 1) => ({
    type: 'backfilled' as const,
    watch,
    network: 'mainnet' as const,
    account: 'Alice',
    slot,
    since,
    parts,
    complete,
  });
  const documents = fold([
    backfilled(7, 4, 1, false),
    backfilled(7, 0, 2, true),
    backfilled(5, 2, 1, false),
    backfilled(6, 3, 2, false),
    { ...backfilled(7, 7, 0, false), mentionedSince: -1 },
  ]);
  expect([...documents.values()]).toEqual([
    {
      _id: ACCOUNT,
      watch: 1,
      slot: 7,
      since: 0,
      mentionedSince: -1,
      parts: 2,
      complete: true,
      rollbackOffset: 0,
    },
  ]);
  const again = fold([backfilled(7, 0, 2, true), backfilled(20, 12, 1, false, 2), backfilled(9, 0, 3, true)]);
  expect([...again.values()]).toEqual([
    {
      _id: ACCOUNT,
      watch: 2,
      slot: 20,
      since: 12,
      mentionedSince: 12,
      parts: 1,
      complete: false,
      rollbackOffset: 1,
    },
  ]);
});

test('a history shows that a transaction was rolled back, whichever it was, and the same records change nothing again', () => {
  const begun: SolanaMessage = {
    type: 'backfilled',
    watch: 1,
    network: 'mainnet',
    account: 'Alice',
    slot: 3,
    since: 0,
    parts: 1,
    complete: true,
  };
  const records = [begun, seen('older', 4, 'b4', 'confirmed'), seen('newer', 5, 'b5', 'finalized')];
  const history = (documents: Documents) => documents.get(`solana_histories/${ACCOUNT}`);
  const before = fold(records);
  const after = fold([...records, rolledBack('older', 4, 'b4')]);
  expect(history(after)).not.toEqual(history(before));
  expect(fold([...records, rolledBack('older', 4, 'b4')], after)).toEqual(after);
  // One that begins after a rollback is as it was, when both are folded again.
  const late = fold([rolledBack('older', 4, 'b4'), begun]);
  expect(fold([rolledBack('older', 4, 'b4'), begun], late)).toEqual(late);
});

test('a newer decoder makes a projection of a newer version, from the same records', () => {
  const newer = solanaTransactionsProjection({
    version: 2,
    decode: (raw, slot) => ({ ...decoded('s', slot), description: `AGAIN ${JSON.stringify(raw)}` }),
    mints: (_, account) => (account === 'Alice' ? ['Fleeting'] : []),
  });
  expect(newer.version).toBeGreaterThan(projection.version);
  const documents = fold([{ ...seen('s', 5, 'b5', 'confirmed'), raw: { meta: 1 } }], new Map(), newer);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({
    item: expect.stringContaining('AGAIN') as string,
  });
  // Of a token account that the record does not name, since the indexer of its time did not see it.
  expect([...documents.keys()]).toEqual(
    expect.arrayContaining([
      `solana_token_transactions/${ACCOUNT}/s/Mint`,
      `solana_token_transactions/${ACCOUNT}/s/Fleeting`,
    ]),
  );
});
