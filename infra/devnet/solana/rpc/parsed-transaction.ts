import { stringify } from 'lossless-json';
import { parseInstruction } from './parsed-instruction';
import { readJson } from '../../../../contracts/json/read-json';

interface RawInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight: number | null;
}

export interface RawTransaction {
  readonly message: {
    readonly accountKeys: readonly string[];
    readonly addressTableLookups?: readonly unknown[];
    readonly header: {
      readonly numRequiredSignatures: number;
      readonly numReadonlySignedAccounts: number;
      readonly numReadonlyUnsignedAccounts: number;
    };
    readonly instructions: readonly RawInstruction[];
    readonly recentBlockhash: string;
  };
  readonly signatures: readonly string[];
}

export interface RawMeta extends Readonly<Record<string, unknown>> {
  readonly innerInstructions: readonly { index: number; instructions: readonly RawInstruction[] }[];
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
}

interface ParsedKey {
  readonly pubkey: string;
  readonly signer: boolean;
  readonly source: 'transaction' | 'lookupTable';
  readonly writable: boolean;
}

/** All accounts of a transaction and what it may do with each. */
export function accountKeys({ message }: RawTransaction, { loadedAddresses }: RawMeta): ParsedKey[] {
  const { accountKeys: keys, header } = message;
  const writableSigners = header.numRequiredSignatures - header.numReadonlySignedAccounts;
  const lastWritable = keys.length - header.numReadonlyUnsignedAccounts;
  const loaded = (addresses: readonly string[], writable: boolean): ParsedKey[] =>
    addresses.map(pubkey => ({ pubkey, signer: false, source: 'lookupTable', writable }));
  return [
    ...keys.map((pubkey, index): ParsedKey => {
      const signer = index < header.numRequiredSignatures;
      return {
        pubkey,
        signer,
        source: 'transaction',
        writable: signer ? index < writableSigners : index < lastWritable,
      };
    }),
    ...loaded(loadedAddresses.writable, true),
    ...loaded(loadedAddresses.readonly, false),
  ];
}

/** `meta` and `transaction` in the `jsonParsed` encoding, from their `json` forms. */
export function parsedTransaction(body: string, meta: string): string {
  const transaction = readJson(body) as RawTransaction;
  const { loadedAddresses, innerInstructions, ...rest } = readJson(meta) as RawMeta;
  const { message, signatures } = transaction;
  const keys = accountKeys(transaction, { loadedAddresses, innerInstructions });
  const addresses = keys.map(({ pubkey }) => pubkey);
  const parse = ({ programIdIndex, accounts, data, stackHeight }: RawInstruction) => ({
    ...parseInstruction({
      programId: addresses[programIdIndex] ?? '',
      accounts: accounts.map(index => addresses[index] ?? ''),
      data,
    }),
    stackHeight,
  });
  const parsedMeta = {
    ...rest,
    innerInstructions: innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(parse),
    })),
  };
  const parsed = {
    message: {
      accountKeys: keys,
      ...(message.addressTableLookups && { addressTableLookups: message.addressTableLookups }),
      instructions: message.instructions.map(parse),
      recentBlockhash: message.recentBlockhash,
    },
    signatures,
  };
  return `"meta":${stringify(parsedMeta)},"transaction":${stringify(parsed)}`;
}
