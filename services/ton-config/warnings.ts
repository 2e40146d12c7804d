import {
  ADDRESS_WARNING_CATEGORY,
  addressWarningEvents,
  addressWarningStream,
  type AddressWarningEvent,
} from '../../contracts/events/address-warning';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Handle } from '../handle';
import { addressWarningKind, type WarningCommand } from './decider';

/** Adds or removes a warning. @returns whether that changed anything */
export async function changeWarning(handle: Handle, command: WarningCommand): Promise<boolean> {
  const stream = addressWarningStream(command.network, command.address);
  const outcome = await handle(addressWarningKind, stream, command);
  return outcome.refusal === null && outcome.events.length > 0;
}

export type Warning = AddressWarningEvent['data'];

/** Every warning in force, oldest first. */
export async function listWarnings(store: Pick<EventStore, 'readAll'>): Promise<Warning[]> {
  const inForce = new Map<string, Warning>();
  for await (const page of store.readAll({ categories: [ADDRESS_WARNING_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = addressWarningEvents.read(recorded);
      const key = `${data.network} ${data.address} ${data.warning}`;
      if (type === 'AddressWarningAdded') inForce.set(key, data);
      else inForce.delete(key);
    }
  return [...inForce.values()];
}
