import { createHash } from 'node:crypto';
import { beginCell, Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { onChainContent } from '../../../infra/devnet/ton/jetton/content';
import { runs } from '../../../test/random';
import { readJettonContent } from './jetton-content';

const NOTHING = { content: null, name: null, symbol: null, image: null };
const METADATA = {
  name: 'Dollar',
  symbol: 'USDX',
  decimals: 6,
  description: '',
  image: 'https://x.org/i.png',
};

const onChain = (attributes: Readonly<Record<string, Cell>>): Cell => {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(attributes))
    dictionary.set(createHash('sha256').update(name).digest(), value);
  return beginCell().storeUint(0, 8).storeDict(dictionary).endCell();
};
const snake = (text: string): Cell => beginCell().storeUint(0, 8).storeStringTail(text).endCell();

it('reads on-chain content', () => {
  const { name, symbol, image } = METADATA;
  expect(readJettonContent(onChainContent(METADATA))).toEqual({
    content: { type: 'onchain' },
    name,
    symbol,
    image,
  });
});

it('reads a link, also one that is longer than a cell', () => {
  const link = `https://example.com/${'a'.repeat(300)}.json`;
  const content = beginCell().storeUint(1, 8).storeStringTail(link).endCell();
  expect(readJettonContent(content)).toEqual({ ...NOTHING, content: { type: 'offchain', link } });
});

it('reads chunked values', () => {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  chunks.set(0, beginCell().storeStringTail('Dol').endCell());
  chunks.set(1, beginCell().storeStringTail('lar').endCell());
  const value = beginCell().storeUint(1, 8).storeDict(chunks).endCell();
  expect(readJettonContent(onChain({ name: value }))).toMatchObject({ name: 'Dollar', symbol: null });
});

it('reads nothing from content of another form', () => {
  expect(readJettonContent(Cell.EMPTY)).toEqual(NOTHING);
  expect(readJettonContent(beginCell().storeUint(7, 8).endCell())).toEqual(NOTHING);
  expect(readJettonContent(beginCell().storeUint(1, 8).endCell())).toEqual(NOTHING);
  expect(readJettonContent(beginCell().storeUint(0, 8).storeBit(1).endCell())).toEqual(NOTHING);
});

it('keeps the other attributes when one is of another form', () => {
  const content = onChain({
    name: Cell.EMPTY,
    symbol: snake('USDX'),
    image: beginCell().storeUint(9, 8).endCell(),
  });
  expect(readJettonContent(content)).toEqual({
    content: { type: 'onchain' },
    name: null,
    symbol: 'USDX',
    image: null,
  });
});

it('cuts off long texts, and leaves out control characters', () => {
  const { name, symbol } = readJettonContent(
    onChain({ name: snake('x'.repeat(10_000)), symbol: snake('US\u0000D\u001bX\n') }),
  );
  expect(name).toHaveLength(2_048);
  expect(symbol).toBe('USDX');
});

it('never throws, and always yields text', () => {
  const bytes = fc.uint8Array({ maxLength: 100 });
  const cells = fc.letrec<{ cell: Cell }>(tie => ({
    cell: fc
      .tuple(fc.constantFrom(0, 1, 2), bytes, fc.array(tie('cell'), { maxLength: 2 }))
      .map(([type, data, refs]) => {
        const builder = beginCell().storeUint(type, 8).storeBuffer(Buffer.from(data));
        for (const ref of refs) builder.storeRef(ref);
        return builder.endCell();
      }),
  })).cell;
  fc.assert(
    fc.property(cells, value => {
      for (const content of [value, onChain({ name: value, image: value })]) {
        const { name, image } = readJettonContent(content);
        expect([name, image].every(text => text === null || text.length > 0)).toBe(true);
      }
    }),
    runs(200),
  );
});
