import type { SettlementEvent } from '../../contracts/events/settlement';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { inconsistent, type SettlementRule } from './outcome';

type Recorded = SettlementEvent & Pick<LedgerEvent, 'stream' | 'revision' | 'position'>;
type Change = Extract<SettlementEvent, { type: 'SettlementCarried' | 'SettlementPaid' | 'SettlementVoided' }>;

interface Settlement {
  readonly stream: string;
  readonly merchantId: string;
  readonly billingPeriod: string;
  status: 'pending' | 'carried' | 'paid' | 'void';
}

interface Rebate {
  readonly stream: string;
  status: 'accrued' | 'applied' | 'paid' | 'void';
  settlementId: string | null;
}

/** The rules that the settlements and rebates of each merchant keep: PROOFS.md, section 6, where each has its name. */
export class SettlementRules {
  readonly #settlements = new Map<string, Settlement>();
  readonly #rebates = new Map<string, Rebate>();
  /** The number of events of each stream. */
  readonly #events = new Map<string, number>();

  /** Of events that have the form of their type, in the order of the ledger. @throws VerificationFailed `inconsistent` */
  check(event: Recorded): void {
    const rule = this.#apply(event);
    if (rule) throw inconsistent(event, rule, 'settlements');
    this.#events.set(event.stream, event.revision + 1);
  }

  /** @returns the rule that the event breaks, or null */
  #apply(event: Recorded): SettlementRule | null {
    const { type, data, stream, revision } = event;
    // The instance is not compared: it may have been given another id.
    if (type !== 'RebateApplied' && type !== 'RebateVoided' && !stream.endsWith(`-${data.merchantId}`))
      return 'stream';
    if (revision !== (this.#events.get(stream) ?? 0)) return 'revision';
    switch (type) {
      case 'SettlementGenerated': {
        const { settlementId, merchantId, billingPeriod } = data;
        if (this.#settlements.has(settlementId)) return 'transition';
        this.#settlements.set(settlementId, { stream, merchantId, billingPeriod, status: 'pending' });
        return null;
      }
      case 'RebateAccrued':
        if (this.#rebates.has(data.rebateId)) return 'transition';
        this.#rebates.set(data.rebateId, { stream, status: 'accrued', settlementId: null });
        return null;
      case 'RebateApplied': {
        const { rebateId, settlementId } = data;
        const rebate = this.#rebate(stream, rebateId);
        if (rebate?.status !== 'accrued') return 'transition';
        if (this.#settlement(stream, settlementId)?.status !== 'pending') return 'transition';
        Object.assign(rebate, { status: 'applied', settlementId });
        return null;
      }
      case 'RebateVoided': {
        const rebate = this.#rebate(stream, data.rebateId);
        if (rebate?.status !== 'accrued') return 'transition';
        rebate.status = 'void';
        return null;
      }
      default:
        return this.#change(event, stream);
    }
  }

  #change({ type, data }: Change, stream: string): SettlementRule | null {
    const { settlementId, merchantId, billingPeriod } = data;
    const settlement = this.#settlement(stream, settlementId);
    if (!settlement || !STATUSES_BEFORE[type].includes(settlement.status)) return 'transition';
    if (settlement.merchantId !== merchantId || settlement.billingPeriod !== billingPeriod) return 'members';
    settlement.status = STATUS_AFTER[type];
    if (type === 'SettlementCarried') return null;
    for (const id of data.rebateIds) {
      const rebate = this.#rebate(stream, id);
      if (rebate?.status !== 'applied') return 'rebates';
      if (type === 'SettlementPaid') rebate.status = 'paid';
      else if (rebate.settlementId !== settlementId) return 'rebates';
      else Object.assign(rebate, { status: 'accrued', settlementId: null });
    }
    return null;
  }

  #settlement(stream: string, id: string): Settlement | null {
    return ofStream(stream, this.#settlements.get(id));
  }

  #rebate(stream: string, id: string): Rebate | null {
    return ofStream(stream, this.#rebates.get(id));
  }
}

/** A stream has the settlements and rebates of one merchant alone. */
const ofStream = <State extends { readonly stream: string }>(
  stream: string,
  state: State | undefined,
): State | null => (state?.stream === stream ? state : null);

const STATUSES_BEFORE: Readonly<Record<Change['type'], readonly Settlement['status'][]>> = {
  SettlementCarried: ['pending'],
  SettlementPaid: ['pending'],
  SettlementVoided: ['pending', 'carried'],
};

const STATUS_AFTER = {
  SettlementCarried: 'carried',
  SettlementPaid: 'paid',
  SettlementVoided: 'void',
} as const;
