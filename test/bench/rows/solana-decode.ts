import type { LazyBlock, RawBlock } from '../../../indexers/solana/raw';
import { parseBlockResponse } from '../../../indexers/solana/raw-json';
import type { Scope } from '../../../indexers/solana/affected-accounts';
import { blockRecords } from '../../../indexers/solana/records';
import { figure, paired } from '../figure';
import { solanaBlock } from '../fill/solana-block';
import { interleave, rate } from '../interleave';
import type { Row } from '../row';

const BLOCKS = 2;
/** One in so many token owners of the blocks is watched, beside many accounts that are not in them. */
const WATCHED = 100;
const UNRELATED = 10_000;

interface Answer<Block> {
  readonly result: Block;
}

const parse = (text: string): Answer<RawBlock> => JSON.parse(text) as Answer<RawBlock>;

const ownersOf = (block: RawBlock): string[] =>
  block.transactions.flatMap(({ meta }) => meta?.preTokenBalances?.map(({ owner }) => owner!) ?? []);

/** From what a node answers, of blocks of real size, to records ready for the log, for some accounts and for all. */
export const row: Row = async ({ sized, say }) => {
  const texts = Array.from(
    { length: BLOCKS },
    (_, seed) => `{"jsonrpc":"2.0","result":${solanaBlock(seed)},"id":1}`,
  );
  const blocks = texts.map(text => parse(text).result);
  const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0);
  const owners = [...new Set(blocks.flatMap(ownersOf))];
  const unrelated = Array.from({ length: UNRELATED }, (_, n) => `unrelated-${n}`);
  const watched = new Set([...owners.filter((_, i) => i % WATCHED === 0), ...unrelated]);
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6 / BLOCKS;
  say(`${transactions} transactions in ${BLOCKS} blocks of ${megabytes.toFixed(1)} MB`);

  const countRecords = (scope: Scope): { readonly count: number; readonly bytes: number } => {
    let [count, bytes] = [0, 0];
    for (const text of texts) {
      const { result } = parseBlockResponse(text) as Answer<LazyBlock>;
      const { records, deadLetters } = blockRecords('mainnet', result, 'finalized', scope);
      if (deadLetters.length > 0) throw new Error(`${deadLetters.length} transactions could not be decoded`);
      for (const { value } of records) {
        count += 1;
        bytes += value.length;
      }
    }
    return { count, bytes };
  };
  const counts = [countRecords(watched), countRecords('all')];
  const { some, all, floor } = await interleave(sized({ full: 25, quick: 5, smallest: 1 }), {
    some: () => rate(transactions, () => countRecords(watched)),
    all: () => rate(transactions, () => countRecords('all')),
    floor: () => rate(transactions, () => texts.forEach(parse)),
  });
  const note = ({ count, bytes }: (typeof counts)[number]): string =>
    `${(count / transactions).toFixed(2)} records a transaction, ${(bytes / count / 1e3).toFixed(1)} kB each`;
  return [
    figure(
      { what: 'Solana decode, watched: to JSON.parse', unit: 'tx/s', note: note(counts[0]!) },
      paired(some, floor),
      { of: 'value', atLeast: 10_000 },
    ),
    figure(
      { what: 'Solana decode, all: to JSON.parse', unit: 'tx/s', note: note(counts[1]!) },
      paired(all, floor),
      { of: 'value', atLeast: 7_000 },
    ),
  ];
};
