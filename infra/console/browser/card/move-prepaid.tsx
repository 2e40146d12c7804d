import { useState } from 'preact/hooks';
import type { PrepaidCardView } from '../../../../contracts/http/card/fields';
import { Field, Form, Select, type Values } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { ask } from './calls';
import { useChanged } from './changes';
import type { AnyAccount } from './overview';
import { decimalsOfCurrency, smallestUnits } from './units';

const DIRECTIONS = [
  ['/v2/card/prepaid/load', 'load it from the account'],
  ['/v2/card/prepaid/unload', 'unload it to the account'],
] as const;
type Direction = (typeof DIRECTIONS)[number][0];

interface MovePrepaidProps {
  readonly card: PrepaidCardView;
  readonly accounts: readonly AnyAccount[];
}

/** Moves money between a prepaid card and an account, at the rate of the issuer. */
export function MovePrepaid({ card: { id, fiatCurrency }, accounts }: MovePrepaidProps) {
  const changed = useChanged();
  const [note, setNote] = useState('');
  const { run, error, isRunning } = useCommand(
    ({ direction, accountId = '', amount = '' }: Values, key) =>
      ask(direction as Direction, {
        id,
        accountId,
        amount: smallestUnits(amount, decimalsOfCurrency(fiatCurrency)),
        key,
      }),
    () => {
      setNote('Done.');
      changed();
    },
  );
  return (
    <fieldset>
      <legend>Money of the card</legend>
      <Form submit="Move" error={error} isRunning={isRunning} send={run}>
        <Select name="direction" label="Do" options={DIRECTIONS} />
        <Select
          name="accountId"
          label="Account"
          options={accounts
            .filter(({ type }) => type === 'crypto')
            .map(each => [each.id, `${each.network}: ${each.id}`] as const)}
        />
        <Field name="amount" label={`Amount in ${fiatCurrency}`} hint="12.50" isRequired />
      </Form>
      <p role="status">{note}</p>
    </fieldset>
  );
}
