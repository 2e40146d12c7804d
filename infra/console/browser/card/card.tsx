import { useMemo, useState } from 'preact/hooks';
import { Problem } from '../elements/problem';
import { linkTo, type Route } from '../route';
import { cardNetwork, signOut } from '../session';
import { useToken } from '../use-token';
import { Account } from './account';
import { ask } from './calls';
import { CardChanges, useLive } from './changes';
import { Challenge } from './challenge';
import { OneCard } from './one-card';
import { Overview } from './overview';
import { SignIn } from './sign-in';
import { State } from './state';
import { Stream } from './stream';
import { useUpdates } from './updates';

/** The whole life of a card, as its holder drives it. */
export function Card({ route }: { readonly route: Route }) {
  const token = useToken('card');
  return token === null ? <SignIn /> : <Holder token={token} route={route} />;
}

function Holder({ token, route }: { readonly token: string; readonly route: Route }) {
  const updates = useUpdates(token);
  const [own, setOwn] = useState(0);
  const changes = useMemo(
    () => ({ version: `${own} ${updates.changes}`, changed: () => setOwn(last => last + 1) }),
    [own, updates.changes],
  );
  return (
    <CardChanges.Provider value={changes}>
      <nav aria-label="Card">
        <a href={linkTo('card')} aria-current={route.length === 0 ? 'page' : undefined}>
          Overview
        </a>
        <span class="muted">{cardNetwork()}</span>
        <button type="button" onClick={() => signOut('card')}>
          Sign out
        </button>
      </nav>
      <State />
      <Challenge />
      <Listed route={route} />
      <Stream of={updates} />
    </CardChanges.Provider>
  );
}

/** What is listed, or one of it. */
function Listed({ route: [kind, id] }: { readonly route: Route }) {
  const { value, error } = useLive(() => ask('/v2/account/list', {}));
  if (!value) return <Problem error={error} />;
  const { list, prepaidCards } = value;
  const account = kind === 'account' && list.find(each => each.id === id);
  const card =
    kind === 'card' &&
    [...list.flatMap(each => (each.type === 'crypto' ? each.cards : [])), ...prepaidCards].find(
      each => each.id === id,
    );
  return (
    <>
      <Problem error={error} />
      {card && <OneCard key={card.id} card={card} accounts={list} />}
      {account && <Account key={account.id} account={account} />}
      {!card && !account && <Overview accounts={list} prepaidCards={prepaidCards} />}
    </>
  );
}
