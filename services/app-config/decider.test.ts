import type { AppConfigEvent } from '../../contracts/events/app-config';
import type { JsonObject } from '../../contracts/json/json';
import { appConfigKind } from './decider';

const of = { name: 'app', network: 'mainnet' } as const;
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };

const published = (version: number, content: JsonObject, restores: number | null = null): AppConfigEvent => ({
  type: 'AppConfigPublished',
  data: { ...of, version, content, restores, at: metadata.now, by: metadata.actor },
});
const [short, long] = [{ txTimeout: 30, features: {} }, { txTimeout: 90 }];
const earlier = [published(1, short), published(2, long)];

const { initial, evolve, decide } = appConfigKind.decider;
const when = (events: readonly AppConfigEvent[], command: Omit<Parameters<typeof decide>[1], 'metadata'>) =>
  decide(events.reduce(evolve, initial()), { ...command, metadata } as Parameters<typeof decide>[1]);
const publish = (content: JsonObject) => ({ type: 'publish', ...of, content }) as const;
const rollBack = (to: number) => ({ type: 'rollBack', to }) as const;

it.each([
  ['is published as version 1', [], publish(short), [published(1, short)]],
  ['is published as the next version', earlier, publish(short), [published(3, short)]],
  ['is not published again', earlier, publish(long), []],
  [
    'is the same in another order of its keys',
    [published(1, short)],
    publish({ features: {}, txTimeout: 30 }),
    [],
  ],
  ['is rolled back by a new version', earlier, rollBack(1), [published(3, short, 1)]],
  ['is not rolled back to what is in force', earlier, rollBack(2), []],
])('a document %s', (_what, events, command, expected) => {
  expect(when(events, command)).toEqual(expected);
});

it.each([0, 3])('there is no version %d to roll back to', to => {
  expect(when(earlier, rollBack(to))).toMatchObject({ refused: true, code: 'app_config_not_found' });
});
