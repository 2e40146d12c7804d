import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NewEvent } from '../../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { figure, paired, type Figure } from '../figure';
import { openRawFile } from '../floors/raw-file';
import { openRawSqlite, type Portion } from '../floors/raw-sqlite';
import { interleave, rate } from '../interleave';
import type { Row, Setting } from '../row';

const STREAMS = 10_000;
const COMMIT = 100;
const PAYLOAD = 300;
const ROUNDS = 20;

const nameOf = (stream: number): string => `bench-${stream}`;
const filler = randomBytes(1 << 20).toString('base64');

/** 300 bytes of JSON, mostly incompressible. */
function event(n: number): NewEvent {
  const head = `{"n":${n},"filler":""}`.length;
  const at = (n * 97) % (filler.length - PAYLOAD);
  return { id: randomUUID(), type: 'Measured', data: { n, filler: filler.slice(at, at + PAYLOAD - head) } };
}

interface Commit {
  readonly portions: readonly Portion[];
  /** Revision of the streams before it; -1 when they do not exist. */
  readonly revision: number;
}

/** Commits of a hundred events each, to the streams in rotation: `spread` streams have a part in each commit. */
function commits(first: number, events: number, spread: number): Commit[] {
  const share = COMMIT / spread;
  return Array.from({ length: events / COMMIT }, (_, i) => {
    const place = first / share + i * spread;
    const portions = Array.from({ length: spread }, (__, k) => ({
      stream: nameOf((place + k) % STREAMS),
      events: Array.from({ length: share }, (___, j) => event(first + i * COMMIT + k * share + j)),
    }));
    return { portions, revision: Math.floor(place / STREAMS) * share - 1 };
  });
}

async function measure({ sized, folder, say }: Setting, spread: number, what: string): Promise<Figure[]> {
  const total = sized({ full: 1_000_000, quick: 100_000, smallest: 4_000 });
  const each = total / ROUNDS;
  const file = (kind: string): string => join(folder, `${kind}-${spread}`);
  const store = openSqliteEventStore({ path: file('store') });
  const sqlite = openRawSqlite(file('sqlite'));
  const lines = openRawFile(file('lines'));
  say(`${total} events, ${what}`);

  const eventsOf = (round: number): Commit[] => commits(round * each, each, spread);
  const { ours, raw, written } = await interleave(ROUNDS, {
    ours: round => {
      const given = eventsOf(round);
      return rate(each, async () => {
        for (const { portions, revision } of given) {
          const expected = revision < 0 ? 'no_stream' : revision;
          await Promise.all(portions.map(({ stream, events }) => store.append(stream, expected, events)));
        }
      });
    },
    raw: round => {
      const given = eventsOf(round);
      return rate(each, () => given.forEach(({ portions }) => sqlite.commit(portions)));
    },
    written: round => {
      const given = eventsOf(round);
      return rate(each, () => given.forEach(({ portions }) => lines.commit(portions)));
    },
  });
  const counts = [(await store.head()) + 1, sqlite.count()];
  if (counts.some(count => count !== total)) throw new Error(`stored ${counts.join(' and ')} of ${total}`);
  await store.close();
  sqlite.close();
  lines.close();
  return [
    figure({ what: `append, ${what}: to raw SQLite`, unit: 'events/s' }, paired(ours, raw), {
      of: 'ratio',
      atLeast: 0.9,
    }),
    figure({ what: `append, ${what}: to a raw file`, unit: 'events/s' }, paired(ours, written), {
      of: 'ratio',
      atLeast: 0.4,
    }),
  ];
}

/**
 * Durable appends, 100 events a commit, by 10,000 streams in rotation: all hundred to one stream, and one to each of a
 * hundred streams, which are a hundred appends at once. All three start from the same events as objects.
 */
export const row: Row = async setting => [
  ...(await measure(setting, 1, '100 to a stream')),
  ...(await measure(setting, COMMIT, '1 to each of 100')),
];
