import { withProgress } from './progress';

/** What is written to a stderr that is a terminal, or none. */
async function writtenOn(
  isTTY: boolean,
  options: { json: boolean },
  ends: 'well' | 'badly',
): Promise<string> {
  const before = process.stderr.isTTY;
  let text = '';
  const write = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation(part => ((text += String(part)), true));
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
  try {
    await withProgress('fees', options, async progress => {
      progress.at(0, 300);
      progress.at(296, 300);
      if (ends === 'badly') throw new Error('disk full');
    }).catch(() => undefined);
  } finally {
    Object.defineProperty(process.stderr, 'isTTY', { value: before, configurable: true });
    write.mockRestore();
  }
  return text;
}

test('a bar of complete work ends at 100 %', async () => {
  expect(await writtenOn(true, { json: false }, 'well')).toMatch(/100% \| 300\/300[^%]*$/);
});

test('a bar of failed work does not', async () => {
  const text = await writtenOn(true, { json: false }, 'badly');
  expect(text).toContain('fees');
  expect(text).not.toContain('100%');
});

test.each([
  [false, { json: false }],
  [true, { json: true }],
])('nothing is written with a terminal: %j, and %j', async (isTTY, options) => {
  expect(await writtenOn(isTTY, options, 'well')).toBe('');
});
