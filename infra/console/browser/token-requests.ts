import { signIn, type Account } from './session';
import type { Refusal } from './refusal';

/** Somebody has to paste a new token, since the last one was refused. */
export interface TokenRequest {
  readonly account: Account;
  readonly refusal: Refusal;
  answer(token: string): void;
  cancel(): void;
}

let current: (TokenRequest & { readonly answered: Promise<void> }) | null = null;
const listeners = new Set<() => void>();

function show(request: typeof current): void {
  current = request;
  for (const listener of listeners) listener();
}

export function currentTokenRequest(): TokenRequest | null {
  return current;
}

/** @returns what ends it */
export function onTokenRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Asks for a new token, once for all calls that need it. @throws the refusal when none is given
 */
export async function askForToken(account: Account, refusal: Refusal): Promise<void> {
  // One dialog at a time.
  while (current) {
    if (current.account === account) return current.answered;
    await current.answered.catch(() => undefined);
  }
  const { promise, resolve, reject } = withResolvers();
  // Callers see it; nobody else has to.
  promise.catch(() => undefined);
  show({
    account,
    refusal,
    answered: promise,
    answer(token) {
      signIn(account, token);
      show(null);
      resolve();
    },
    cancel() {
      show(null);
      reject(refusal);
    },
  });
  return promise;
}

function withResolvers() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
