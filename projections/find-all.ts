import type { Document } from '../contracts/ports/documents';
import type { Views } from './views';

const PAGE = 1_000;

/** Every document of a collection that stays small, in the order of the ids. */
export async function findAll<D extends Document>(
  views: Pick<Views, 'scan'>,
  collection: string,
): Promise<D[]> {
  const all: D[] = [];
  for await (const page of views.scan<D>(collection, { limit: PAGE })) all.push(...page);
  return all;
}
