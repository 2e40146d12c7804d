import { describeDocuments } from '../contracts/documents';
import { InMemoryDocuments, StoredDocuments } from './documents';

const places = new Map<string, StoredDocuments>();

describeDocuments('memory', async place => {
  if (!places.has(place)) places.set(place, new StoredDocuments());
  return new InMemoryDocuments(places.get(place));
});
