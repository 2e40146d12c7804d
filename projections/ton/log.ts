import { decodeTonMessage, type TonLogMessage } from '../../contracts/chain/ton';
import { contractsAmong, KNOWN_CONTRACTS, accountsNamedIn } from '../../contracts/chain/ton-known-contracts';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { LogMessage } from '../../contracts/ports/log';

/** Decodes a raw transaction (base64 BoC). The version grows whenever its output changes. */
export interface TonDecoder {
  readonly version: number;
  decode(account: string, raw: string): TonTransaction;
}

/** A record is folded once for each document it touches, and read only once. */
export function readOnce<T>(read: (input: LogMessage) => T): (input: LogMessage) => T {
  const cached = new WeakMap<LogMessage, { readonly value: T }>();
  return input => {
    const known = cached.get(input) ?? { value: read(input) };
    cached.set(input, known);
    return known.value;
  };
}

/**
 * Reads records of the topic; those of an older decoder are decoded again from their raw bytes, and the contracts that everybody
 * knows are named again, of which there may be more by now.
 */
export function createRecordReader({ version, decode }: TonDecoder): (input: LogMessage) => TonLogMessage {
  return readOnce(input => {
    const message = decodeTonMessage(input.value);
    if (message.type !== 'transaction' || message.decoder >= version) return message;
    const transaction = decode(message.account, message.raw);
    const known = contractsAmong(KNOWN_CONTRACTS[message.network], accountsNamedIn(transaction));
    return { ...message, decoder: version, transaction, contracts: { ...message.contracts, ...known } };
  });
}
