import type { CommandMetadata } from '../../contracts/decider';
import { INSTANCE_STREAM } from '../../contracts/events/instance';
import { INVOICE_CATEGORY } from '../../contracts/events/invoice';
import { INVOICE_PERIOD_CATEGORY } from '../../contracts/events/invoice-period';
import { REBATE_RULE_CATEGORY } from '../../contracts/events/rebate-rule';
import { SETTLEMENT_CATEGORY } from '../../contracts/events/settlement';
import type { EventStore } from '../../contracts/ports/event-store';
import { createHandle } from '../commands/handle';
import { load } from '../commands/load';
import { instanceKind, type Identity } from './decider';

/** What the events of a ledger name; none where they name nothing. */
interface NamedIdentities {
  readonly instanceIds: readonly string[];
  readonly currencies: readonly string[];
}

/** Compares with what is recorded. @returns the difference in one line; null when there is none, or nothing is recorded yet */
export async function compareIdentity(
  store: Pick<EventStore, 'readStream'>,
  identity: Identity,
): Promise<string | null> {
  return compare(identity, await load(store, instanceKind, INSTANCE_STREAM));
}

/**
 * As `compareIdentity`; where nothing is recorded yet, records the identity, unless all that the ledger names is another one. Of
 * several programs that start at once one records it, and the others compare.
 */
export async function recordIdentity(
  store: EventStore,
  identity: Identity,
  metadata: CommandMetadata,
): Promise<string | null> {
  const recorded = await load(store, instanceKind, INSTANCE_STREAM);
  if (recorded) return compare(identity, recorded);
  const difference = differenceOf(identity, await namedIdentities(store));
  if (difference !== null) return difference;
  const outcome = await createHandle({ store })(instanceKind, INSTANCE_STREAM, { ...identity, metadata });
  return outcome.refusal ? outcome.refusal.detail : compare(identity, outcome.state);
}

const compare = (identity: Identity, recorded: Identity | null): string | null =>
  recorded && differenceOf(identity, { instanceIds: [recorded.instanceId], currencies: [recorded.currency] });

/** What the settings say otherwise than the ledger, and what to do, in one line; null when they agree. */
function differenceOf({ instanceId, currency }: Identity, named: NamedIdentities): string | null {
  const different = [
    { setting: 'INSTANCE_ID', value: instanceId, known: named.instanceIds },
    { setting: 'INSTANCE_CURRENCY', value: currency, known: named.currencies },
  ].filter(({ value, known }) => known.length > 0 && !known.includes(value));
  if (different.length === 0) return null;
  const faults = different.map(
    ({ setting, value, known }) => `${setting} is ${value}, and that of this ledger is ${known.join(' or ')}`,
  );
  const remedies = different.map(({ setting, known }) => `${setting}=${known.join(' or ')}`);
  return `${faults.join('; ')}. It cannot change: set ${remedies.join(' and ')}, or use another DATA_DIR or event store for another ledger`;
}

/** Their streams are named `<category>-<instance>-…`. */
const NAMED_AFTER_INSTANCE = [INVOICE_PERIOD_CATEGORY, SETTLEMENT_CATEGORY, REBATE_RULE_CATEGORY];

/** Of a ledger that was begun before identities were recorded. Read once: in a new one there is nothing. */
async function namedIdentities(store: Pick<EventStore, 'readAll'>): Promise<NamedIdentities> {
  const instanceIds = new Set<string>();
  const currencies = new Set<string>();
  for await (const events of store.readAll({ categories: [INVOICE_CATEGORY, ...NAMED_AFTER_INSTANCE] }))
    for (const { stream, data } of events) {
      const [category, instanceId] = stream.split('-');
      if (NAMED_AFTER_INSTANCE.includes(category!)) instanceIds.add(instanceId!);
      if (typeof data['currency'] === 'string') currencies.add(data['currency']);
    }
  return { instanceIds: [...instanceIds], currencies: [...currencies] };
}
