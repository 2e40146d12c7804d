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

test('the messages of one transaction for several accounts decode as if each was encoded alone', () => {
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
    decoder: 1,
    decoded: {
      description: '"quoted" and ключ 🔑',
      type: 'UNKNOWN',
      source: 'UNKNOWN',
      feePayer: 'A',
      signature: 's',
      fee: 5_000,
      slot: 5,
      timestamp: 0,
      tokenTransfers: [],
      nativeTransfers: [],
      accountData: [],
      transactionError: null,
      instructions: [],
    },
    raw: { meta: { logMessages: ['Program log: {"a":1}, ключ 🔑', ''] }, version: 'legacy' },
  });
  const messages = [seen('A', '12', []), seen('ключ', null, ['m', 'n'], false), seen('C', '0', ['m'])];
  expect(encodeTransactionSeen(messages).map(decodeSolanaMessage)).toEqual(messages);
  expect(encodeTransactionSeen(messages).map(decodeSolanaMessage)).toEqual(
    messages.map(encodeSolanaMessage).map(decodeSolanaMessage),
  );
  expect(encodeTransactionSeen([])).toEqual([]);
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

test('an unknown version is refused', () => {
  expect(() => decodeSolanaMessage(Buffer.from('{"v":2,"type":"finalized"}'))).toThrow('unknown version 2');
});
