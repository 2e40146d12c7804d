import { decodeSolanaMessage } from '../../contracts/chain/solana';
import { mentioning } from '../../test/solana/raw-transactions';
import { createScriptedChain } from '../../test/solana/scripted-chain';
import { blockRecords } from './records';

test('a record holds the transaction as the node answers it, without its logs', () => {
  const transaction = mentioning('s', 'Alice');
  const logged = { ...transaction, meta: { ...transaction.meta!, logMessages: ['Program log: hello'] } };
  const block = createScriptedChain().add(1, [logged]);
  const { records, deadLetters } = blockRecords('mainnet', block, 'finalized', new Set(['Alice']));
  expect(deadLetters).toEqual([]);
  expect(Array.from(records, ({ value }) => decodeSolanaMessage(value))).toEqual([
    expect.objectContaining({ account: 'Alice', signature: 's', raw: transaction }),
  ]);
});
