import { Refusal } from '../refusal';

/** Not `randomUUID`, which pages without TLS do not have. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('');
}

const SERVER_ERROR = 500;

/** Whether the command may have been done all the same. */
function isInDoubt(error: unknown): boolean {
  return !(error instanceof Refusal) || error.problem.status >= SERVER_ERROR;
}

/** The idempotency keys of a form or button: while it is in doubt whether a command was done, the same input has the same key again. */
export class CommandKeys {
  #inDoubt: { readonly input: string; readonly key: string } | null = null;

  keyOf(input: unknown): string {
    const text = JSON.stringify(input) ?? '';
    if (this.#inDoubt?.input !== text) this.#inDoubt = { input: text, key: newKey() };
    return this.#inDoubt.key;
  }

  succeeded(): void {
    this.#inDoubt = null;
  }

  failed(error: unknown): void {
    if (!isInDoubt(error)) this.#inDoubt = null;
  }
}
