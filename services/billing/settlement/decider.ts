import { refuse, type CommandMetadata, type Decider, type Refusal } from '../../../contracts/decider';
import type { Rebate } from '../../../contracts/events/rebate';
import { settlementEvents, type SettlementEvent } from '../../../contracts/events/settlement';
import type { Sealed } from '../../../contracts/personal-text';
import type { StreamKind } from '../../handle';
import {
  builtUpon,
  EMPTY,
  evolve,
  rebatesPaidWith,
  type Settlement,
  type SettlementAccount,
} from './account';
import { generate, type GenerateSettlement } from './decide-generate';

export type SettlementCommand =
  | GenerateSettlement
  | ({ readonly metadata: CommandMetadata; readonly settlementId: string } & (
      | { readonly type: 'pay'; readonly paidAt: string; readonly reference: Sealed | null }
      | { readonly type: 'void'; readonly reason: Sealed | null }
    ));

/**
 * Settlements of one merchant: pending -> paid, pending -> carried, and pending or carried -> void. Rebates: accrued ->
 * applied -> paid, back to accrued with a settlement that is voided, and from there to void when another takes the place.
 * Those of a carried settlement are paid with the one that has taken it in: neither can be voided any more then.
 */
export const settlementDecider: Decider<SettlementAccount, SettlementCommand, SettlementEvent> = {
  initial: () => EMPTY,

  evolve,

  decide(account, command) {
    if (command.type === 'generate') return generate(account, command);
    const settlement = account.settlements.get(command.settlementId);
    if (!settlement) return settlementNotFound(command.settlementId);
    const { settlementId, billingPeriod, merchantId, status, rebates } = settlement;
    if (status === 'paid')
      return refuse(409, 'settlement_already_paid', `Settlement ${settlementId} is paid already.`);
    const { now: at, actor: by } = command.metadata;
    const done = { settlementId, billingPeriod, merchantId, at, by };

    switch (command.type) {
      case 'pay': {
        if (status !== 'pending') return notPending(settlement);
        const { paidAt, reference } = command;
        const rebateIds = idsOf(rebatesPaidWith(account, settlement));
        return [{ type: 'SettlementPaid', data: { ...done, paidAt, reference, rebateIds } }];
      }
      case 'void': {
        if (status === 'void')
          return refuse(409, 'settlement_already_void', `Settlement ${settlementId} is void already.`);
        const later = builtUpon(account, settlement);
        if (later) return isBuiltUpon(settlement, later);
        return [
          { type: 'SettlementVoided', data: { ...done, reason: command.reason, rebateIds: idsOf(rebates) } },
        ];
      }
    }
  },
};

export const settlementKind: StreamKind<SettlementAccount, SettlementCommand, SettlementEvent> = {
  decider: settlementDecider,
  events: settlementEvents,
};

const idsOf = (rebates: readonly Rebate[]): string[] => rebates.map(({ rebateId }) => rebateId);

export function settlementNotFound(settlementId: string): Refusal {
  return refuse(404, 'settlement_not_found', `There is no settlement ${settlementId}.`);
}

const notPending = ({ settlementId, status }: Settlement): Refusal =>
  refuse(409, 'settlement_not_pending', `Settlement ${settlementId} is ${status}: nothing is to be paid.`);

const isBuiltUpon = ({ settlementId }: Settlement, later: Settlement): Refusal =>
  refuse(
    409,
    'settlement_built_upon',
    `Settlement ${later.settlementId} has taken in the carried balance of ${settlementId}, or what changed since in a month of it: void that one first.`,
    { settlementId: later.settlementId },
  );
