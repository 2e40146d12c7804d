import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { base58 } from './base58';
import { MalformedTransaction } from './reader';
import { isStaticWritable, parseTransaction, UnsoundTransaction } from './wire';
import { runs } from '../../../../test/random';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => new PublicKey(bytes));
const instruction = fc
  .record({
    programId: key,
    keys: fc.array(fc.record({ pubkey: key, isSigner: fc.constant(false), isWritable: fc.boolean() }), {
      maxLength: 4,
    }),
    data: fc.uint8Array({ maxLength: 150 }).map(bytes => Buffer.from(bytes)),
  })
  .map(fields => new TransactionInstruction(fields));
const payer = Keypair.generate();

/** Transactions of both versions; those of version 0 load the first account of each instruction from a table. */
const transactions = fc
  .record({
    instructions: fc.array(instruction, { maxLength: 4 }),
    blockhash: key,
    table: key,
    v0: fc.boolean(),
  })
  .map(({ instructions, blockhash, table, v0 }) => {
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash.toBase58(),
      instructions,
    });
    const addresses = instructions.flatMap(({ keys }) => keys.slice(0, 1).map(({ pubkey }) => pubkey));
    const state = { deactivationSlot: 0n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses };
    const transaction = new VersionedTransaction(
      v0
        ? message.compileToV0Message([new AddressLookupTableAccount({ key: table, state })])
        : message.compileToLegacyMessage(),
    );
    transaction.sign([payer]);
    return transaction;
  });

it('parses what web3.js serialises', () => {
  fc.assert(
    fc.property(transactions, transaction => {
      const { message, signatures } = parseTransaction(Buffer.from(transaction.serialize()));
      const theirs = transaction.message;
      expect(message.version).toBe(theirs.version);
      expect(signatures).toEqual(transaction.signatures.map(each => Buffer.from(each)));
      expect(message.keys.map(base58)).toEqual(theirs.staticAccountKeys.map(each => each.toBase58()));
      expect(message.blockhash).toBe(theirs.recentBlockhash);
      expect(message.instructions.map(({ programIdIndex, accounts }) => [programIdIndex, accounts])).toEqual(
        theirs.compiledInstructions.map(each => [each.programIdIndex, [...each.accountKeyIndexes]]),
      );
      expect(message.lookups).toHaveLength(theirs.addressTableLookups.length);
      expect(message.keys.map((_, index) => isStaticWritable(message, index))).toEqual(
        message.keys.map((_, index) => theirs.isAccountWritable(index)),
      );
    }),
    runs(100),
  );
});

it('rejects truncated, extended and invalid transactions with one of two errors', () => {
  const refuses = (bytes: Uint8Array): void => {
    try {
      parseTransaction(Buffer.from(bytes));
    } catch (error) {
      expect(error instanceof MalformedTransaction || error instanceof UnsoundTransaction).toBe(true);
      return;
    }
    throw new Error('parsed as a transaction');
  };
  fc.assert(
    fc.property(transactions, fc.nat(), (transaction, cut) => {
      const wire = transaction.serialize();
      refuses(wire.subarray(0, cut % wire.length));
      refuses(Buffer.concat([wire, Buffer.from([0])]));
    }),
    runs(100),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 130 }), refuses), runs(100));
});

it('accepts a length in its shortest form only', () => {
  expect(() => parseTransaction(Buffer.from([0x81, 0x00, ...Buffer.alloc(200)]))).toThrow(/shortest form/);
  expect(() => parseTransaction(Buffer.from([0xff, 0xff, 0x04, ...Buffer.alloc(200)]))).toThrow(/16 bits/);
});
