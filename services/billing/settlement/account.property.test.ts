import fc from 'fast-check';
import { amountOf, ZERO, product, subtract, sum } from '../../../contracts/money/money';
import type { RebateTier } from '../../../contracts/money/rebate-tiers';
import { MONTHS, Merchant, step } from '../../../test/billing/merchant-account';
import { runs } from '../../../test/random';
import { live, openCarried, settledSums, type Settlement, type SettlementAccount } from './account';

const balance = (account: SettlementAccount): string =>
  sum([
    ...live(account)
      .filter(({ status }) => status !== 'carried')
      .map(({ netAmount }) => netAmount),
    ...openCarried(account).map(({ netAmount }) => netAmount),
  ]);

const rebates = (account: SettlementAccount): string =>
  sum(live(account).flatMap(settlement => settlement.rebates.map(rebate => rebate.amount)));

/** The rebate of a month, computed independently: the highest tier reached, on the whole volume. */
function earnedBy(volume: string, of: readonly RebateTier[] = []): string {
  for (const { from, rate } of [...of].reverse())
    if (amountOf(volume) >= amountOf(from)) return product(volume, rate, 2);
  return ZERO;
}

/** Paid settlements, and carried ones that are included in a paid one. */
function ended(settled: readonly Settlement[]): Settlement[] {
  const takenBy = (id: string) => settled.find(({ carriedFrom }) => carriedFrom.includes(id));
  return settled.filter(each => {
    let last: Settlement | undefined = each;
    while (last?.status === 'carried') last = takenBy(last.settlementId);
    return last?.status === 'paid';
  });
}

function expectSound({ account, rule, paid }: Merchant): void {
  const settled = live(account);
  expect(new Set(settled.map(({ billingPeriod }) => billingPeriod)).size).toBe(settled.length);

  const lines = settled.flatMap(settlement => settlement.lines);
  const owed = subtract(
    sum(lines.map(line => line.grossCollected)),
    sum(lines.map(line => line.feesCollected)),
  );
  expect(balance(account)).toBe(sum([owed, rebates(account)]));

  // A carried balance is included at most once, and a paid amount is not negative.
  const takenOver = settled.flatMap(({ carriedFrom }) => carriedFrom);
  expect(new Set(takenOver).size).toBe(takenOver.length);
  for (const { status, netAmount } of settled) expect(netAmount.startsWith('-')).toBe(status === 'carried');

  // A rebate is paid once, with the balance that it is part of, and nothing is accrued again that was paid.
  const over = ended(settled).flatMap(settlement => settlement.rebates.map(({ rebateId }) => rebateId));
  expect([...paid].sort()).toEqual(over.sort());

  // The rebate of a settled month is that of its settled fees, by the rule it was settled under.
  for (const { billingPeriod, rule: ref } of settled) {
    const granted = settled
      .flatMap(settlement => settlement.rebates)
      .filter(rebate => rebate.billingPeriod === billingPeriod);
    const of = ref ? rule!.versions[ref.ruleVersion - 1]!.tiers : undefined;
    expect(sum(granted.map(rebate => rebate.amount))).toBe(
      earnedBy(settledSums(account, billingPeriod).feesCollected, of),
    );
  }

  const all = [...account.accrued, ...settled.flatMap(settlement => settlement.rebates)];
  expect(new Set(all.map(({ rebateId }) => rebateId)).size).toBe(all.length);
  for (const rebate of all) expect(rebate.amount).toBe(product(rebate.basisFee, rebate.rate, 2));
}

it('paid, pending and carried amounts add up to the collected rows and their rebates, after any sequence of commands', () =>
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), steps => {
      const merchant = new Merchant();
      for (const each of steps) {
        merchant.take(each);
        expectSound(merchant);
      }
      // A month without fees includes the changes of all others.
      for (const each of [...MONTHS, '2027-01']) merchant.generate(each);
      expectSound(merchant);
      const { account, rows } = merchant;
      const owed = subtract(sum(rows.map(row => row.gross)), sum(rows.map(row => row.fee)));
      expect(balance(account)).toBe(sum([owed, rebates(account)]));

      // One month with large fees offsets all carried amounts: with it everything is paid.
      merchant.rows.push({ month: '2027-02', gross: '100000.00', fee: ZERO });
      merchant.generate('2027-02');
      for (const { settlementId } of live(merchant.account)) merchant.pay(settlementId);
      expectSound(merchant);
      expect(ended(live(merchant.account))).toEqual(live(merchant.account));
    }),
    runs(25),
  ));
