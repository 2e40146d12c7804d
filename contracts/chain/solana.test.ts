import type { JsonObject } from '../json/json';
import { JsonText } from '../json/json-text';
import {
  decodeSolanaMessage,
  encodeSolanaMessage,
  encodeTransactionSeen,
  type SolanaMessage,
  type TransactionSeen,
} from './solana';

const finalized: SolanaMessage = {
  type: 'finalized',
  network: 'mainnet',
  account: 'A',
  signature: 's',
  slot: 5,
  blockhash: 'b',
  mints: ['m'],
};

test('a message is decoded as it was encoded', () => {
  expect(decodeSolanaMessage(encodeSolanaMessage(finalized))).toEqual(finalized);
});

const seen = (
  account: string,
  balance: string | null,
  mints: string[],
  mentioned = true,
): TransactionSeen => ({
  ...finalized,
  type: 'transaction',
  account,
  balance,
  mints,
  mentioned,
  index: 3,
  blockTime: null,
  finality: 'confirmed',
  origin: 'tail',
  raw: { meta: { logMessages: ['Program log: {"a":1}, ключ 🔑', ''] }, version: 'legacy' },
});

test('the messages of one transaction for several accounts decode as if each was encoded alone', () => {
  const messages = [seen('A', '12', []), seen('ключ "', null, ['m', 'n'], false), seen('C', '0', ['m'])];
  const { account: _, balance: _b, mints: _m, mentioned: _n, ...message } = messages[0]!;
  const shared = { ...message, raw: new JsonText<JsonObject>(JSON.stringify(message.raw)) };
  expect(encodeTransactionSeen(shared, messages).map(decodeSolanaMessage)).toEqual(messages);
  expect(messages.map(encodeSolanaMessage).map(decodeSolanaMessage)).toEqual(messages);
  expect(encodeTransactionSeen(shared, [])).toEqual([]);
});

test('version 1 is decoded', () => {
  const stored =
    '{"v":1,"type":"rolled-back","network":"devnet","account":"A","signature":"s","slot":5,"blockhash":"b","mints":[]}';
  expect(decodeSolanaMessage(Buffer.from(stored))).toEqual({
    type: 'rolled-back',
    network: 'devnet',
    account: 'A',
    signature: 's',
    slot: 5,
    blockhash: 'b',
    mints: [],
  });
});

test('a transaction is stored once compressed, whatever it contains', () => {
  const raw = { meta: { logMessages: Array.from({ length: 200 }, () => 'Program log: a line\n') } };
  const stored = encodeSolanaMessage({ ...seen('A', '1', []), raw });
  expect(stored.length).toBeLessThan(600);
  expect(decodeSolanaMessage(stored)).toMatchObject({ raw });
});

test('an unknown version is refused', () => {
  expect(() => decodeSolanaMessage(Buffer.from('{"v":2,"type":"finalized"}'))).toThrow('unknown version 2');
});
