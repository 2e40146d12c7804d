import { join } from 'node:path';
import { openDatabase } from '../../../infra/engines/sqlite/database';

const PAGE = 1_000;

/** Program: reads every event of a store in order and parses it, page by page; reports events a second and peak memory. */
function main(folder: string): void {
  const database = openDatabase(join(folder, 'events.sqlite'));
  const page = database.prepare<[position: number, data: string, metadata: string]>(
    'SELECT position, data, metadata FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  const began = performance.now();
  let events = 0;
  for (let after = -1; ;) {
    const rows = page.all([after, PAGE]);
    for (const [, data, metadata] of rows) {
      JSON.parse(data);
      JSON.parse(metadata);
    }
    events += rows.length;
    if (rows.length < PAGE) break;
    after = rows.at(-1)![0];
  }
  const rate = (events / (performance.now() - began)) * 1_000;
  database.close();
  process.send!({ rate, peak: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
}

main(process.argv[2]!);
