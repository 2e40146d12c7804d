import { anyOf, Field, Select } from '../elements/form';

/** The filter of what is made for a merchant and a month. */
export function OfMerchant({ statuses }: { readonly statuses: readonly string[] }) {
  return (
    <>
      <Field name="billingPeriod" label="Month" type="month" />
      <Field name="merchantId" label="Id of the merchant" />
      <Select name="status" label="Status" options={anyOf(statuses)} />
    </>
  );
}

/** The merchant of a row, with the id that all filters take. */
export function merchantColumn<Row>(of: (row: Row) => { readonly name: string; readonly id: string }) {
  return {
    title: 'Merchant (id)',
    show: (row: Row) => {
      const { name, id } = of(row);
      return `${name} (${id})`;
    },
  };
}
