import { messageOf } from './text/error-message';
import { redactedUrl } from './url/redacted-url';
import { WrongNetwork } from './network/wrong-network';

/** Makes sure that answers of one source (one URL) are of the network that it is configured for. */
export interface SourceVerifier {
  /**
   * Makes a call whose answer counts only if the source proves its identity before it, and again after it: a source may
   * be replaced between two calls. Of a refusal the same is true.
   * @throws WrongNetwork when it was not of the network at one of the two
   */
  verified<T>(call: () => Promise<T>): Promise<T>;
  /** As `verified`, for an answer that needs no proof after it: one that was asked for by its hash, or is a mere hint. */
  unproven<T>(call: () => Promise<T>): Promise<T>;
  /** Checks an identity that an answer brought with it, which then needs no other proof. @throws WrongNetwork */
  check(found: string): Promise<void>;
  /** Asks the source now. @throws WrongNetwork, or the error of the source */
  verify(): Promise<void>;
  /** Why the source gave no identity when it was asked last; null when it did, or was not asked yet. */
  failure(): string | null;
}

export interface SourceVerifierOptions {
  /** Asks the source for its identity. */
  ask(): Promise<string>;
  /** @throws WrongNetwork */
  check(found: string): Promise<void>;
  /** True for an error by which the source has answered the call. Default: never. */
  isRefusal?(error: unknown): boolean;
}

/** Answers that wait for a proof at the same time share it, so that busy sources are not asked for each. */
export function createSourceVerifier({
  ask,
  check: compare,
  isRefusal = () => false,
}: SourceVerifierOptions): SourceVerifier {
  /** Proven, and no error since. */
  let isProven = false;
  /** The newest finding that the source is wrong, which makes answers from before it void. */
  let last: WrongNetwork | null = null;
  let failure: string | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function check(found: string): Promise<void> {
    failure = null;
    try {
      await compare(found);
      isProven = true;
    } catch (error) {
      isProven = false;
      if (error instanceof WrongNetwork) last = error;
      throw error;
    }
  }

  async function identity(): Promise<string> {
    try {
      return await ask();
    } catch (error) {
      failure = reasonOf(error);
      throw error;
    }
  }

  function start(): Promise<void> {
    const asking = (async () => check(await identity()))();
    running = asking;
    const end = (): void => {
      if (running === asking) running = null;
    };
    asking.then(end, end);
    return asking;
  }

  /** The proof begins after this call, never before it. */
  function verify(): Promise<void> {
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  }

  async function unproven<T>(call: () => Promise<T>): Promise<T> {
    if (!isProven) await verify();
    try {
      return await call();
    } catch (error) {
      if (!isRefusal(error)) isProven = false;
      throw error;
    }
  }

  return {
    check,
    verify,
    failure: () => failure,
    unproven,
    async verified(call) {
      if (!isProven) await verify();
      const before = last;
      const outcome = await outcomeOf(unproven(call));
      if ('error' in outcome && !isRefusal(outcome.error)) throw outcome.error;
      await verify();
      // Another call has found it wrong meanwhile: this answer may be from then.
      if (last && last !== before) throw last;
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
  };
}

async function outcomeOf<T>(call: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  return call.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Trusts every source, for local networks and tests. */
export const UNVERIFIED: SourceVerifier = {
  verified: call => call(),
  unproven: call => call(),
  check: async () => undefined,
  verify: async () => undefined,
  failure: () => null,
};

/** A refused connection to a host with several addresses has no message. */
const reasonOf = (error: unknown): string =>
  messageOf(error) || String((error as { code?: unknown } | null)?.code ?? 'no answer');

/** One line for each source that could not be asked for its identity when it was asked last. */
export function unreadable(
  sources: readonly { readonly url: string; readonly verifier: SourceVerifier }[],
): string[] {
  return sources.flatMap(({ url, verifier }) => {
    const failure = verifier.failure();
    return failure === null ? [] : [`${redactedUrl(url)} cannot be read: ${failure}`];
  });
}
