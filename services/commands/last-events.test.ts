import {
  ADDRESS_WARNING_CATEGORY,
  addressWarningEvents,
  addressWarningStream,
  type AddressWarning,
} from '../../contracts/events/address-warning';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { createHandle } from './handle';
import { lastEvents } from './last-events';
import { addressWarningKind, type WarningCommand } from '../ton-config/decider';

const store = new InMemoryEventStore();
const handle = createHandle({ store });
const change = (type: WarningCommand['type'], digit: string, warning: AddressWarning) => {
  const about = { network: 'mainnet', address: `0:${digit.repeat(64)}` } as const;
  const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'ann' };
  const stream = addressWarningStream(about.network, about.address);
  return handle(addressWarningKind, stream, { type, ...about, warning, metadata });
};

it('reads the last event of each stream, or of each subject in it, oldest first', async () => {
  await change('add', 'a', 'spam');
  await change('add', 'b', 'spam');
  await change('add', 'a', 'restrict_send');
  await change('remove', 'a', 'spam');
  const shown = ({ type, data }: Awaited<ReturnType<typeof last>>[number]) =>
    `${type} ${data.address[2]} ${data.warning}`;
  const last = (keyOf?: (event: { readonly data: { readonly warning: string } }) => string) =>
    lastEvents(store, ADDRESS_WARNING_CATEGORY, addressWarningEvents, keyOf);

  expect((await last()).map(shown)).toEqual(['AddressWarningAdded b spam', 'AddressWarningRemoved a spam']);
  expect((await last(({ data }) => data.warning)).map(shown)).toEqual([
    'AddressWarningAdded b spam',
    'AddressWarningAdded a restrict_send',
    'AddressWarningRemoved a spam',
  ]);
});
