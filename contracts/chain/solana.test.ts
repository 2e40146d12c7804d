import { decodeSolanaMessage, encodeSolanaMessage, type SolanaMessage } from './solana';

const finalized: SolanaMessage = {
  type: 'finalized',
  network: 'mainnet',
  account: 'A',
  signature: 's',
  slot: 5,
  blockhash: 'b',
  mints: ['m'],
};

test('what was encoded is decoded', () => {
  expect(decodeSolanaMessage(encodeSolanaMessage(finalized))).toEqual(finalized);
});

test('version 1 is read as it was written', () => {
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

test('a version from the future is refused instead of misread', () => {
  expect(() => decodeSolanaMessage(Buffer.from('{"v":2,"type":"finalized"}'))).toThrow('unknown version 2');
});
