import { useState } from 'preact/hooks';
import { Field, Form } from '../elements/form';
import { toSecond } from '../elements/instant';
import { useCommand } from '../elements/use-command';
import { Sandbox } from './sandbox';
import { useChanged } from './changes';

interface Requested {
  readonly expiresAt: string;
  readonly sandbox: { readonly code: string };
}

interface ContactStepProps {
  readonly label: string;
  readonly name: string;
  readonly type: 'tel' | 'text';
  readonly hint: string;
  start(contact: string): Promise<Requested>;
  confirm(code: string): Promise<unknown>;
}

/** Asks for a code that is sent to a phone number or an e-mail address, and confirms it with the code. */
export function ContactStep({ label, name, type, hint, start, confirm }: ContactStepProps) {
  const changed = useChanged();
  const [requested, setRequested] = useState<Requested | null>(null);
  const starting = useCommand(start, setRequested);
  const confirming = useCommand(confirm, changed);
  return (
    <fieldset>
      <legend>{label}</legend>
      <Form
        submit="Ask for a code"
        error={starting.error}
        isRunning={starting.isRunning}
        send={values => starting.run(values[name] ?? '')}
      >
        <Field name={name} label={label} type={type} hint={hint} isRequired />
      </Form>
      {requested && (
        <>
          <p>
            <Sandbox /> Nothing is sent: the code is <code>{requested.sandbox.code}</code>, until{' '}
            {toSecond(requested.expiresAt)}.
          </p>
          <Form
            submit="Confirm"
            error={confirming.error}
            isRunning={confirming.isRunning}
            send={({ code = '' }) => confirming.run(code)}
          >
            <Field name="code" label="Code" isRequired />
          </Form>
        </>
      )}
    </fieldset>
  );
}
