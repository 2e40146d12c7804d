import { ClientSession, Collection } from 'mongodb';
import { openMongoDocuments } from '../../../infra/engines/documents/mongodb/mongodb-documents';
import { createLocalWakeUps } from '../../../infra/engines/wake-ups/local';
import { until } from '../../until';
import { play } from './script';

/** Runs the script, and kills itself at its n-th write to MongoDB: before it is sent, or once it is answered. */
const [url, database, nth, when] = process.argv.slice(2) as [string, string, string, 'before' | 'after'];

let writes = 0;
const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const makeMortal = (methods: Record<string, Method>, names: readonly string[]): void => {
  for (const name of names) {
    const write = methods[name]!;
    methods[name] = async function (...args) {
      const mortal = ++writes === Number(nth);
      if (mortal && when === 'before') await die();
      const answer = write.apply(this, args);
      // A refusal is an answer too: a writer that survived it would be taken for one of fewer writes.
      if (mortal) await Promise.allSettled([answer]).then(die);
      return answer;
    };
  }
};

makeMortal(Collection.prototype as unknown as Record<string, Method>, [
  'insertOne',
  'insertMany',
  'updateOne',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
  'createIndex',
]);
makeMortal(ClientSession.prototype as unknown as Record<string, Method>, ['commitTransaction']);

void (async () => {
  const documents = await until(() => {
    // Each try starts from nothing: a write of one that failed must not count.
    writes = 0;
    return openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() });
  });
  await play(documents);
  await documents.close();
})();
