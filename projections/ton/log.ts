import { decodeTonMessage, type TonLogMessage } from '../../contracts/chain/ton';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { LogMessage } from '../../contracts/ports/log';

/** How a raw transaction (base64 BoC) is decoded, and the version of that. */
export interface TonDecoder {
  readonly version: number;
  decode(account: string, raw: string): TonTransaction;
}

/**
 * Reads messages of the topic, those of an older decoder decoded anew from their bytes. A message is asked for once
 * for each document it touches: it is read once.
 */
export function upToDate({ version, decode }: TonDecoder): (input: LogMessage) => TonLogMessage {
  const known = new WeakMap<LogMessage, TonLogMessage>();
  const read = (input: LogMessage): TonLogMessage => {
    const message = decodeTonMessage(input.value);
    if (message.type !== 'transaction' || message.decoder >= version) return message;
    return { ...message, decoder: version, transaction: decode(message.account, message.raw) };
  };
  return input => {
    const message = known.get(input) ?? read(input);
    known.set(input, message);
    return message;
  };
}
