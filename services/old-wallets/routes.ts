import { addressKey } from '../../contracts/http/address-key';
import type { UnrecordedReader } from '../../contracts/observation/reader';
import {
  OLD_WALLETS_COST,
  OLD_WALLETS_MS,
  type OldWalletsRead,
  type OldWalletsSubject,
} from '../../contracts/chain/ton-old-wallets';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { oldBalances } from '../../contracts/http/ton/old-wallets';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { addressFormatter } from '../../projections/ton/format-address';
import { bind, type Binding } from '../http/binding';
import { createFirstReadLimit } from '../http/limits';

export interface OldWalletDeps {
  readonly oldWallets: UnrecordedReader<OldWalletsSubject, OldWalletsRead>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly clock: () => Date;
}

/** What is left in the wallets that apps made of a key before v4, for those who have moved to a newer one. */
export function oldWalletRoutes({ oldWallets, limits, clock }: OldWalletDeps): Binding[] {
  const now = () => clock().getTime();
  const limitRead = createFirstReadLimit(limits, CONTRACT_READS, { onceMs: OLD_WALLETS_MS, now });
  return [
    bind(oldBalances, async call => {
      const { network = 'mainnet' } = call.query;
      const publicKey = call.params.pubkey.toLowerCase();
      await limitRead(`${network}/${publicKey}`, call, OLD_WALLETS_COST);
      const {
        data: { seqno, wallets },
        at,
      } = await oldWallets.read({ network, publicKey }, { caller: addressKey(call.ip) });
      const format = addressFormatter(network);
      const total = wallets.reduce((sum, { balance }) => sum + BigInt(balance.coins), 0n);
      return {
        totalBalance: String(total),
        accounts: wallets.map(wallet => ({ ...wallet, address: format(wallet.address) })),
        seqno,
        at,
      };
    }),
  ];
}
