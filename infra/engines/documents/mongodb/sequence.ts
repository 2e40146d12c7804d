import type { Collection, Db } from 'mongodb';
import { SEQUENCE } from './stored-document';

/** Commit numbers, increasing across all clients. */
export interface Sequence {
  next(): Promise<number>;
}

export async function openSequence(db: Db): Promise<Sequence> {
  const sequence: Collection<{ _id: string; value: number }> = db.collection(SEQUENCE);
  await sequence.updateOne({ _id: 'commits' }, { $setOnInsert: { value: 0 } }, { upsert: true });
  return {
    next: async () => {
      const updated = await sequence.findOneAndUpdate(
        { _id: 'commits' },
        { $inc: { value: 1 } },
        { returnDocument: 'after' },
      );
      return updated!.value;
    },
  };
}
