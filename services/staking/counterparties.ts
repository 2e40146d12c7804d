import type { TonAccount } from '../../contracts/account/ton-account';
import { endsOf } from '../../contracts/chain/ton-transaction';
import type { StakingDeps } from './deps';

/** Of an account: a stake that was read before these is stale for another reason. */
const NEWEST = 20;

/** By counterparty (raw), the masterchain block of the newest transaction of an account with it, of its last ones. */
export type Counterparties = (account: TonAccount) => Promise<Readonly<Record<string, number>>>;

export function createCounterparties({
  views,
  transactions,
}: Pick<StakingDeps, 'views' | 'transactions'>): Counterparties {
  return account => {
    const { network, address } = account;
    return views.cached(
      {
        key: ['counterparties of a TON account', network, address],
        sources: transactions.sources(network, address),
      },
      async () => {
        const page = await transactions.page(network, address, { limit: NEWEST });
        const blocks: Record<string, number> = {};
        for (const { seqno, decoded } of page.transactions) {
          if (seqno === null) continue;
          const { inMessage, outMessages } = decoded();
          for (const end of [...(inMessage ? [inMessage] : []), ...outMessages].flatMap(endsOf))
            blocks[end] = Math.max(blocks[end] ?? 0, seqno);
        }
        return blocks;
      },
    );
  };
}
