import { decodeTonMessage, type TonLogMessage } from '../../contracts/chain/ton';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { LogMessage } from '../../contracts/ports/log';

/** Decodes a raw transaction (base64 BoC). The version grows whenever its output changes. */
export interface TonDecoder {
  readonly version: number;
  decode(account: string, raw: string): TonTransaction;
}

/**
 * Reads records of the topic; those of an older decoder are decoded again from their raw bytes. A record is folded once
 * for each document it touches, and read only once.
 */
export function createRecordReader({ version, decode }: TonDecoder): (input: LogMessage) => TonLogMessage {
  const cached = new WeakMap<LogMessage, TonLogMessage>();
  const read = (input: LogMessage): TonLogMessage => {
    const message = decodeTonMessage(input.value);
    if (message.type !== 'transaction' || message.decoder >= version) return message;
    return { ...message, decoder: version, transaction: decode(message.account, message.raw) };
  };
  return input => {
    const message = cached.get(input) ?? read(input);
    cached.set(input, message);
    return message;
  };
}
