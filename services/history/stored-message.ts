import type { TonMessage } from '../../contracts/chain/ton-transaction';
import type { StoredMessage } from '../../contracts/http/stored-transaction';
import type { FormatAddress } from './format-address';

/** A message as wallets read it. */
export function storedMessage({ info, init, body }: TonMessage, format: FormatAddress): StoredMessage {
  switch (info.type) {
    case 'internal': {
      const { src, dest, extraCurrency, ...rest } = info;
      const currencies = extraCurrency && { extraCurrency: { ...extraCurrency } };
      return { body, init, info: { ...rest, src: format(src), dest: format(dest), ...currencies } };
    }
    case 'external-in':
      return { body, init, info: { ...info, dest: format(info.dest) } };
    case 'external-out':
      return { body, init, info: { type: info.type, dest: info.dest } };
  }
}
