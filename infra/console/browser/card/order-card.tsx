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
      <legend>Delivery of a plastic card</legend>
      <div class="actions">
        <Field name="delivery/countryCode" label="Country (two letters)" />
        <Field name="delivery/address" label="Address" />
        <Field name="delivery/postalCode" label="Postal code" />
        <Field name="delivery/apartment" label="Apartment" />
        <Field name="delivery/floor" label="Floor" />
        <Field name="delivery/phone" label="Phone" type="tel" />
        <Field name="delivery/email" label="E-mail" />
        <Select name="delivery/deliveryMethod" label="Method" options={METHODS} />
      </div>
    </fieldset>
  );
}

type Order = Omit<Parameters<typeof ask<'/v2/card/order'>>[1], 'key'>;

const DELIVERY = 'delivery/';

/** What is wrong with it, or missing, the program says. */
function orderOf(values: Values): Order {
  const entries = Object.entries(values);
  const isDelivery = ([name]: readonly [string, string]): boolean => name.startsWith(DELIVERY);
  const delivery = entries
    .filter(isDelivery)
    .map(([name, value]) => [name.slice(DELIVERY.length), value] as const);
  const order = Object.fromEntries(entries.filter(entry => !isDelivery(entry)));
  // The method has a default, which alone asks for no card of plastic.
  return (delivery.length > 1 ? { ...order, delivery: Object.fromEntries(delivery) } : order) as Order;
}
