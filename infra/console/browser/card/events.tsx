import { useState } from 'preact/hooks';
import type { CardEventView } from '../../../../contracts/http/card/accounts';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { ask } from './calls';
import { useLive } from './changes';
import { describeEvent } from './describe-event';
import type { AnyAccount } from './overview';

const PAGE = 20;

interface EventsProps {
  readonly cardId: string;
  readonly accounts: readonly AnyAccount[];
}

/** What happened to a card and its account, newest first. */
export function Events({ cardId, accounts }: EventsProps) {
  const [cursor, setCursor] = useState<string | null>(null);
  const { value, error } = useLive(
    () => ask('/v2/card/events', { cardId, limit: PAGE, cursor }),
    [cardId, cursor],
  );
  const columns = [
    { title: 'At', isDate: true, show: ({ time }: CardEventView) => toSecond(new Date(time).toISOString()) },
    { title: 'Event', show: ({ type }: CardEventView) => <code>{type}</code> },
    { title: 'What', show: (event: CardEventView) => describeEvent(event, accounts) },
  ];
  return (
    <>
      <h3>Events</h3>
      <Problem error={error} />
      {value && (
        <>
          <Table caption="Newest first" rows={value.data.events} keyOf={({ id }) => id} columns={columns} />
          <div class="actions">
            {cursor !== null && (
              <button type="button" onClick={() => setCursor(null)}>
                Newest
              </button>
            )}
            {value.data.more && (
              <button type="button" onClick={() => setCursor(value.data.cursor)}>
                Older
              </button>
            )}
          </div>
        </>
      )}
    </>
  );
}
