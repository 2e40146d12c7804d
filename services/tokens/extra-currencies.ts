import type { ExtraCurrenciesObserved } from '../../contracts/chain/ton-token-observations';
import type { ExtraCurrency } from '../../contracts/http/tokens/tokens';
import type { Observed } from '../../contracts/observation/reader';
import type { AnyCall } from '../http/call';
import { addressKey } from '../../contracts/http/address-key';
import type { TonAccount } from '../../contracts/account/ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';
import type { KnownCurrencies } from './known-currencies';

/** Ordered by id. A currency that the instance does not know is shown in its smallest units. */
export function extraCurrenciesOf(
  { data: { amounts }, at }: Observed<ExtraCurrenciesObserved>,
  known: KnownCurrencies[keyof KnownCurrencies] = {},
): ExtraCurrency[] {
  return Object.entries(amounts)
    .map(([id, amount]) => ({
      amount,
      at,
      preview: { id: Number(id), ...(known[id] ?? { symbol: `#${id}`, decimals: 0 }) },
    }))
    .sort((a, b) => a.preview.id - b.preview.id);
}

/**
 * The extra currencies of an account, which is watched. An observation that is older than the newest known transaction of the
 * account is replaced before it is served.
 * @throws Problem 503 when nothing is known and the source does not answer
 */
export async function readExtraCurrencies(
  deps: TokenDeps,
  account: TonAccount,
  call: AnyCall,
): Promise<ExtraCurrency[]> {
  const { extraCurrencies, transactions, knownCurrencies } = deps;
  const { network, address } = account;
  const subject = { network, address };
  await watchIfPossible(deps, account, call);
  const found = await extraCurrencies.readDerived(
    subject,
    {
      async find() {
        const [observed, known] = await Promise.all([
          extraCurrencies.find(subject),
          transactions.account(network, address),
        ]);
        const isCurrent = BigInt(observed?.data.lt ?? 0) >= BigInt(known?.newest ?? 0);
        return observed && { ...observed, isCurrent };
      },
      isStale: ({ at }) => extraCurrencies.isStale(at),
      isCurrent: ({ isCurrent }) => isCurrent,
    },
    { caller: addressKey(call.ip) },
  );
  if (!found) throw extraCurrencies.notReady(subject, 'The account');
  return extraCurrenciesOf(found, knownCurrencies[network]);
}
