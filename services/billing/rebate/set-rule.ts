import type { CommandMetadata } from '../../../contracts/decider';
import { rebateRuleStream } from '../../../contracts/events/rebate-rule';
import type { Position } from '../../../contracts/position';
import type { RebateTier } from '../../../contracts/money/rebate-tiers';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../commands/handle';
import { unwrap } from '../unwrap';
import { load } from '../../commands/load';
import { rebateRuleKind, type RebateRule } from './rule';

/** Null when none was set. */
export function rebateRule(
  store: Pick<EventStore, 'readStream'>,
  instanceId: string,
): Promise<RebateRule | null> {
  return load(store, rebateRuleKind, rebateRuleStream(instanceId));
}

export interface RebateRuleDeps {
  readonly handle: Handle;
  readonly instanceId: string;
  readonly newId: () => string;
}

/** Sets the tiers for settlements from now on; settled months keep their version of the rule. */
export async function setRebateRule(
  { handle, instanceId, newId }: RebateRuleDeps,
  tiers: readonly RebateTier[],
  metadata: CommandMetadata,
): Promise<{ readonly rule: RebateRule; readonly changed: boolean; readonly position: Position }> {
  const command = { type: 'set', ruleId: newId(), tiers, metadata } as const;
  const { state, events, position } = unwrap(
    await handle(rebateRuleKind, rebateRuleStream(instanceId), command),
  );
  return { rule: state!, changed: events.length > 0, position };
}
