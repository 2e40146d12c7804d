import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of erasures: `erasure-<subject>`, one per subject that ever had its texts erased. */
export const ERASURE_CATEGORY = 'erasure';

export function erasureStream(subject: string): string {
  return `${ERASURE_CATEGORY}-${subject}`;
}

// This type is the storage format.
const erased = eventType({
  name: 'PersonalTextErased',
  schema: z.object({
    subject: z.string(),
    /** How often it has happened to the subject, this time included. */
    time: z.int(),
    at: z.string(),
    by: z.string(),
  }),
});

export const erasureEvents = eventFamily(erased);
export type ErasureEvent = EventOf<typeof erased>;
