import { MAX_KEPT, pruneRuns } from './prune';
import { openIssuerStore, type IssuerStore, type Message } from './store';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

function addRun(store: IssuerStore, play: string, rest: Partial<Message> = {}): void {
  store.put('play', play, { play, network: 'mainnet', approved: null, confirmed: null });
  store.put('challenge', `of-${play}`, { challengeId: `of-${play}`, play, expiresAt: NOW, confirmed: null });
  store.put('message', `to-${play}`, {
    id: `to-${play}`,
    play,
    dueAt: NOW - 1_000,
    body: '{}',
    only: null,
    times: 1,
    fault: null,
    attempts: 1,
    state: 'answered',
    answer: null,
    ...rest,
  });
}
const playsOf = (store: IssuerStore) => store.all('play').map(({ play }) => play);

it('runs that ended a day ago are removed, whatever waits to be sent is not', () => {
  const store = openIssuerStore(null);
  const old = { dueAt: NOW - DAY_MS - 1 };
  addRun(store, 'old', old);
  addRun(store, 'new');
  addRun(store, 'unsent', { ...old, state: 'waiting' });
  addRun(store, 'unanswered', { ...old, state: 'waiting', only: 'confirmed' });
  addRun(store, 'asked', { state: 'waiting', only: 'confirmed' });
  pruneRuns(store, NOW);
  expect(playsOf(store)).toEqual(['new', 'unsent', 'asked']);
  for (const kind of ['message', 'challenge'] as const) expect(store.all(kind)).toHaveLength(3);
  expect(store.waiting().map(({ play }) => play)).toEqual(['unsent', 'asked']);
  store.close();
});

it('of more runs than are kept the last ones are', () => {
  const store = openIssuerStore(null);
  for (let n = 0; n < MAX_KEPT + 5; n++) addRun(store, `run-${n}`, { dueAt: NOW - 10_000 + n });
  pruneRuns(store, NOW);
  expect(playsOf(store)).toEqual(Array.from({ length: MAX_KEPT }, (_, n) => `run-${n + 5}`));
  store.close();
});
