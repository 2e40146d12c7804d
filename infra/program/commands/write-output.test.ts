import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeOutput } from './write-output';

it('names the option and the file that cannot be written', async () => {
  const file = join(tmpdir(), 'no-such-folder', 'ledger.ndjson');
  async function* text() {
    yield 'a';
  }
  const writing = writeOutput(text(), file, new AbortController().signal);
  await expect(writing).rejects.toThrow(`--output ${file}: it cannot be written (ENOENT)`);
});
