import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { rebateRuleEvents, type RebateRuleEvent } from '../../../contracts/events/rebate-rule';
import type { RebateTier } from '../../../contracts/rebate-tiers';
import type { StreamKind } from '../../handle';

/** The rule of the instance in all its versions, the one in force last; null as long as none was set. */
export interface RebateRule {
  readonly ruleId: string;
  readonly versions: readonly RuleVersion[];
}

export interface RuleVersion {
  readonly tiers: readonly RebateTier[];
  readonly setAt: string;
  readonly setBy: string;
}

interface SetRebateRule {
  readonly type: 'set';
  /** Of a rule that is not there yet; later versions keep the id. */
  readonly ruleId: string;
  readonly tiers: readonly RebateTier[];
  readonly metadata: CommandMetadata;
}

/** Each change is a new version. Setting what is in force changes nothing. */
export const rebateRuleDecider: Decider<RebateRule | null, SetRebateRule, RebateRuleEvent> = {
  initial: () => null,

  evolve: (rule, { data: { ruleId, tiers, at, by } }) => ({
    ruleId,
    versions: [...(rule?.versions ?? []), { tiers, setAt: at, setBy: by }],
  }),

  decide(rule, { ruleId, tiers, metadata }) {
    const inForce = rule?.versions.at(-1);
    if (inForce && alike(inForce.tiers, tiers)) return [];
    const data = {
      ruleId: rule?.ruleId ?? ruleId,
      version: (rule?.versions.length ?? 0) + 1,
      tiers: [...tiers],
      at: metadata.now,
      by: metadata.actor,
    };
    return [{ type: 'RebateRuleSet', data }];
  },
};

export const rebateRuleKind: StreamKind<RebateRule | null, SetRebateRule, RebateRuleEvent> = {
  decider: rebateRuleDecider,
  events: rebateRuleEvents,
};

const alike = (a: readonly RebateTier[], b: readonly RebateTier[]): boolean =>
  a.length === b.length && a.every(({ from, rate }, i) => from === b[i]!.from && rate === b[i]!.rate);
