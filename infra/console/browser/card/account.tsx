import type { CardAccountView, CardVestingView } from '../../../../contracts/http/card/fields';
import { ActionButton } from '../elements/action-button';
import { Facts } from '../elements/facts';
import { toSecond } from '../elements/instant';
import { ask } from './calls';
import { useChanged } from './changes';
import { ChangeLimits } from './change-limits';
import { balanceOf, type AnyAccount } from './overview';
import { TopUp } from './top-up';
import { CreateVesting, DepositToVesting } from './vesting';
import { wholeUnits } from './units';

/** One account: what it has, and what can be done with it. */
export function Account({ account }: { readonly account: AnyAccount }) {
  return (
    <section aria-labelledby="account">
      <h2 id="account">Account on {account.network}</h2>
      <Facts
        of={[
          ['State', <code>{account.state}</code>],
          ['Id', <code>{account.id}</code>],
          ['Kind', account.type],
          ['Balance', <strong>{balanceOf(account)}</strong>],
          ['Owner', <code>{account.ownerAddress}</code>],
          ['Topped up at', account.address && <code>{account.address}</code>],
        ]}
      />
      {account.type === 'crypto' ? <Crypto account={account} /> : <Vesting account={account} />}
    </section>
  );
}

function Crypto({ account }: { readonly account: CardAccountView }) {
  const changed = useChanged();
  const { decimals, ticker } = account.cryptoCurrency;
  const amount = (units: string): string => `${wholeUnits(units, decimals)} ${ticker}`;
  const { limits, totalDebtCryptoAmountNano: debt } = account;
  return (
    <>
      <Facts
        of={[
          ['Debt', debt === '0' ? null : amount(debt)],
          ['At once', amount(limits.onetime)],
          ['Spent of the day', `${amount(limits.dailySpent)} of ${amount(limits.daily)}`],
          ['Spent of the month', `${amount(limits.monthlySpent)} of ${amount(limits.monthly)}`],
        ]}
      />
      <TopUp account={account} />
      <ChangeLimits account={account} />
      <CreateVesting account={account} />
      <div class="actions">
        <ActionButton
          label="Close the account"
          question="Close it for good? It has to be empty."
          send={() => ask('/v2/account/close', { id: account.id })}
          done={changed}
        />
      </div>
    </>
  );
}

function Vesting({ account }: { readonly account: CardVestingView }) {
  const { decimals, ticker } = account.cryptoCurrency;
  const amount = (units: string): string => `${wholeUnits(units, decimals)} ${ticker}`;
  return (
    <>
      <Facts
        of={[
          ['Beneficiary', `${account.beneficiaryName}, ${account.beneficiaryCryptoAccountId}`],
          ['Deposited', amount(account.totalDeposited)],
          ['Paid out', amount(account.totalPaidOut)],
          [
            'Each period',
            `${amount(account.unlockAmountPerPeriod)} in ${account.unlockPeriodSeconds} seconds`,
          ],
          ['Next', account.nextPayoutAt && toSecond(account.nextPayoutAt)],
          ['Left', `${account.estimatedPayoutsRemaining} payments`],
        ]}
      />
      <DepositToVesting account={account} />
    </>
  );
}
