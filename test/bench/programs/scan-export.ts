import { join } from 'node:path';
import { readLines } from '../../../infra/verifier/export-lines';

/** Program: reads an export and parses every line; reports lines a second and peak memory. */
async function main(folder: string): Promise<void> {
  const began = performance.now();
  let count = 0;
  for await (const { lines } of readLines(join(folder, 'export.ndjson')))
    for (const line of lines) {
      JSON.parse(line.toString());
      count++;
    }
  const rate = (count / (performance.now() - began)) * 1_000;
  process.send!({ rate, peak: process.resourceUsage().maxRSS / 1_024 });
  process.disconnect();
}

void main(process.argv[2]!);
