import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the one stream that says whose ledger this is. It is about the ledger and not part of it. */
export const INSTANCE_CATEGORY = 'instance';

/** One per event store, whatever the settings say: a program with other settings finds it. */
export const INSTANCE_STREAM = `${INSTANCE_CATEGORY}-identity`;

// This type is the storage format.
/** The ledger is that of this instance, in this currency, from its first event to its last. */
const identified = eventType({
  name: 'InstanceIdentified',
  schema: z.object({ instanceId: z.string(), currency: z.string(), at: z.string(), by: z.string() }),
});

export const instanceEvents = eventFamily(identified);
export type InstanceEvent = EventOf<typeof identified>;
