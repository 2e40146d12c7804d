import { textOf, tiersOf } from './tiers';

it('reads a tier from each line, and writes it back', () => {
  const tiers = [
    { from: '0.00', rate: '0.05' },
    { from: '1000.00', rate: '0.10' },
  ];
  expect(tiersOf('0.00 0.05\n\n  1000.00\t0.10 \n')).toEqual(tiers);
  expect(tiersOf(textOf(tiers))).toEqual(tiers);
});

it('leaves what is no tier for the program to refuse', () => {
  expect(tiersOf('1000\n1 2 3')).toEqual([
    { from: '1000', rate: '' },
    { from: '1', rate: '2 3' },
  ]);
});
