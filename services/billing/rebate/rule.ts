import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { rebateRuleEvents, type RebateRuleEvent } from '../../../contracts/events/rebate-rule';
import type { RebateTier } from '../../../contracts/money/rebate-tiers';
import type { ShownRebateRule } from '../../../contracts/http/billing/merchants';
import type { StreamKind } from '../../commands/stream-kind';

/** All versions of the instance's rule, the current one last. */
export interface RebateRule {
  readonly ruleId: string;
  readonly versions: readonly RuleVersion[];
}

export interface RuleVersion {
  readonly tiers: readonly RebateTier[];
  readonly setAt: string;
  readonly setBy: string;
}

/** As it is returned. */
export function shownRule({ ruleId, versions }: RebateRule): ShownRebateRule {
  return {
    ruleId,
    versions: versions.map(({ tiers, setAt, setBy }, index) => ({
      version: index + 1,
      tiers: tiers.map(({ from, rate }) => ({ from, rate })),
      setAt,
      setBy,
    })),
  };
}

interface SetRebateRule {
  readonly type: 'set';
  /** Id of a new rule; later versions keep the id. */
  readonly ruleId: string;
  readonly tiers: readonly RebateTier[];
  readonly metadata: CommandMetadata;
}

/** Each change is a new version. Setting the current tiers again changes nothing. */
export const rebateRuleDecider: Decider<RebateRule | null, SetRebateRule, RebateRuleEvent> = {
  initial: () => null,

  evolve: (rule, { data: { ruleId, tiers, at, by } }) => ({
    ruleId,
    versions: [...(rule?.versions ?? []), { tiers, setAt: at, setBy: by }],
  }),

  decide(rule, { ruleId, tiers, metadata }) {
    const current = rule?.versions.at(-1);
    if (current && sameTiers(current.tiers, tiers)) return [];
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

const sameTiers = (a: readonly RebateTier[], b: readonly RebateTier[]): boolean =>
  a.length === b.length && a.every(({ from, rate }, i) => from === b[i]!.from && rate === b[i]!.rate);
