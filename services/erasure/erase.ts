import type { CommandMetadata } from '../../contracts/decider';
import { erasureStream } from '../../contracts/events/erasure';
import type { Handle } from '../commands/handle';
import { erasureKind } from './decider';
import type { SubjectKeys } from '../personal-texts/keys';

/**
 * `erased`: by this command. `erased_before`: by an earlier one, and nothing was encrypted since. `nothing_to_erase`: no
 * text of the subject was ever encrypted, or all are gone with their age and the key with them.
 */
export type ErasureOutcome = 'erased' | 'erased_before' | 'nothing_to_erase';

/**
 * Makes every text encrypted for a subject permanently unreadable, and records it. The key is destroyed first, so that no
 * erasure is recorded that did not happen; after a crash in between the next attempt records it. Texts encrypted for the
 * subject later get a new key and are readable.
 */
export async function erase(
  { keys, handle }: { readonly keys: SubjectKeys; readonly handle: Handle },
  subject: string,
  metadata: CommandMetadata,
): Promise<ErasureOutcome> {
  const times = await keys.destroy(subject);
  if (times === 0) return 'nothing_to_erase';
  const outcome = await handle(erasureKind, erasureStream(subject), { subject, times, metadata });
  return outcome.refusal === null && outcome.events.length > 0 ? 'erased' : 'erased_before';
}
