import type { CardAccountView } from '../../../../contracts/http/card/fields';
import { Field, Form, Select, type Values } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { linkTo } from '../route';
import { ask } from './calls';
import { useChanged } from './changes';

const TYPES = [
  ['DEBIT', 'of an account'],
  ['PREPAID', 'prepaid'],
] as const;
const SCHEMAS = [
  ['visa', 'Visa'],
  ['mc', 'Mastercard'],
] as const;
const DESIGNS = [
  ['', 'none'],
  ['BLACK_WAVES', 'Black Waves'],
  ['DOGS', 'Dogs'],
] as const;
const METHODS = [
  ['standard', 'standard'],
  ['express', 'express'],
] as const;

/** Orders a card: a virtual one, or one of plastic where an address is given. */
export function OrderCard({ accounts }: { readonly accounts: readonly CardAccountView[] }) {
  const changed = useChanged();
  const { run, error, isRunning } = useCommand(
    (values: Values, key) => ask('/v2/card/order', { ...orderOf(values), key }),
    ({ card }) => {
      changed();
      location.hash = linkTo('card', 'card', card.id);
    },
  );
  if (accounts.length === 0) return null;
  return (
    <details>
      <summary>Order a card</summary>
      <Form submit="Order" error={error} isRunning={isRunning} send={run}>
        <Select
          name="accountId"
          label="Account"
          options={accounts.map(({ id, network }) => [id, `${network}: ${id}`] as const)}
        />
        <Select name="type" label="Kind" options={TYPES} />
        <Select name="schema" label="Scheme" options={SCHEMAS} />
        <Select name="design" label="Design" options={DESIGNS} />
        <Delivery />
      </Form>
    </details>
  );
}

/** Filled in for a card of plastic alone. */
function Delivery() {
  return (
    <fieldset>
      <legend>Delivery, of a card of plastic</legend>
      <div class="actions">
        <Field name="countryCode" label="Country (two letters)" />
        <Field name="address" label="Address" />
        <Field name="postalCode" label="Postal code" />
        <Field name="apartment" label="Apartment" />
        <Field name="floor" label="Floor" />
        <Field name="phone" label="Phone" type="tel" />
        <Field name="email" label="E-mail" />
        <Select name="deliveryMethod" label="Method" options={METHODS} />
      </div>
    </fieldset>
  );
}

type Order = Omit<Parameters<typeof ask<'/v2/card/order'>>[1], 'key'>;

/** What the program has to say of fields that are missing, it says. */
function orderOf({ accountId, type, schema, design, deliveryMethod, ...delivery }: Values): Order {
  const isPlastic = Object.keys(delivery).length > 0;
  return {
    accountId,
    type,
    schema,
    ...(design !== undefined && { design }),
    ...(isPlastic && { delivery: { ...delivery, deliveryMethod } }),
  } as Order;
}
