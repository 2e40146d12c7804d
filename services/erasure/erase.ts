import type { CommandMetadata } from '../../contracts/decider';
import { erasureStream } from '../../contracts/events/erasure';
import type { Handle } from '../handle';
import { erasureKind } from './decider';
import type { SubjectKeys } from './keys';

/**
 * What an erasure came to: `erased` now; `erased before`, with nothing sealed since; or `nothing`, because no text of
 * the subject was ever sealed.
 */
export type Erased = 'erased' | 'erased before' | 'nothing';

/**
 * Makes every text that was sealed for a subject unreadable for good, and records that it happened. The key goes first:
 * what is recorded is true. Broken off in between, it is recorded by the next attempt. What is sealed for the subject
 * from then on has a key of its own, and can be read.
 */
export async function erase(
  { keys, handle }: { readonly keys: SubjectKeys; readonly handle: Handle },
  subject: string,
  metadata: CommandMetadata,
): Promise<Erased> {
  const time = await keys.destroy(subject);
  if (time === 0) return 'nothing';
  const outcome = await handle(erasureKind, erasureStream(subject), { subject, time, metadata });
  return outcome.refusal === null && outcome.events.length > 0 ? 'erased' : 'erased before';
}
