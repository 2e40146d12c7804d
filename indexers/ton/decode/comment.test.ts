import { beginCell, comment, type Cell } from '@ton/core';
import fc from 'fast-check';
import { textComment } from './comment';
import { runs } from '../../../test/random';

const read = (cell: Cell): string | null => textComment(cell.beginParse());

describe('text comments', () => {
  it('are read in any length and script', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme' }).filter(text => !text.includes('\0')),
        text => {
          expect(read(comment(text))).toBe(Buffer.from(text).toString());
        },
      ),
      runs(100),
    );
  });

  it('may split a character at the end of a cell', () => {
    const [first, second] = [Buffer.from('€').subarray(0, 1), Buffer.from('€').subarray(1)];
    const body = beginCell()
      .storeUint(0, 32)
      .storeBuffer(first)
      .storeRef(beginCell().storeBuffer(second).endCell())
      .endCell();
    expect(read(body)).toBe('€');
  });

  it('replace what is not UTF-8', () => {
    const body = beginCell()
      .storeUint(0, 32)
      .storeBuffer(Buffer.from([0x61, 0xff, 0x62]))
      .endCell();
    expect(read(body)).toBe('a\ufffdb');
  });

  it.each([
    ['another operation', beginCell().storeUint(1, 32).endCell()],
    ['a body shorter than an operation', beginCell().storeUint(0, 31).endCell()],
    ['nothing behind the operation', beginCell().storeUint(0, 32).endCell()],
    ['half a byte', beginCell().storeUint(0, 32).storeUint(6, 4).endCell()],
  ])('are not read from %s', (_what, body) => {
    expect(read(body)).toBeNull();
  });
});
