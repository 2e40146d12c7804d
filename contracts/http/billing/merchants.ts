import { z } from 'zod';
import { rebateTiers } from '../../money/rebate-tiers';
import { identifier, instant, merchantName, paging, slug } from './fields';

/** The fields of the requests, by action. */
export const MERCHANT_REQUESTS = {
  /** In the order of their ids. */
  list_merchants: { after: identifier.optional(), pageSize: paging.pageSize },
  /** The slug is required the first time; one that another merchant ever had is refused. */
  set_merchant: { merchantId: identifier, name: merchantName, slug: slug.optional() },
  set_rebate_rule: { tiers: rebateTiers },
} as const;

const merchant = z
  .object({
    merchantId: identifier,
    name: z.string(),
    slug,
    setAt: instant,
    setBy: z.string(),
  })
  .meta({ id: 'Merchant' });
export type NamedMerchant = z.output<typeof merchant>;

const rebateRule = z
  .object({
    ruleId: z.string(),
    /** The current one last. A settled month keeps the version that it was settled under. */
    versions: z.array(
      z.object({
        version: z.int(),
        tiers: z.array(z.object({ from: z.string(), rate: z.string() })),
        setAt: instant,
        setBy: z.string(),
      }),
    ),
  })
  .meta({ id: 'RebateRule' });
export type ShownRebateRule = z.output<typeof rebateRule>;

const merchantResponse = z.object({ merchant }).meta({ id: 'MerchantResponse' });

/** Null when there is none, and so no rebates. */
const ruleResponse = z.object({ rule: rebateRule.nullable() }).meta({ id: 'RebateRuleResponse' });

/** The responses, by action. */
export const MERCHANT_RESPONSES = {
  list_merchants: z
    .object({
      merchants: z.array(merchant),
      /** `after` of the next page; null on the last one. */
      next: identifier.nullable(),
    })
    .meta({ id: 'MerchantPage' }),
  set_merchant: merchantResponse,
  get_rebate_rule: ruleResponse,
  set_rebate_rule: ruleResponse,
} as const;
