import type { z } from 'zod';
import { Agent, request } from 'undici';
import { IssuerRefused, IssuerUnavailable, type CardIssuer } from '../../../contracts/card-issuer/issuer';
import {
  CARD_ISSUER_PATHS,
  CARD_ISSUER_RESPONSES,
  cardIssuerRefusal,
  type CARD_ISSUER_REQUESTS,
  type CardIssuerCallName,
} from '../../../contracts/card-issuer/protocol';
import { jsonOrNull } from '../../../contracts/json/read-json';
import { inTime } from '../../../contracts/retry/in-time';

export interface HttpIssuerOptions {
  readonly url: string;
  readonly key: string;
  readonly sandbox: boolean;
  /** For an answer; default 10,000. */
  readonly timeoutMs?: number;
}

const MAX_BYTES = 1_048_576;
/** More than jobs and card holders ask at a time: what one of these asks waits for no connection of another. */
const CONNECTIONS = 48;

/** The issuer behind its protocol over HTTP. */
export function createHttpIssuer({ url, key, sandbox, timeoutMs = 10_000 }: HttpIssuerOptions): CardIssuer & {
  close(): Promise<void>;
} {
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: MAX_BYTES });

  async function call<Name extends CardIssuerCallName>(
    name: Name,
    body: z.input<(typeof CARD_ISSUER_REQUESTS)[Name]>,
    signal: AbortSignal,
  ): Promise<z.output<(typeof CARD_ISSUER_RESPONSES)[Name]>> {
    let status: number;
    let text: string;
    try {
      ({ status, text } = await inTime({ timeoutMs, signal }, async ending => {
        const response = await request(url.replace(/\/$/, '') + CARD_ISSUER_PATHS[name], {
          method: 'POST',
          dispatcher,
          body: JSON.stringify(body),
          signal: ending,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        });
        return { status: response.statusCode, text: await response.body.text() };
      }));
    } catch (error) {
      throw new IssuerUnavailable(`${name}: no answer`, { cause: error });
    }
    const json = jsonOrNull(text);
    const refusal = status === 422 ? cardIssuerRefusal.safeParse(json) : null;
    if (refusal?.success) throw new IssuerRefused(refusal.data.reason, `${name}: ${refusal.data.reason}`);
    const answer = CARD_ISSUER_RESPONSES[name].safeParse(json);
    if (status !== 200 || !answer.success) throw new IssuerUnavailable(`${name}: HTTP ${status}`);
    return answer.data as z.output<(typeof CARD_ISSUER_RESPONSES)[Name]>;
  }

  return {
    sandbox,
    async startKyc(user, { signal }) {
      await call('kyc', user, signal);
    },
    async issueCard(order, { signal }) {
      await call('issue', order, signal);
    },
    async changeCard(cardId, change, { signal }) {
      await call('change', { cardId, ...change }, signal);
    },
    async answerChallenge(challengeId, isConfirmed, { signal }) {
      await call('challenge', { challengeId, isConfirmed }, signal);
    },
    appleProvisioning: (cardId, given, { signal }) =>
      call('apple', { cardId, ...given, certificates: [...given.certificates] }, signal),
    googleProvisioning: (cardId, given, { signal }) => call('google', { cardId, ...given }, signal),
    rate: (of, { signal }) => call('rate', of, signal),
    close: () => dispatcher.close(),
  };
}
