import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import type { StoredMessage } from '../../../contracts/http/history/stored-transaction';
import type { FormatAddress } from '../format-address';

/** A message as wallets read it. */
export function storedMessage({ info, init, body }: TonMessage, format: FormatAddress): StoredMessage {
  const stateInit = init && withLibraries(init);
  switch (info.type) {
    case 'internal': {
      const { src, dest, extraCurrency, ...rest } = info;
      const currencies = extraCurrency && { extraCurrency: { ...extraCurrency } };
      return {
        body,
        init: stateInit,
        info: { ...rest, src: format(src), dest: format(dest), ...currencies },
      };
    }
    case 'external-in':
      return { body, init: stateInit, info: { ...info, dest: format(info.dest) } };
    case 'external-out':
      return { body, init: stateInit, info: { type: info.type, dest: info.dest } };
  }
}

function withLibraries({ libraries, ...init }: NonNullable<TonMessage['init']>): StoredMessage['init'] {
  return libraries ? { ...init, libraries: [...libraries] } : init;
}
