import { useState } from 'preact/hooks';
import type { FeeResult } from '../../../../contracts/http/billing/responses';
import { Field, Form, Select, type Values } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { recordFee } from './admin';
import { Outcome } from './outcome';

const STATUSES = [
  ['pending', 'pending'],
  ['collected', 'collected'],
] as const;

/** Records one fee by hand. */
export function RecordFee({ recorded }: { recorded(): void }) {
  const [outcome, setOutcome] = useState<FeeResult | null>(null);
  const { run, error, isRunning } = useCommand(
    (values: Values, key) => recordFee(values as Parameters<typeof recordFee>[0], key),
    result => {
      setOutcome(result);
      recorded();
    },
  );
  return (
    <details>
      <summary>Record a fee</summary>
      <Form submit="Record" error={error} isRunning={isRunning} send={run} path="fees/0">
        <Field name="id" label="Id" isRequired />
        <Field name="fee_type" label="Kind of fee" isRequired />
        <Field name="fee_amount" label="Fee" isRequired />
        <Field name="gross_amount" label="Gross amount" isRequired />
        <Select name="collection_status" label="Status" options={STATUSES} />
        <Field name="created_at" label="Created, such as 2026-11-20T12:00:00Z" hint="now" />
        <Field name="merchant_id" label="Id of the merchant" isRequired />
        <Field name="merchant_name" label="Name of the merchant" />
        <Field name="merchant_slug" label="Slug of the merchant" />
      </Form>
      <Outcome of={outcome} />
    </details>
  );
}
