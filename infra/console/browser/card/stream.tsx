import { toSecond } from '../elements/instant';
import { Table } from '../elements/table';
import type { ReceivedUpdate, Updates } from './updates';

const COLUMNS = [
  { title: 'At', isDate: true, show: (update: ReceivedUpdate) => toSecond(update.at) },
  { title: 'What may have changed', show: (update: ReceivedUpdate) => <code>{update.type}</code> },
];

/** The stream of updates as it arrives. */
export function Stream({ of: { isConnected, received } }: { readonly of: Updates }) {
  return (
    <section aria-labelledby="stream">
      <h2 id="stream">Updates</h2>
      <p role="status">
        {isConnected ? 'Connected: what changes is shown here and read again.' : 'Not connected.'}
      </p>
      <Table caption="Newest first" rows={received} keyOf={({ id }) => String(id)} columns={COLUMNS} />
    </section>
  );
}
