import { differences, shortened } from './response-examples';

const transfer = { kind: 'transfer', amount: '1', asset: { type: 'ton' } };
const swap = { kind: 'swap', gave: '1', got: '2' };

it('shortens lists to the first item and one with other members', () => {
  expect(shortened({ page: 1, rows: [transfer, transfer, swap, transfer] })).toEqual({
    page: 1,
    rows: [transfer, swap],
  });
  expect(shortened([transfer, { ...transfer, amount: '2' }, transfer])).toHaveLength(2);
});

it('finds what a recorded answer lacks, and what it invents', () => {
  const live = { rows: [transfer, swap], total: 2, at: null };
  expect(differences({ rows: [swap], total: 1, at: 'today' }, live)).toEqual([]);
  expect(differences({ ...live, rows: [{ amount: '1' }] }, live)).toEqual(['/rows/0/kind is missing']);
  expect(differences({ rows: [swap], at: null }, live)).toEqual(['/total is missing']);
  expect(differences({ ...live, next: 'x' }, live)).toEqual(['/next is not in the answer']);
  const transfers = { ...live, rows: [transfer, transfer] };
  expect(differences({ ...live, rows: [{ ...transfer, asset: {} }] }, transfers)).toEqual([
    '/rows/0/asset/type is missing',
  ]);
  expect(differences({ ...live, rows: [] }, live)).toEqual(['/rows: no item']);
  expect(differences({ ...live, total: { day: 1 } }, live)).toEqual(['/total']);
  expect(differences({ id: 'x' }, { id: 'x', _id: 'x' })).toEqual([]);
});
