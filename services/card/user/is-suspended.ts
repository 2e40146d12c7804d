import { cardUserStream } from '../../../contracts/events/card-user';
import type { EventStore } from '../../../contracts/ports/event-store';
import { load } from '../../commands/load';
import { cardUserKind } from './decider';

/** Whether nothing may be authorised for a card holder, as its stream says now: nothing is for who is not one. */
export async function isCardUserSuspended(
  store: Pick<EventStore, 'readStream'>,
  userId: string,
): Promise<boolean> {
  return (await load(store, cardUserKind, cardUserStream(userId)))?.suspended ?? true;
}
