import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beginCell, Cell, Dictionary, Slice } from '@ton/core';
import { onChainContent } from '../../../infra/devnet/ton/token-content';
import { chunkedValue, contentOfValues, offChainContent, snakeValue } from '../../../test/ton/token-content';
import { runs } from '../../../test/random';
import { imageInContent, tokenContentOf } from './token-content';

const snake = (text: string | Buffer, prefix = true): Cell => {
  const builder = prefix ? beginCell().storeUint(0, 8) : beginCell();
  return builder.storeStringTail(text.toString()).endCell();
};
const text = {
  name: 'Dollar',
  symbol: 'USD',
  description: 'long '.repeat(100).trim(),
  image: 'https://a.example/i',
};

it('reads attributes on the chain, long ones over several cells', () => {
  expect(tokenContentOf(onChainContent({ ...text, decimals: 6 }))).toEqual({
    kind: 'onchain',
    uri: null,
    attributes: { ...text, decimals: 6, customPayloadApiUri: null, mintlessMerkleDumpUri: null },
  });
});

it('reads where the document is, alone or beside attributes', () => {
  const uri = 'https://tokens.example/' + 'x'.repeat(300);
  expect(tokenContentOf(offChainContent(uri))).toMatchObject({ kind: 'offchain', uri });
  const semiChain = { ...text, decimals: 0, uri };
  expect(tokenContentOf(onChainContent(semiChain))).toMatchObject({
    kind: 'semichain',
    uri,
    attributes: { decimals: 0 },
  });
});

it('reads values in chunks', () => {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  chunks.set(0, snake('Chun', false)).set(1, snake('ked', false));
  const name = beginCell().storeUint(1, 8).storeDict(chunks).endCell();
  expect(tokenContentOf(contentOfValues({ name })).attributes.name).toBe('Chunked');
});

it('reads values that are in the dictionary itself', () => {
  const inline = {
    serialize: (cell: Cell, b: ReturnType<typeof beginCell>) => b.storeSlice(cell.beginParse()),
    parse: () => Cell.EMPTY,
  };
  const attributes = Dictionary.empty(Dictionary.Keys.Buffer(32), inline);
  attributes.set(createHash('sha256').update('symbol').digest(), snake('IN'));
  const content = beginCell().storeUint(0, 8).storeDict(attributes).endCell();
  expect(tokenContentOf(content).attributes.symbol).toBe('IN');
});

