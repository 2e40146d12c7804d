import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of erasures: `erasure-<subject>`, one per subject with erased texts. */
export const ERASURE_CATEGORY = 'erasure';

export function erasureStream(subject: string): string {
  return `${ERASURE_CATEGORY}-${subject}`;
}

// This type is the storage format.
const erased = eventType({
  name: 'PersonalTextErased',
  schema: z.object({
    subject: z.string(),
    /** How many keys of the subject were destroyed, this one included. */
    times: z.int(),
    at: z.string(),
    by: z.string(),
  }),
});

export const erasureEvents = eventFamily(erased);
export type ErasureEvent = EventOf<typeof erased>;
