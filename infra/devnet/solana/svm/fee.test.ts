import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  PublicKey,
} from '@solana/web3.js';
import fc from 'fast-check';
import { createEngine } from './engine';
import { feeOfMessage } from './fee';
import { feeOf } from './transaction-meta';
import { MEMO } from './programs';
import { parseTransaction } from './wire';
import { runs } from '../../../../test/random';

const engine = createEngine(432_000);
const payer = Keypair.generate();
const memo = new TransactionInstruction({
  programId: new PublicKey(MEMO.address),
  keys: [],
  data: Buffer.from('hi'),
});

beforeEach(() =>
  engine.setAccount(payer.publicKey.toBase58(), {
    lamports: 10n ** 15n,
    owner: Buffer.alloc(32),
    executable: false,
    data: Buffer.alloc(0),
  }),
);

it('equals the fee of the engine, for any price and limit', () => {
  fc.assert(
    fc.property(
      fc.option(fc.bigInt({ min: 0n, max: 10_000_000n })),
      fc.option(fc.nat(1_500_000)),
      fc.nat(3),
      fc.nat(3),
      (price, limit, transfers, memos) => {
        const transaction = new Transaction({
          feePayer: payer.publicKey,
          recentBlockhash: PublicKey.default.toBase58(),
        });
        if (price !== null)
          transaction.add(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }));
        if (limit !== null) transaction.add(ComputeBudgetProgram.setComputeUnitLimit({ units: limit }));
        for (let count = 0; count < transfers; count += 1)
          transaction.add(
            SystemProgram.transfer({
              fromPubkey: payer.publicKey,
              toPubkey: payer.publicKey,
              lamports: count,
            }),
          );
        for (let count = 0; count < memos; count += 1) transaction.add(memo);
        if (transaction.instructions.length === 0) return;
        transaction.sign(payer);
        const parsed = parseTransaction(transaction.serialize());
        expect(feeOf(engine.execute(parsed, true))).toBe(feeOfMessage(parsed.message));
      },
    ),
    runs(50),
  );
});
