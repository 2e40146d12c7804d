import { beginCell, type Cell, TupleReader, type TupleItem } from '@ton/core';
import { GetMethodFailed } from '../../../../contracts/ports/ton-client';
import { webOf } from '../../../../test/doubles/public-web';
import { onChainContent } from '../../../devnet/ton/token-content';
import { jettonToList } from './jetton-to-list';
import { documentDecimals } from './read-master';

const NOW = 1_764_000_000;
const MASTER = `0:${'1'.repeat(64)}`;
const codeOf = (n: number): Cell => beginCell().storeUint(n, 8).endCell();
const hashOf = (n: number): string => codeOf(n).hash().toString('hex');
const [URI, DEAD] = ['https://jetton.example/about.json', 'https://jetton.example/gone.json'] as const;
const web = webOf({ [URI]: JSON.stringify({ name: 'Jetton', decimals: '6' }) });

/** `0x01` and the URI of a document (TEP-64). */
const offChainContent = (uri: string): Cell => beginCell().storeUint(1, 8).storeStringTail(uri).endCell();

/** @param content null: there is no jetton; @param blockAt Unix seconds of the newest block */
function find(content: Cell | null, given?: number, blockAt = NOW): ReturnType<typeof jettonToList> {
  const client = {
    getLastBlock: async () => ({ seqno: 1, now: blockAt }),
    getAccount: async () => ({ code: codeOf(1) }) as never,
    async runMethod() {
      if (!content) throw new GetMethodFailed('get_jetton_data', 11);
      const numbers: TupleItem[] = [0n, -1n].map(value => ({ type: 'int', value }));
      const cells: TupleItem[] = [content, codeOf(2)].map(cell => ({ type: 'cell', cell }));
      return new TupleReader([...numbers, { type: 'null' }, ...cells]);
    },
  };
  const decimalsAt = documentDecimals(web, new AbortController().signal);
  return jettonToList({ client, decimalsAt, clock: () => new Date(NOW * 1_000) }, MASTER, given);
}

const onChain = (decimals?: number): Cell =>
  onChainContent({ name: 'Jetton', ...(decimals !== undefined && { decimals }) });

it.each<[string, Cell, number | undefined, number]>([
  ['its content says', onChain(6), undefined, 6],
  ['are given, and its content says the same', onChain(6), 6, 6],
  ['the document says that its content names', offChainContent(URI), undefined, 6],
  ['are given, where nothing says any', onChain(), 4, 4],
  ['are given, where the document cannot be read', offChainContent(DEAD), 4, 4],
])('a jetton has the decimals that %s, and its code', async (_, content, given, decimals) =>
  expect(await find(content, given)).toEqual({ decimals, code: { master: hashOf(1), wallet: hashOf(2) } }),
);

it.each<[string, Cell | null, number | undefined, string]>([
  ['there is none', null, 6, 'gasless_jetton_unknown'],
  ['its content says other decimals', onChain(6), 9, 'gasless_jetton_decimals'],
  ['its document says other decimals', offChainContent(URI), 9, 'gasless_jetton_decimals'],
  ['nothing says its decimals', onChain(), undefined, 'gasless_jetton_decimals'],
  ['its document cannot be read', offChainContent(DEAD), undefined, 'gasless_jetton_decimals'],
  ['it has more decimals than amounts here', onChain(30), undefined, 'gasless_jetton_decimals'],
])('a jetton is refused where %s', async (_, content, given, code) =>
  expect(find(content, given)).rejects.toMatchObject({ code }),
);

it('what nodes say that are behind is not recorded', async () => {
  expect(await find(onChain(6), undefined, NOW - 120)).toMatchObject({ decimals: 6 });
  await expect(find(onChain(6), undefined, NOW - 121)).rejects.toThrow('The nodes are behind');
});
