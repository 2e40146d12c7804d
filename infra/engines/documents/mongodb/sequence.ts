import type { Collection, Db } from 'mongodb';
import { SEQUENCE } from './layout';

/** Numbers for commits: one that is asked for after another was given is greater, whoever asks. */
export interface Sequence {
  next(): Promise<number>;
}

export async function openSequence(db: Db): Promise<Sequence> {
  const sequence: Collection<{ _id: string; n: number }> = db.collection(SEQUENCE);
  await sequence.updateOne({ _id: 'commits' }, { $setOnInsert: { n: 0 } }, { upsert: true });
  return {
    next: async () => {
      const given = await sequence.findOneAndUpdate(
        { _id: 'commits' },
        { $inc: { n: 1 } },
        { returnDocument: 'after' },
      );
      return given!.n;
    },
  };
}
