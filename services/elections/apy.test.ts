import { validatorApy } from './apy';

const ROUND = 65_536;

test('a yield of 1.5e-4 in every second round of 65,536 seconds is 3.67 percent a year', () => {
  const apy = validatorApy({ bonuses: '150000', totalStake: '1000000000' }, ROUND)!;
  expect(apy.toFixed(2)).toBe('3.67');
});

test('stakes beyond what a number holds exactly keep their ratio', () => {
  const [small, large] = ['1', '1000000000000000000000'].map(scale =>
    validatorApy(
      { bonuses: (150_000n * BigInt(scale)).toString(), totalStake: (10n ** 9n * BigInt(scale)).toString() },
      ROUND,
    )!,
  );
  expect(large).toBeCloseTo(small!, 10);
});

test('shorter rounds compound more often', () => {
  const election = { bonuses: '150000', totalStake: '1000000000' };
  expect(validatorApy(election, 7_200)!).toBeGreaterThan(validatorApy(election, ROUND)! * 9);
});

test('a round without rewards yields nothing, and one without stakes has no yield', () => {
  expect(validatorApy({ bonuses: '0', totalStake: '5' }, ROUND)).toBe(0);
  expect(validatorApy({ bonuses: '0', totalStake: '0' }, ROUND)).toBeNull();
});
