import type { CardAccountView, CardVestingView } from '../../../../contracts/http/card/fields';
import { Field, Form, type Values } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { linkTo } from '../route';
import { ask } from './calls';
import { useChanged } from './changes';
import { smallestUnits } from './units';

/** Opens an account of which an amount is paid out each time that a period ends. */
export function CreateVesting({ account: { id, cryptoCurrency } }: { readonly account: CardAccountView }) {
  const changed = useChanged();
  const { decimals, ticker } = cryptoCurrency;
  const { run, error, isRunning } = useCommand(
    (
      {
        beneficiaryCryptoAccountId = '',
        beneficiaryName = '',
        unlockAmountPerPeriod = '',
        days = '',
      }: Values,
      key,
    ) =>
      ask('/v2/account/vesting/create', {
        id,
        key,
        beneficiaryCryptoAccountId,
        beneficiaryName,
        unlockAmountPerPeriod: smallestUnits(unlockAmountPerPeriod, decimals),
        unlockPeriodSeconds: Math.round(Number(days) * 86_400),
      }),
    ({ account }) => {
      changed();
      location.hash = linkTo('card', 'account', account.id);
    },
  );
  return (
    <details>
      <summary>Open a vesting account</summary>
      <Form submit="Open" error={error} isRunning={isRunning} send={run}>
        <Field name="beneficiaryCryptoAccountId" label="Account of the beneficiary" value={id} isRequired />
        <Field name="beneficiaryName" label="Name of the beneficiary" isRequired />
        <Field name="unlockAmountPerPeriod" label={`Paid out each time, in ${ticker}`} isRequired />
        <Field name="days" label="Period in days" value="30" isRequired />
      </Form>
    </details>
  );
}

/** Moves money from the account of its creator to a vesting account. */
export function DepositToVesting({ account: { id, cryptoCurrency } }: { readonly account: CardVestingView }) {
  const { decimals, ticker } = cryptoCurrency;
  const { run, error, isRunning } = useCommand(
    (amount: string, key) =>
      ask('/v2/account/vesting/deposit', { id, amount: smallestUnits(amount, decimals), key }),
    useChanged(),
  );
  return (
    <Form submit="Deposit" error={error} isRunning={isRunning} send={({ amount = '' }) => run(amount)}>
      <Field name="amount" label={`Amount in ${ticker}`} isRequired />
    </Form>
  );
}
