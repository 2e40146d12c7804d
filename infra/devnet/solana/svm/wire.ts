import { base58 } from './base58';
import { MalformedTransaction, Reader } from './reader';

/** The largest transaction a packet of the network carries: 1280 bytes of IPv6 less 48 of headers. */
export const MAX_TRANSACTION_BYTES = 1232;

/** A well-formed transaction that refers to missing keys. */
export class UnsoundTransaction extends Error {
  override readonly name = 'UnsoundTransaction';
}

export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Buffer;
}

export interface TableLookup {
  readonly table: Buffer;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

export interface Message {
  readonly version: 'legacy' | 0;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly keys: readonly Buffer[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
}

export interface WireTransaction {
  readonly wire: Buffer;
  readonly signatures: readonly Buffer[];
  readonly message: Message;
}

const readMessage = (reader: Reader): Message => {
  const prefix = reader.peek();
  const version = prefix < 0x80 ? 'legacy' : 0;
  if (version === 0 && reader.byte() !== 0x80)
    throw new MalformedTransaction(`message version ${prefix & 0x7f} is not supported`);
  const message: Message = {
    version,
    requiredSignatures: reader.byte(),
    readonlySigned: reader.byte(),
    readonlyUnsigned: reader.byte(),
    keys: reader.list(() => reader.bytes(32)),
    blockhash: base58(reader.bytes(32)),
    instructions: reader.list(() => ({
      programIdIndex: reader.byte(),
      accounts: reader.indexes(),
      data: reader.bytes(reader.compact()),
    })),
    lookups:
      version === 'legacy'
        ? []
        : reader.list(() => ({
            table: reader.bytes(32),
            writable: reader.indexes(),
            readonly: reader.indexes(),
          })),
  };
  if (reader.remaining > 0) throw new MalformedTransaction(`${reader.remaining} bytes after the message`);
  checkSound(message);
  return message;
};

/** A validator's "sanitize" rules: every index is in range, and the fee payer is writable. */
const checkSound = (message: Message): void => {
  const { keys, requiredSignatures, readonlySigned, readonlyUnsigned, instructions, lookups } = message;
  const sound = (condition: boolean, reason: string): void => {
    if (!condition) throw new UnsoundTransaction(reason);
  };
  const loaded = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
  sound(readonlySigned < requiredSignatures, 'the fee payer is not a writable signer');
  sound(requiredSignatures + readonlyUnsigned <= keys.length, 'the header names more keys than there are');
  sound(keys.length + loaded <= 256, 'more than 256 accounts');
  for (const { writable, readonly } of lookups)
    sound(writable.length + readonly.length > 0, 'a lookup loads nothing');
  for (const { programIdIndex, accounts } of instructions) {
    sound(programIdIndex > 0 && programIdIndex < keys.length, 'a program index is out of range');
    sound(
      accounts.every(index => index < keys.length + loaded),
      'an account index is out of range',
    );
  }
};

/**
 * Parses the message of a transaction, legacy or version 0.
 * @see https://solana.com/docs/core/transactions
 * @throws MalformedTransaction, UnsoundTransaction
 */
export function parseMessage(bytes: Buffer): Message {
  return readMessage(new Reader(bytes));
}

/**
 * Parses a signed transaction as strictly as a validator; signatures are counted, not verified.
 * @throws MalformedTransaction, UnsoundTransaction
 */
export function parseTransaction(wire: Buffer): WireTransaction {
  const reader = new Reader(wire);
  const signatures = reader.list(() => reader.bytes(64));
  const message = readMessage(reader);
  if (signatures.length !== message.requiredSignatures)
    throw new UnsoundTransaction(`${signatures.length} signatures, ${message.requiredSignatures} required`);
  return { wire, signatures, message };
}

/** Whether the message locks the account at an index of its static keys for writing. */
export function isStaticWritable(message: Message, index: number): boolean {
  return index < message.requiredSignatures
    ? index < message.requiredSignatures - message.readonlySigned
    : index < message.keys.length - message.readonlyUnsigned;
}
