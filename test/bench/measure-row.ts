import type { Row } from './row';

/** Program: measures the row of its argument in a folder, and sends the figures to the parent. */
async function main(name: string, quick: boolean, folder: string): Promise<void> {
  const { row } = (await import(`./rows/${name}.js`)) as { row: Row };
  const say = (text: string): boolean => process.stderr.write(`  ${name}: ${text}\n`);
  process.send!(await row({ quick, folder, say }));
}

main(process.argv[2]!, process.argv[3] === 'quick', process.argv[4]!).then(
  () => process.disconnect(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
