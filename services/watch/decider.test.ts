import type { WatchEvent } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { WithoutMetadata } from '../../contracts/decider';
import { watchKind, type WatchCommand } from './decider';

const account: AccountRef = { chain: 'ton', network: 'mainnet', address: `0:${'a1'.repeat(32)}` };
const DAY_MS = 86_400_000;
const EXPIRED = Date.parse('2026-03-01T12:00:00.000Z');
/** So many milliseconds after the end of the watch. */
const at = (ms: number): string => new Date(EXPIRED + ms).toISOString();

const watched: WatchEvent = {
  type: 'AccountWatched',
  data: { ...account, watch: 3, at: at(-DAY_MS), source: null },
};
const expired: WatchEvent = { type: 'WatchExpired', data: { ...account, watch: 3, at: at(0) } };
const started = (worker: string, ms: number): WatchEvent => ({
  type: 'HistoryRemovalStarted',
  data: { ...account, watch: 3, worker, until: at(ms + 120_000), at: at(ms) },
});
const removed = (ms: number): WatchEvent => ({
  type: 'HistoryRemoved',
  data: { ...account, watch: 3, at: at(ms) },
});

const times = { removeAfterMs: 90 * DAY_MS, claimMs: 120_000, graceMs: 60_000 };
const claim = (worker: string) => ({ type: 'claimRemoval', account, worker, ...times }) as const;
const end = (worker: string) => ({ type: 'endRemoval', account, worker }) as const;
const renewTimes = { renewAfterMs: 0, renewUnconfirmedAfterMs: 0 };
const watch = { type: 'watch', account, source: null, ...renewTimes } as const;
const renew = { type: 'renew', account, ...renewTimes } as const;

const { decider } = watchKind;
const given = (...events: readonly WatchEvent[]) => ({
  when: (command: WithoutMetadata<WatchCommand>, ms: number) => {
    const state = events.reduce((folded, event) => decider.evolve(folded, event), decider.initial());
    return decider.decide(state, { ...command, metadata: { now: at(ms), actor: 'test' } } as WatchCommand);
  },
});
const DUE = 90 * DAY_MS;
const REFUSED = { refused: true, code: 'not_ready' };

describe('removing the history of an account', () => {
  it('starts so long after its last watch has ended, not before', () => {
    expect(given(watched, expired).when(claim('one'), DUE)).toEqual([started('one', DUE)]);
    expect(given(watched, expired).when(claim('one'), DUE - 1)).toEqual([]);
  });

  it('starts from the end of the watch alone, which is all that is kept of it', () => {
    expect(given(expired).when(claim('one'), DUE)).toEqual([started('one', DUE)]);
  });

  it('never starts while the account is watched, was never watched, or when its history is removed', () => {
    const again: WatchEvent = { ...watched, data: { ...watched.data, watch: 4 } } as WatchEvent;
    const history = [watched, expired, started('one', DUE), removed(DUE)];
    for (const events of [[watched], [watched, expired, again], [], history, [removed(DUE)]])
      expect(given(...events).when(claim('one'), 1_000 * DAY_MS)).toEqual([]);
  });

  it('is the work of one worker, until so long after its claim has ended', () => {
    const claimed = given(watched, expired, started('one', DUE));
    expect(claimed.when(claim('two'), DUE + 1_000)).toEqual([]);
    expect(claimed.when(claim('two'), DUE + 180_000)).toEqual([]);
    expect(claimed.when(claim('two'), DUE + 180_001)).toEqual([started('two', DUE + 180_001)]);
  });

  it('keeps its claim for as long as it works, with few events', () => {
    const claimed = given(watched, expired, started('one', DUE));
    expect(claimed.when(claim('one'), DUE + 60_000)).toEqual([]);
    expect(claimed.when(claim('one'), DUE + 60_001)).toEqual([started('one', DUE + 60_001)]);
    expect(claimed.when(claim('one'), DUE + DAY_MS)).toEqual([started('one', DUE + DAY_MS)]);
  });

  it('is ended by the worker that has the claim alone', () => {
    const taken = given(watched, expired, started('one', DUE), started('two', DUE + 200_000));
    expect(taken.when(end('two'), DUE + 201_000)).toEqual([removed(DUE + 201_000)]);
    expect(taken.when(end('one'), DUE + 201_000)).toEqual([]);
    for (const events of [[], [watched], [watched, expired], [removed(DUE)]])
      expect(given(...events).when(end('one'), DUE)).toEqual([]);
  });

  it('refuses reads until it is over, by any worker and however long it takes', () => {
    for (const events of [[started('one', DUE)], [started('one', DUE), started('two', 2 * DUE)]])
      for (const command of [watch, renew])
        expect(given(watched, expired, ...events).when(command, 1_000 * DAY_MS)).toMatchObject(REFUSED);
  });

  it('leaves an account that is watched again with the next number', () => {
    const again = { ...account, watch: 4, source: null, at: at(DUE) };
    const expected = [{ type: 'AccountWatched', data: again }];
    for (const events of [[watched, expired], [removed(DUE)], [expired, started('one', DUE), removed(DUE)]]) {
      expect(given(...events).when(renew, DUE)).toEqual([]);
      expect(given(...events).when(watch, DUE)).toEqual(expected);
    }
  });
});
