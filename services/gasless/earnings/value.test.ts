import { commissionValue } from './value';

it.each([
  [
    'of a jetton of which three are a TON',
    ['340000', { units: '3000000', nanotons: '1000000000' }, '3.25'],
    { ton: '0.113333333333333333', feeAmount: '0.368333' },
  ],
  [
    'in TON, of one that is worth a TON',
    ['150000000', { units: '1000000000', nanotons: '1000000000' }, '1'],
    { ton: '0.15', feeAmount: '0.15' },
  ],
  [
    'of a unit that is worth nearly nothing',
    ['1', { units: '1000000000000', nanotons: '1000' }, '2'],
    { ton: '0.000000000000000001', feeAmount: '0.00' },
  ],
] as const)('a commission is worth what its rate says, %s', (_, [commission, rate, tonPrice], expected) =>
  expect(commissionValue(commission, rate, tonPrice)).toEqual({ tonPrice, ...expected }),
);
