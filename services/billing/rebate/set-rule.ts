import type { CommandMetadata } from '../../../contracts/decider';
import { rebateRuleStream } from '../../../contracts/events/rebate-rule';
import type { RebateTier } from '../../../contracts/rebate-tiers';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../handle';
import { accepted } from '../accepted';
import { load } from '../load';
import { rebateRuleKind, type RebateRule } from './rule';

/** The rule as it stands. */
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

/** Sets the tiers for what is settled from now on; what is settled already keeps the version it was settled under. */
export async function setRebateRule(
  { handle, instanceId, newId }: RebateRuleDeps,
  tiers: readonly RebateTier[],
  metadata: CommandMetadata,
): Promise<{ readonly rule: RebateRule; readonly changed: boolean }> {
  const command = { type: 'set', ruleId: newId(), tiers, metadata } as const;
  const { state, events } = accepted(await handle(rebateRuleKind, rebateRuleStream(instanceId), command));
  return { rule: state!, changed: events.length > 0 };
}
