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

const ACCOUNT = 'solana:mainnet:Alice';
const projection = solanaTransactionsProjection({
  version: 1,
  decode: () => {
    throw new Error('the message is of this version');
  },
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
  tokenTransfers: [],
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
  decoder: 1,
  decoded: decoded(signature, slot),
  balance: '10',
  raw: {},
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
  const documents = new Map(start);
  messages.forEach((message, offset) => {
    const input: LogMessage = {
      topic: 'solana.transactions',
      partition: 0,
      offset,
      timestamp: 0,
      headers: {},
      key: ACCOUNT,
      value: encodeSolanaMessage(message),
    };
    for (const key of into.touches(input)) {
      const id = `${key.collection}/${key.id}`;
      const folded = into.fold(documents.get(id) ?? null, input, key);
      if (folded) documents.set(id, folded);
      else documents.delete(id);
    }
  });
  return documents;
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
    place: 5 * 2 ** 17 + 3,
    item: { type: 'TRANSFER' },
  });
});

test('finality comes later, and only to the block it is said of', () => {
  const documents = fold([seen('s', 5, 'b5', 'confirmed'), finalized('s', 5, 'another')]);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({ finality: 'confirmed' });
  for (const document of fold([finalized('s', 5, 'b5')], documents).values())
    expect(document).toMatchObject({ finality: 'finalized' });
});

test('an abandoned block takes its own away and nothing else', () => {
  const kept = fold([seen('kept', 4, 'b4', 'confirmed')]);
  const before = fold([seen('s', 5, 'b5', 'confirmed')], kept);
  expect(fold([rolledBack('s', 5, 'b5')], before)).toEqual(kept);
  expect(fold([rolledBack('s', 5, 'another')], before)).toEqual(before);
});

test('included again elsewhere, it is shown there', () => {
  const documents = fold([
    seen('s', 5, 'b5', 'confirmed'),
    rolledBack('s', 5, 'b5'),
    seen('s', 4, 'b4', 'confirmed'),
  ]);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({ slot: 4, blockhash: 'b4' });
});

test('what is final stays, whatever comes', () => {
  const final = fold([seen('s', 4, 'b4', 'finalized')]);
  const later = [seen('s', 5, 'b5', 'confirmed'), rolledBack('s', 4, 'b4'), finalized('s', 5, 'b5')];
  expect(fold(later, final)).toEqual(final);
});

test('a back-fill may come at any moment between what the tail says, and all may be said twice', () => {
  // Each transaction: told of in a block that is abandoned, or not; then, or only, in the one that lasts.
  const story = fc.record({ abandoned: fc.boolean(), toldByTail: fc.boolean(), backfilled: fc.boolean() });
  fc.assert(
    fc.property(fc.array(story, { maxLength: 5 }), fc.infiniteStream(fc.nat(1_000)), (stories, dice) => {
      const tail = stories.flatMap(({ abandoned, toldByTail }, i) => [
        ...(abandoned ? [seen(`s${i}`, 9, 'lost', 'confirmed'), rolledBack(`s${i}`, 9, 'lost')] : []),
        ...(toldByTail ? [seen(`s${i}`, 8, 'kept', 'confirmed'), finalized(`s${i}`, 8, 'kept')] : []),
      ]);
      const mixed = [...tail];
      stories.forEach(({ backfilled }, i) => {
        if (!backfilled) return;
        mixed.splice(dice.next().value! % (mixed.length + 1), 0, seen(`s${i}`, 8, 'kept', 'finalized'));
      });
      const expected = stories.flatMap(({ toldByTail, backfilled }, i) =>
        toldByTail || backfilled ? [`s${i} 8 finalized`] : [],
      );
      const documents = fold(mixed);
      const shown = [...documents.values()]
        .filter(({ mint }) => mint === undefined)
        .map(({ signature, slot, finality }) => `${signature} ${slot} ${finality}`);
      expect(shown.sort()).toEqual(expected.sort());
      expect(fold(mixed, documents)).toEqual(documents);
    }),
  );
});

test('histories become longer and complete, never the reverse', () => {
  const told = (slot: number, complete: boolean): SolanaMessage => ({
    type: 'backfilled',
    network: 'mainnet',
    account: 'Alice',
    slot,
    complete,
  });
  const documents = fold([told(7, false), told(5, true), told(6, false)]);
  expect([...documents.values()]).toEqual([{ _id: ACCOUNT, slot: 7, complete: true }]);
});

test('what an older decoder said is decoded anew, and the projection is a newer one', () => {
  const newer = solanaTransactionsProjection({
    version: 2,
    decode: (raw, slot) => ({ ...decoded('s', slot), type: `AGAIN ${JSON.stringify(raw)}` }),
  });
  expect(newer.version).toBeGreaterThan(projection.version);
  const documents = fold([{ ...seen('s', 5, 'b5', 'confirmed'), raw: { meta: 1 } }], new Map(), newer);
  expect(documents.get(`solana_transactions/${ACCOUNT}/s`)).toMatchObject({ type: 'AGAIN {"meta":1}' });
});
