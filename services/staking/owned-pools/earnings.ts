import { formatTonAddress } from '../../../contracts/account/address';
import { OWNED_POOL_CATEGORY, ownedPoolEvents } from '../../../contracts/events/owned-pool';
import { formatAmount } from '../../../contracts/money/money';
import type { RecordedEvent } from '../../../contracts/ports/event-store';

/** Of the unit of amounts, which is 10^-18. */
const PER_NANOTON = 10n ** 9n;

/**
 * The shares of the owner as billing wants to know them, in TON, with the pool as their merchant. They are collected: the pool has
 * added them to the stake of the owner. Gross is the same amount, since the pool has paid the others itself: nobody is owed the rest.
 */
export const ownedPoolEarnings = {
  name: 'owned-pools',
  categories: [OWNED_POOL_CATEGORY],
  earned(recorded: RecordedEvent) {
    const { type, data } = ownedPoolEvents.read(recorded);
    const { network, pool, lt, hash, occurrence, share, endedAt } = data;
    const address = formatTonAddress(pool, network);
    const amount = formatAmount(BigInt(share) * PER_NANOTON);
    return {
      source: 'staking' as const,
      reference: `${network}/${pool}/${lt}/${hash}/${occurrence}`,
      merchant: { id: address, name: `Staking pool ${address}`, slug: address },
      fee_type: 'staking' as const,
      fee_amount: amount,
      gross_amount: amount,
      earnedAt: endedAt,
      status: type === 'OwnerShareRetracted' ? ('reversed' as const) : ('collected' as const),
    };
  },
};
