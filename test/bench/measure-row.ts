import { messageOf } from '../../contracts/text/error-message';
import type { Figure } from './figure';
import type { Row, Setting, Size } from './row';

/** What the parent is sent. */
export type Outcome = { readonly figures: readonly Figure[] } | { readonly failed: string };

const send = (outcome: Outcome): Promise<void> =>
  new Promise(resolve => process.send!(outcome, () => resolve()));

/** Program: measures the row of its argument in a folder, and sends the figures to the parent. */
async function main(name: string, size: Size, folder: string): Promise<void> {
  const { row } = (await import(`./rows/${name}.js`)) as { row: Row };
  const say = (text: string): boolean => process.stderr.write(`  ${name}: ${text}\n`);
  const sized: Setting['sized'] = amounts => amounts[size];
  await send({ figures: await row({ sized, folder, say }) });
}

void main(process.argv[2]!, process.argv[3] as Size, process.argv[4]!).then(
  () => process.disconnect(),
  async (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    await send({ failed: messageOf(error) });
    process.exit(1);
  },
);
