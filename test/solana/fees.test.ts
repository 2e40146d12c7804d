import {
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  AddressLookupTableAccount,
} from '@solana/web3.js';
import fc from 'fast-check';
import { createEngine } from '../../infra/devnet/solana/svm/engine';
import { feeOf } from '../../infra/devnet/solana/svm/transaction-meta';
import { parseTransaction } from '../../infra/devnet/solana/svm/wire';
import { transactionFee } from '../../services/solana/fees';
import { runs } from '../random';

/** The estimate compared with what the real SVM charges. */

const engine = createEngine(432_000);
const payer = Keypair.generate();
const other = Keypair.generate();
const blockhash = PublicKey.default.toBase58();

beforeEach(() => {
  for (const { publicKey } of [payer, other])
    engine.setAccount(publicKey.toBase58(), {
      lamports: 10n ** 15n,
      owner: Buffer.alloc(32),
      executable: false,
      data: Buffer.alloc(0),
    });
});

const call = (programId: PublicKey | string, data: Uint8Array = Buffer.of()): TransactionInstruction =>
  new TransactionInstruction({ programId: new PublicKey(programId), keys: [], data: Buffer.from(data) });

/** Not Vote: the engine already has the feature that makes it an ordinary program (SIMD-0387). */
const PROGRAMS = [
  SystemProgram.programId,
  StakeProgram.programId,
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
];

function versioned(
  instructions: readonly TransactionInstruction[],
  tables: AddressLookupTableAccount[] = [],
  signers = [payer],
): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: [...instructions],
  }).compileToV0Message(tables);
  const transaction = new VersionedTransaction(message);
  transaction.sign(signers);
  return transaction;
}
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const charged = (bytes: Uint8Array): bigint =>
  feeOf(engine.execute(parseTransaction(Buffer.from(bytes)), true));

test('the estimate is what the engine charges, legacy and versioned, whatever is called', () => {
  const setting = fc.oneof(
    fc
      .bigInt({ min: 0n, max: 10_000_000n })
      .map(microLamports => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })),
    fc.nat(1_500_000).map(units => ComputeBudgetProgram.setComputeUnitLimit({ units })),
    fc.constant(ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })),
  );
  const settings = fc.uniqueArray(setting, { maxLength: 3, selector: ({ data }) => data[0] });
  const calls = fc.array(
    fc.constantFrom(...PROGRAMS).map(program => call(program)),
    { minLength: 1, maxLength: 8 },
  );
  const transfer = SystemProgram.transfer({
    fromPubkey: other.publicKey,
    toPubkey: payer.publicKey,
    lamports: 1,
  });
  fc.assert(
    fc.property(settings, calls, fc.boolean(), fc.boolean(), (budget, called, isLegacy, hasTwo) => {
      const instructions = [...budget, ...called, ...(hasTwo ? [transfer] : [])];
      const signers = hasTwo ? [payer, other] : [payer];
      let bytes: Uint8Array;
      if (isLegacy) {
        const legacy = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash } as never);
        legacy.add(...instructions).sign(...signers);
        bytes = legacy.serialize();
      } else bytes = versioned(instructions, [], signers).serialize();
      expect(transactionFee(base64(bytes))).toBe(charged(bytes));
    }),
    runs(60),
  );
});

test('signatures within instructions are charged too', () => {
  const signed = Ed25519Program.createInstructionWithPrivateKey({
    privateKey: payer.secretKey,
    message: Buffer.from('text'),
  });
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 });
  for (const instructions of [
    [signed],
    [signed, price],
    [price, call('Secp256r1SigVerify1111111111111111111111111', Buffer.of(0))],
  ]) {
    const bytes = versioned(instructions).serialize();
    expect(transactionFee(base64(bytes))).toBe(charged(bytes));
  }
});

test('accounts of lookup tables and missing signatures do not change the fee', () => {
  const table = new AddressLookupTableAccount({
    key: Keypair.generate().publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [other.publicKey],
    },
  });
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: other.publicKey,
    lamports: 1,
  });
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 3_000_000 });
  const loaded = versioned([price, transfer], [table]);
  expect(loaded.message.addressTableLookups).toHaveLength(1);
  const unsigned = new VersionedTransaction(loaded.message);
  const fee = transactionFee(base64(versioned([price, transfer]).serialize()));
  expect(fee).toBe(5_000n + 18_000n);
  expect(transactionFee(base64(loaded.serialize()))).toBe(fee);
  expect(transactionFee(base64(unsigned.serialize()))).toBe(fee);
});

test('settings that a node refuses count as none, as in getFeeForMessage', () => {
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 });
  const budget = (...data: number[]): TransactionInstruction =>
    call(ComputeBudgetProgram.programId, Buffer.from(data));
  const fees = [
    [price, price],
    [price, budget()],
    [price, budget(9)],
    [price, budget(1, 1, 0, 0, 0)],
    [price, budget(4, 0, 0, 0, 0)],
    [price, budget(2, 1)],
  ];
  for (const instructions of fees)
    expect(transactionFee(base64(versioned(instructions).serialize()))).toBe(5_000n);
});

test('the price is bounded by what a fee can be', () => {
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 64n - 1n });
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });
  expect(transactionFee(base64(versioned([price, limit]).serialize()))).toBe(2n ** 64n - 1n);
});

describe('what is no transaction is refused', () => {
  const good = versioned([
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other.publicKey, lamports: 1 }),
  ]).serialize();
  /** One signature, then the version, the header of three bytes, and the number of keys. */
  const HEADER = 1 + 64 + 1;

  test.each([
    ['a payer that does not sign', HEADER, 0],
    ['more signers than accounts', HEADER, 9],
    ['signers that are all read-only', HEADER + 1, 1],
    ['more read-only accounts than there are', HEADER + 2, 9],
    ['a program that it does not name', HEADER + 4 + 3 * 32 + 32 + 1, 7],
    ['a program that pays', HEADER + 4 + 3 * 32 + 32 + 1, 0],
    ['an account that it does not name', HEADER + 4 + 3 * 32 + 32 + 3, 7],
  ])('with %s', (_, at, value) => {
    const bytes = Buffer.from(good);
    expect(transactionFee(base64(bytes))).toBe(5_000n);
    bytes[at] = value;
    expect(() => transactionFee(base64(bytes))).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_transaction' }),
    );
  });

  test('whatever the bytes', () => {
    const mutated = fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 })
      .chain(changes => fc.tuple(fc.constant(changes), fc.nat(good.length)))
      .map(([changes, length]) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes.subarray(0, length);
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated), bytes => {
        try {
          expect(transactionFee(base64(bytes))).toBeGreaterThanOrEqual(0n);
        } catch (error) {
          expect(error).toMatchObject({ status: 400, code: 'invalid_transaction' });
        }
      }),
      runs(500),
    );
  });
});
