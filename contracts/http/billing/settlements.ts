import { z } from 'zod';
import { visibleLine } from '../../text/visible-text';
import { billingPeriod, identifier, instant, MERCHANT, paged, paging, proved, total } from './fields';

const settlementStatus = z.enum(['pending', 'paid', 'carried', 'void']);
const rebateStatus = z.enum(['accrued', 'applied', 'paid', 'void']);
const settlementId = z.uuid().toLowerCase();

const filter = { ...paging, billingPeriod: billingPeriod.optional(), ...MERCHANT };

/** The fields of the requests, by action. */
export const SETTLEMENT_REQUESTS = {
  list_settlements: { ...filter, status: settlementStatus.optional() },
  get_settlement: { settlementId },
  /** Without a merchant: of every merchant with a balance that is not zero. */
  generate_settlement: { billingPeriod, ...MERCHANT },
  /** `paidAt` must not be in the future; default: now. */
  mark_settlement_paid: { settlementId, reference: visibleLine(128).optional(), paidAt: instant.optional() },
  void_settlement: { settlementId, reason: visibleLine(500) },
  list_rebates: { ...filter, status: rebateStatus.optional() },
} as const;

const settlement = z
  .object({
    settlementId,
    billingPeriod,
    merchantId: identifier,
    merchantName: z.string(),
    currency: z.string(),
    grossCollected: total,
    feesCollected: total,
    rebateApplied: total,
    /** Zero or negative: what earlier settlements could not be paid. */
    carriedIn: total,
    /** grossCollected - feesCollected + rebateApplied + carriedIn: what the merchant is owed. */
    netAmount: total,
    status: settlementStatus,
    feeCount: z.int(),
    ledgerPosition: z.int(),
    /** The settlement's own month, and changes of earlier months since they were settled. The sums above are over these. */
    lines: z.array(
      z.object({ billingPeriod, feeCount: z.int(), grossCollected: total, feesCollected: total }),
    ),
    /** The settlements that `carriedIn` is from. */
    carriedFrom: z.array(settlementId),
    createdAt: instant,
    createdBy: z.string(),
    paidAt: instant.nullable(),
    paidBy: z.string().nullable(),
    reference: z.string().nullable(),
    /** True when there was a reference and `tidemark erase` has erased it. */
    referenceErased: z.boolean(),
    voidedAt: instant.nullable(),
    voidedBy: z.string().nullable(),
    voidReason: z.string().nullable(),
    voidReasonErased: z.boolean(),
    version: z.int(),
  })
  .meta({ id: 'Settlement' });
export type Settlement = z.output<typeof settlement>;

const rebate = z
  .object({
    rebateId: z.uuid(),
    billingPeriod,
    merchantId: identifier,
    merchantName: z.string(),
    currency: z.string(),
    /** The collected fees of the month; negative where a rebate is taken back because they have changed. */
    basisFee: total,
    rate: z.string().regex(/^[01]\.\d{2,18}$/),
    /** basisFee × rate, half-even at the scale of the currency. */
    amount: total,
    ruleId: z.string(),
    ruleVersion: z.int(),
    status: rebateStatus,
    /** Null while it is accrued, and once it is void. */
    settlementId: settlementId.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Rebate' });
export type Rebate = z.output<typeof rebate>;

/** What `generate_settlement` would settle, with the rebates in `rebateApplied`. */
const settlementPreview = settlement
  .pick({
    billingPeriod: true,
    merchantId: true,
    merchantName: true,
    currency: true,
    grossCollected: true,
    feesCollected: true,
    rebateApplied: true,
    carriedIn: true,
    netAmount: true,
    status: true,
    feeCount: true,
    ledgerPosition: true,
    lines: true,
    carriedFrom: true,
  })
  .extend({
    rebates: z.array(
      rebate.pick({
        billingPeriod: true,
        basisFee: true,
        rate: true,
        amount: true,
        ruleId: true,
        ruleVersion: true,
      }),
    ),
  })
  .meta({ id: 'SettlementPreview' });
export type SettlementPreview = z.output<typeof settlementPreview>;

const settlementResponse = z.object({ settlement, ...proved }).meta({ id: 'SettlementResponse' });

/** The responses, by action. */
export const SETTLEMENT_RESPONSES = {
  list_settlements: paged(settlement).meta({ id: 'SettlementPage' }),
  generate_settlement: z.object({ settlements: z.array(settlement) }).meta({ id: 'SettlementsResponse' }),
  mark_settlement_paid: settlementResponse,
  get_settlement: settlementResponse,
  void_settlement: settlementResponse,
  list_rebates: paged(rebate).meta({ id: 'RebatePage' }),
  preview_settlement: z
    .object({ previews: z.array(settlementPreview) })
    .meta({ id: 'SettlementPreviewsResponse' }),
} as const;
