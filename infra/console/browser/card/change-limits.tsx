import type { CardAccountView } from '../../../../contracts/http/card/fields';
import { Field, Form, type Values } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { ask } from './calls';
import { useChanged } from './changes';
import { smallestUnits, wholeUnits } from './units';

const LIMITS = [
  ['onetime', 'At once'],
  ['daily', 'In a day'],
  ['monthly', 'In a month'],
] as const;

/** Changes what may be spent; more only after an hour. */
export function ChangeLimits({
  account: { id, limits, cryptoCurrency },
}: {
  readonly account: CardAccountView;
}) {
  const { decimals, ticker } = cryptoCurrency;
  const { run, error, isRunning } = useCommand((values: Values) => {
    const limit = (name: string): string => smallestUnits(values[name] ?? '', decimals);
    return ask('/v2/account/limits', {
      id,
      limits: { onetime: limit('onetime'), daily: limit('daily'), monthly: limit('monthly') },
    });
  }, useChanged());
  return (
    <fieldset>
      <legend>Limits in {ticker}</legend>
      <p class="muted">What is raised counts only after an hour.</p>
      <Form submit="Change the limits" error={error} isRunning={isRunning} send={run} path="limits">
        {LIMITS.map(([name, label]) => (
          <Field key={name} name={name} label={label} value={wholeUnits(limits[name], decimals)} isRequired />
        ))}
      </Form>
    </fieldset>
  );
}
