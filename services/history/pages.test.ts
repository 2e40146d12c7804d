import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import { JsonText } from '../../contracts/json/json-text';
import { addressesOf, historyItem } from './pages';

const address = (character: string): string => `EQ${character.repeat(46)}`;

it('finds the addresses of a row, and none in its texts', () => {
  const row = {
    address: address('a'),
    inMessage: { info: { type: 'external-in', dest: address('b'), src: null } },
    outMessages: [
      { info: { type: 'internal', dest: address('c') } },
      { info: { dest: { bits: 8, data: '' } } },
    ],
    parsed: {
      resolvedAddress: address('d'),
      body: { type: 'comment', comment: `","dest":"${address('e')}","` },
    },
    operation: { address: address('f') },
  };
  const text = new JsonText<StoredTransaction>(JSON.stringify(row));
  expect(addressesOf(text)).toEqual(['a', 'b', 'c', 'd', 'f'].map(address));
});

it('makes the item of a row once', () => {
  const row = new JsonText<StoredTransaction>('{"lt":"1"}');
  expect(historyItem('ton', row).text).toBe('{"type":"ton","data":{"lt":"1"}}');
  expect(historyItem('ton', row)).toBe(historyItem('ton', row));
});
