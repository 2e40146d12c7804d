import { canonicalJson } from '../../contracts/json/canonical-json';
import { categoryOf } from '../../contracts/category';
import type { EventFamily, Known } from '../../contracts/events/event-type';
import type { DomainEvent } from '../../contracts/decider';
import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import { INVOICE_CATEGORY, invoiceEvents, invoiceLinesEvents } from '../../contracts/events/invoice';
import { INVOICE_NUMBER_CATEGORY, invoiceNumberEvents } from '../../contracts/events/invoice-number';
import { INVOICE_PERIOD_CATEGORY, invoicePeriodEvents } from '../../contracts/events/invoice-period';
import { MERCHANT_CATEGORY, merchantEvents } from '../../contracts/events/merchant';
import { MERCHANT_SLUG_CATEGORY, merchantSlugEvents } from '../../contracts/events/merchant-slug';
import { REBATE_RULE_CATEGORY, rebateRuleEvents } from '../../contracts/events/rebate-rule';
import { SETTLEMENT_CATEGORY, settlementEvents } from '../../contracts/events/settlement';
import type { Json } from '../../contracts/json/json';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { FeeRules } from './fee-rules';
import { FeeStateTable } from './fee-state-table';
import { InvoiceRules } from './invoice-rules';
import { formless } from './outcome';
import { SettlementRules } from './settlement-rules';

/**
 * What every event of a ledger keeps, whatever an answer needs of it (PROOFS.md, section 6): its type and version are known,
 * it has the form of its type, and it keeps the rules of its stream.
 */
export class LedgerRules {
  readonly #fees = new FeeRules(new FeeStateTable(), true);
  readonly #invoices = new InvoiceRules();
  readonly #settlements = new SettlementRules();

  /**
   * Of all events, in the order of the ledger.
   * @throws UnreadableEvent
   * @throws VerificationFailed
   */
  check(event: LedgerEvent): void {
    const category = categoryOf(event.stream);
    switch (category) {
      case FEE_CATEGORY:
        return this.#fees.check(feeEvents.read(event));
      case INVOICE_CATEGORY:
        return this.#invoices.check(
          event.type === 'InvoiceLinesDrafted'
            ? formed(invoiceLinesEvents, event)
            : formed(invoiceEvents, event),
        );
      case SETTLEMENT_CATEGORY:
        return this.#settlements.check(formed(settlementEvents, event));
      default:
        formed(WITHOUT_RULES.get(category)!, event);
    }
  }
}

const WITHOUT_RULES: ReadonlyMap<string, EventFamily<DomainEvent>> = new Map<
  string,
  EventFamily<DomainEvent>
>([
  [MERCHANT_CATEGORY, merchantEvents],
  [MERCHANT_SLUG_CATEGORY, merchantSlugEvents],
  [INVOICE_PERIOD_CATEGORY, invoicePeriodEvents],
  [INVOICE_NUMBER_CATEGORY, invoiceNumberEvents],
  [REBATE_RULE_CATEGORY, rebateRuleEvents],
]);

/** The event with the form of its type, and nothing more: stored data is not validated when it is read. */
function formed<Event extends DomainEvent>(
  family: EventFamily<Event>,
  event: LedgerEvent,
): Known<Event, LedgerEvent> {
  const known = family.read(event);
  const { schema } = family.types.find(({ name }) => name === event.type)!;
  const parsed = schema.safeParse(known.data);
  // What the type does not have was dropped.
  if (!parsed.success || canonicalJson(parsed.data as Json) !== canonicalJson(known.data as Json))
    throw formless(event);
  return known;
}
