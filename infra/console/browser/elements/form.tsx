import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { faultOf } from '../refusal';
import { Problem } from './problem';

/** Of the last time that the form was sent: each field looks there for its own fault. */
const FormError = createContext<{ readonly error: unknown; readonly path: string }>({
  error: null,
  path: '',
});

export type Values = Readonly<Record<string, string>>;

interface FormProps {
  readonly submit: string;
  readonly error?: unknown;
  readonly isRunning?: boolean;
  /** Where the fields are in the body of the call. Default: the body itself. */
  readonly path?: string;
  readonly children?: ComponentChildren;
  /** @param values what was typed, without surrounding spaces and without what is empty */
  send(values: Values): unknown;
}

/** A form whose fields keep what was typed, whatever becomes of it. */
export function Form({ submit, error = null, isRunning = false, path = '', children, send }: FormProps) {
  return (
    <FormError.Provider value={{ error, path }}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (!isRunning) void send(valuesOf(event.currentTarget));
        }}
      >
        {children}
        <button type="submit" aria-disabled={isRunning}>
          {submit}
        </button>
      </form>
      <Problem error={error} />
    </FormError.Provider>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  const typed = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== ''));
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'month' | 'date' | 'email' | 'tel';
  readonly value?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isWide?: boolean;
}

export function Field({ name, label, type = 'text', value, hint, isRequired, isWide }: FieldProps) {
  const { fault, described } = useFault(name);
  return (
    <label class={isWide ? 'wide' : ''}>
      {label}
      <input
        name={name}
        {...({ type } as { type: 'text' })}
        defaultValue={value}
        placeholder={hint}
        required={isRequired}
        autocomplete="off"
        spellcheck={false}
        {...described}
      />
      {fault}
    </label>
  );
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value?: string | undefined;
}

export function Select({ name, label, options, value }: SelectProps) {
  const { fault, described } = useFault(name);
  return (
    <label>
      {label}
      <select name={name} {...described}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
      {fault}
    </label>
  );
}

export function TextArea({ name, label, value }: Pick<FieldProps, 'name' | 'label' | 'value'>) {
  const { fault, described } = useFault(name);
  return (
    <label class="wide">
      {label}
      <textarea name={name} defaultValue={value} spellcheck={false} {...described} />
      {fault}
    </label>
  );
}

/** A token: long, secret, and never remembered by the browser. */
export function TokenField({ label }: { readonly label: string }) {
  return (
    <label class="wide">
      {label}
      <input name="token" type="password" required autocomplete="off" spellcheck={false} />
    </label>
  );
}

function useFault(name: string) {
  const id = useId();
  const { error, path } = useContext(FormError);
  const fault = faultOf(error, path === '' ? name : `${path}/${name}`);
  if (fault === undefined) return { fault: null, described: {} };
  return {
    fault: (
      <span id={id} class="bad">
        {fault}
      </span>
    ),
    described: { 'aria-invalid': true, 'aria-describedby': id } as const,
  };
}

/** Options of which the first, empty one means any. */
export function anyOf(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'any'], ...values.map(value => [value, value] as const)];
}
