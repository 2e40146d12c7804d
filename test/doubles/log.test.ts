import { describeLog } from '../contracts/log';
import { InMemoryLog, StoredLog } from './log';

const places = new Map<string, StoredLog>();

describeLog('memory', async place => {
  if (!places.has(place)) places.set(place, new StoredLog());
  return new InMemoryLog(places.get(place));
});
