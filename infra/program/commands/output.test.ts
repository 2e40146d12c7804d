import { Command } from 'commander';
import { runCommand } from '../../../test/command-line';
import type { Config } from '../../config/settings';
import { printTable } from './output';

async function* numbers(count: number): AsyncIterable<number> {
  for (let n = 0; n < count; n++) yield n;
}

const list = (count: number) => (): Command =>
  new Command('list').action((_: object, command: Command) =>
    printTable(
      'numbers',
      numbers(count),
      ['NUMBER', 'TWICE'],
      n => [String(n), n === 1_500 ? '' : String(2 * n)],
      command,
    ),
  );
const run = (count: number, ...words: string[]): Promise<string> =>
  runCommand([list(count)], () => ({}) as Config, [...words, 'list']);

test.each([1, 999, 1_000, 1_001, 2_500])(
  'a table of %i results has each once, under one header',
  async count => {
    const lines = (await run(count)).split('\n').slice(0, -1);
    expect(lines).toHaveLength(count + 1);
    expect(lines[0]).toBe('NUMBER  TWICE');
    for (let n = 0; n < count; n++)
      expect(lines[n + 1]).toBe(n === 1_500 ? '1500' : `${String(n).padEnd(6)}  ${2 * n}`);
  },
);

test('no results are a line that says so, and no header', async () => {
  expect(await run(0)).toBe('no numbers\n');
  expect(await run(0, '--json')).toBe('');
});

test('with --json each result is a line', async () => {
  expect(await run(3, '--json')).toBe('0\n1\n2\n');
});
