import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodb } from '../../servers/mongodb';
import { run } from '../child';
import type { Taken } from '../cpu-clock';
import { figure, paired } from '../figure';
import { interleave } from '../interleave';
import type { Row } from '../row';

/**
 * How soon the revenue report has all fees of an import with the documents in MongoDB; the floor has them in SQLite. With
 * `MONGODB_URL` on the server there. Otherwise on a stand-in: the ratio then shows that it works, and compares two versions of the
 * adapter on the same machine, but says nothing of the speed of MongoDB.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const rounds = sized({ full: 3, quick: 1, smallest: 1 });
  const fees = sized({ full: 20_000, quick: 5_000, smallest: 200 });
  const given = process.env['MONGODB_URL'];
  const standIn = given ? null : await mongodb.start(join(folder, 'mongodb'));
  const url = given ?? standIn!.url;
  const data = join(folder, 'data');

  /** Events per second, of a new ledger whose fees were imported while no program ran. */
  const caughtUp = async (where: 'mongodb' | 'sqlite', env: NodeJS.ProcessEnv): Promise<number> => {
    rmSync(data, { recursive: true, force: true });
    const options = { env: { ...process.env, ...env, DATA_DIR: data } };
    const prepared = run('programs/prepare-import', [String(fees), where], options);
    const total = await prepared.next<number>();
    await prepared.ended();
    const child = run('programs/catch-up', [String(total), where], options);
    const { seconds } = await child.next<Taken>();
    await child.ended();
    return total / seconds;
  };

  const client = new MongoClient(url);
  try {
    say(`${standIn ? 'a stand-in' : 'MongoDB'}: importing ${fees} fees, and catching up`);
    const rates = await interleave(rounds, {
      async mongodb() {
        const database = `tidemark-bench-${randomUUID()}`;
        const MONGODB_URL = url.replace(/^([^/]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/${database}`);
        try {
          return await caughtUp('mongodb', { MONGODB_URL });
        } finally {
          await client.db(database).dropDatabase();
        }
      },
      sqlite: () => caughtUp('sqlite', { MONGODB_URL: undefined }),
    });
    const what = `report of ${fees.toLocaleString('en')} imported fees, in MongoDB: to SQLite`;
    const note = standIn
      ? `a STAND-IN, ${standIn.version}: not the speed of MongoDB`
      : 'the MongoDB of MONGODB_URL';
    return [figure({ what, unit: 'events/s', note }, paired(rates.mongodb, rates.sqlite))];
  } finally {
    await client.close();
    await standIn?.stop();
  }
};
