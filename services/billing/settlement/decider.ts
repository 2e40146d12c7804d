import { refuse, type CommandMetadata, type Decider, type Refusal } from '../../../contracts/decider';
import type { Rebate } from '../../../contracts/events/rebate';
import { settlementEvents, type SettlementEvent } from '../../../contracts/events/settlement';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import type { StreamKind } from '../../commands/stream-kind';
import {
  dependentOf,
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
      | { readonly type: 'pay'; readonly paidAt: string; readonly reference: EncryptedText | null }
      | { readonly type: 'void'; readonly reason: EncryptedText | null }
    ));

/**
 * Settlements of one merchant: pending -> paid, pending -> carried, and pending or carried -> void. Rebates: accrued ->
 * applied -> paid, back to accrued when their settlement is voided, and from there to void when another one replaces them.
 * Those of a carried settlement are paid with the settlement that includes it; then neither can be voided.
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
      return refuse('settlement_already_paid', `Settlement ${settlementId} is already paid.`);
    const { now: at, actor: by } = command.metadata;
    const common = { settlementId, billingPeriod, merchantId, at, by };

    switch (command.type) {
      case 'pay': {
        if (status !== 'pending') return notPending(settlement);
        const { paidAt, reference } = command;
        const rebateIds = idsOf(rebatesPaidWith(account, settlement));
        return [{ type: 'SettlementPaid', data: { ...common, paidAt, reference, rebateIds } }];
      }
      case 'void': {
        if (status === 'void')
          return refuse('settlement_already_void', `Settlement ${settlementId} is already void.`);
        const later = dependentOf(account, settlement);
        if (later) return hasDependents(settlement, later);
        return [
          {
            type: 'SettlementVoided',
            data: { ...common, reason: command.reason, rebateIds: idsOf(rebates) },
          },
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

/** The refusal of a settlement that nobody has generated. */
export function settlementNotFound(settlementId: string): Refusal {
  return refuse('settlement_not_found', `There is no settlement ${settlementId}.`);
}

const notPending = ({ settlementId, status }: Settlement): Refusal =>
  refuse('settlement_not_pending', `Settlement ${settlementId} is ${status}, not pending.`);

const hasDependents = ({ settlementId }: Settlement, later: Settlement): Refusal =>
  refuse(
    'settlement_has_dependents',
    `Settlement ${later.settlementId} includes the carried balance of ${settlementId}, or later changes of its months: void that one first.`,
    { settlementId: later.settlementId },
  );
