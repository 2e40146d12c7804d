import type { Row, Setting, Size } from './row';

/** Program: measures the row of its argument in a folder, and sends the figures to the parent. */
async function main(name: string, size: Size, folder: string): Promise<void> {
  const { row } = (await import(`./rows/${name}.js`)) as { row: Row };
  const say = (text: string): boolean => process.stderr.write(`  ${name}: ${text}\n`);
  const sized: Setting['sized'] = amounts => amounts[size];
  process.send!(await row({ sized, folder, say }));
}

main(process.argv[2]!, process.argv[3] as Size, process.argv[4]!).then(
  () => process.disconnect(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
