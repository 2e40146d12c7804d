import type { TonMessage } from '../../contracts/chain/ton-transaction';
import type { StoredMessage } from '../../contracts/http/stored-transaction';
import type { Friendly } from './friendly';

/** A message as wallets read it; `friendly` writes addresses. */
export function storedMessage({ info, init, body }: TonMessage, friendly: Friendly): StoredMessage {
  switch (info.type) {
    case 'internal': {
      const { src, dest, extraCurrency, ...rest } = info;
      const currencies = extraCurrency && { extraCurrency: { ...extraCurrency } };
      return { body, init, info: { ...rest, src: friendly(src), dest: friendly(dest), ...currencies } };
    }
    case 'external-in':
      return { body, init, info: { ...info, dest: friendly(info.dest) } };
    case 'external-out':
      return { body, init, info: { type: info.type, dest: info.dest } };
  }
}
