import { z } from 'zod';
import { decimal } from './decimal';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of rebate rules: `rebateRule-<instance>`, one per instance. */
export const REBATE_RULE_CATEGORY = 'rebateRule';

export function rebateRuleStream(instanceId: string): string {
  return `${REBATE_RULE_CATEGORY}-${instanceId}`;
}

// This type is the storage format.
const ruleSet = eventType({
  name: 'RebateRuleSet',
  schema: z.object({
    ruleId: z.string(),
    /** Counts from 1. A version never changes, so that every rebate can be recomputed. */
    version: z.int(),
    tiers: z.array(z.object({ from: decimal, rate: decimal })),
    at: z.string(),
    by: z.string(),
  }),
});

export const rebateRuleEvents = eventFamily(ruleSet);
export type RebateRuleEvent = EventOf<typeof ruleSet>;
