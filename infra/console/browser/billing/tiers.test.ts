import type { ProblemDocument } from '../../../../contracts/problem/problem';
import { Refusal } from '../refusal';
import { byLine, textOf, tiersOf } from './tiers';

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

it('says on which line a tier is that was refused', () => {
  const problem = {
    detail: '/body/tiers/1/from: too much',
    errors: [
      { pointer: '/body/tiers/1/from', code: 'custom', message: 'too much' },
      { pointer: '/body/action', code: 'custom', message: 'no' },
    ],
  } as Partial<ProblemDocument> as ProblemDocument;
  const shown = byLine(new Refusal(problem), '0.00 0.05\n\nx 0.10') as Refusal;
  expect(shown.problem).toEqual({
    detail: '/body/tiers: line 3, from: too much',
    errors: [
      { pointer: '/body/tiers', code: 'custom', message: 'line 3, from: too much' },
      { pointer: '/body/action', code: 'custom', message: 'no' },
    ],
  });
  const other = new Error('no answer');
  expect(byLine(other, '')).toBe(other);
});