describe('an image that the content itself contains', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000, 7)]);
  const svg = '<?xml version="1.0"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"/>';
  const digest = (image: Buffer | string): string =>
    createHash('sha256').update(image).digest('hex').slice(0, 32);
  const image = snakeValue('https://a.example/i');

  it.each([
    ['in snake format', { image_data: snakeValue(png) }, png],
    ['in chunks', { image_data: chunkedValue(png) }, png],
    ['as SVG', { image_data: snakeValue(svg) }, svg],
    ['as base64', { image_data: snakeValue(png.toString('base64')) }, png],
    ['as a URL', { image_data: snakeValue(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`) }, svg],
    ['in place of its URL', { image: snakeValue(`data:image/png;base64,${png.toString('base64')}`) }, png],
  ])('is known %s', (_how, values, expected) => {
    const cell = contentOfValues(values);
    expect(tokenContentOf(cell).attributes).toMatchObject({ image: null, imageDigest: digest(expected) });
    expect(imageInContent(cell)).toEqual(Buffer.from(expected));
  });

  it('is beside the URL of another', () => {
    const cell = contentOfValues({ image, image_data: snakeValue(png) });
    expect(tokenContentOf(cell).attributes).toMatchObject({
      image: 'https://a.example/i',
      imageDigest: digest(png),
    });
  });

  it.each([
    ['is none', snakeValue('<html><svg/></html>')],
    ['declares entities', snakeValue('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')],
    ['has too many bytes', chunkedValue(Buffer.concat([png, Buffer.alloc(256 * 1024)]))],
    ['lacks a chunk', beginCell().storeUint(1, 8).storeBit(false).endCell()],
  ])('is left out when it %s', (_what, value) => {
    const cell = contentOfValues({ image, image_data: value });
    expect(tokenContentOf(cell).attributes).toMatchObject({ image: 'https://a.example/i' });
    expect(tokenContentOf(cell).attributes).not.toHaveProperty('imageDigest');
    expect(imageInContent(cell)).toBeNull();
  });
});

/**
 * Nodes without a label (hml_short), each with the same node on both sides: so many forks are 2^forks attributes.
 * @param leaf what is below them all
 */
function doublingDictionary(forks: number, leaf: Cell): Cell {
  let node = leaf;
  for (let bit = 0; bit < forks; bit++)
    node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
  return beginCell().storeUint(0, 8).storeBit(1).storeRef(node).endCell();
}
const endlessDictionary = (): Cell =>
  doublingDictionary(256, beginCell().storeUint(0, 2).storeRef(snake('x')).endCell());

/** One label (hml_same, of zeros) for all that is left of the keys, and its value beside it. */
const dictionaryOfFewBytes = (forks: number): Cell =>
  doublingDictionary(
    forks,
    beginCell()
      .storeUint(0b110, 3)
      .storeUint(256 - forks, Math.ceil(Math.log2(257 - forks)))
      .storeUint(0, 8)
      .endCell(),
  );

it('is read at the cost of what was sent: few bytes are no thousands of attributes', () => {
  const few = dictionaryOfFewBytes(11);
  expect(few.toBoc().length).toBeLessThan(100);
  const reads = jest.spyOn(Slice.prototype, 'loadRef');
  expect(tokenContentOf(few)).toMatchObject({ kind: 'unreadable' });
  const ofFew = reads.mock.calls.length;
  reads.mockClear();
  const image = Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * n) % 251));
  const honest = contentOfValues({ name: snake('Honest'), image_data: chunkedValue(image) });
  expect(tokenContentOf(honest).attributes.name).toBe('Honest');
  const ofHonest = reads.mock.calls.length;
  reads.mockRestore();
  expect(ofFew).toBeLessThan(20);
  expect(ofHonest).toBeGreaterThan(500);
});

it.each([
  ['an unknown prefix', beginCell().storeUint(0x68, 8).storeStringTail('ttps://a.example').endCell()],
  ['nothing', Cell.EMPTY],
  ['a prefix alone', beginCell().storeUint(1, 8).endCell()],
  ['no dictionary', beginCell().storeUint(0, 8).storeUint(5, 3).endCell()],
  [
    'a URI that is not UTF-8',
    beginCell()
      .storeUint(1, 8)
      .storeBuffer(Buffer.from([0xff, 0xfe]))
      .endCell(),
  ],
  ['a dictionary whose few cells are used without end', endlessDictionary()],
  ['an endless URI', offChainContent('https://a.example/' + 'x'.repeat(40_000))],
])('cannot read content of %s', (_what, cell) => {
  expect(tokenContentOf(cell)).toMatchObject({ kind: 'unreadable', uri: null, attributes: { name: null } });
});

it.each([
  ['an unknown format', 'name', beginCell().storeUint(7, 8).storeStringTail('x').endCell()],
  [
    'no UTF-8',
    'name',
    beginCell()
      .storeUint(0, 8)
      .storeBuffer(Buffer.from([0xc3, 0x28]))
      .endCell(),
  ],
  ['decimals that are none', 'decimals', snake('1e3')],
  ['too many decimals', 'decimals', snake('256')],
  ['a missing chunk', 'name', beginCell().storeUint(1, 8).storeBit(false).endCell()],
  ['control characters alone', 'symbol', snake('\u0001\u0000')],
])('leaves out a value with %s, and reads the others', (_what, name, value) => {
  const { attributes } = tokenContentOf(
    contentOfValues({ image: snake('https://a.example/i'), [name]: value }),
  );
  expect(attributes).toMatchObject({ [name]: null, image: 'https://a.example/i' });
});

it('never throws, and stores only text that is whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), bytes => {
      const name = beginCell()
        .storeUint(0, 8)
        .storeBuffer(Buffer.from(bytes.slice(0, 120)))
        .endCell();
      const { attributes } = tokenContentOf(contentOfValues({ name }));
      expect(attributes.name === null || Buffer.from(attributes.name).toString() === attributes.name).toBe(
        true,
      );
      tokenContentOf(beginCell().storeBuffer(Buffer.from(bytes)).endCell());
    }),
    runs(50),
  );
});
