import { watchEvents } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network';
import type { RecordedEvent } from '../../contracts/ports/event-store';

type TonAccountRef = Extract<AccountRef, { chain: 'ton' }>;

/** The account that an event of the category `watch` names, when it is one of TON. */
export function watchedTonAccount(event: RecordedEvent): TonAccountRef | null {
  const { data } = watchEvents.read(event);
  return data.chain === 'ton' ? data : null;
}
