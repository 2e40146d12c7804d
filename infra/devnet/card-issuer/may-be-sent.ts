import type { Message, Play } from './store';

/** Whether a message is sent when it is due; null while that is not known. */
export function mayBeSent({ only }: Message, { approved, confirmed }: Play): boolean | null {
  if (only === null) return true;
  if (only === 'confirmed') return confirmed;
  if (approved === null) return confirmed === false ? false : null;
  return approved === (only === 'approved');
}
