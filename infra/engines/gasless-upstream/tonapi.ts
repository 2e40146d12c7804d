import { Agent, request } from 'undici';
import { z } from 'zod';
import { parseTonAddress } from '../../../contracts/account/address';
import { jsonOrNull } from '../../../contracts/json/read-json';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type GaslessUpstream,
  type UpstreamConfig,
} from '../../../contracts/ports/gasless-upstream';
import { messageOf } from '../../../contracts/text/error-message';
import { inTime } from '../../../contracts/retry/in-time';
import { COMPRESSED, responseText } from '../../../indexers/http-response';
import type { RequestBudget } from '../request-budget/budget';
import { isNotConnected } from '../not-connected';

export interface TonapiOptions {
  /** Of the host: it answers under `/v2/gasless`. Redirects are not followed. */
  readonly url: string;
  readonly key: string | undefined;
  /** Of all requests with the key. */
  readonly budget: Pick<RequestBudget, 'take' | 'pause'>;
  /** Of one request; default 10,000. */
  readonly timeoutMs?: number;
  /** How long its configuration is used; default a minute. */
  readonly configMs?: number;
}

const MAX_BYTES = 512 * 1024;
/** Where it does not say for how long it answers nothing. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const CONNECTIONS = 32;
const MAX_JETTONS = 1_000;

const raw = z.string().transform((text, context) => {
  const parsed = parseTonAddress(text);
  if (parsed) return parsed.raw;
  context.addIssue({ code: 'custom', message: 'not an address of TON' });
  return z.NEVER;
});
const decimal = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);
const cell = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{2})+$/)
  .nullish()
  .transform(text => text ?? null);

const configAnswer = z.object({
  relay_address: raw,
  gas_jettons: z.array(z.object({ master_id: raw })).max(MAX_JETTONS),
});
const quoteAnswer = z.object({
  relay_address: raw,
  commission: decimal,
  from: raw,
  valid_until: z.int().positive(),
  messages: z
    .array(z.object({ address: raw, amount: decimal, payload: cell, stateInit: cell }))
    .min(1)
    .max(4),
});
const sendAnswer = z.object({ protocol_name: z.string() });
const refusalAnswer = z.object({ error: z.string(), error_code: z.int().optional() });

/** `error_code` (api/openapi.yml of tonkeeper/opentonapi); the others say that it does not work now. */
const REASONS: ReadonlyMap<number | undefined, UpstreamRefused['reason']> = new Map([
  [40_003, 'cooldown'],
  [40_009, 'not-enough'],
  [40_012, 'not-enough'],
]);
/** It does not know itself. */
const UNKNOWN = 40_011;
/** Statuses of a request that was not carried out. */
const NOT_TAKEN: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 415, 429]);

/** The gasless API of TonAPI, https://docs.tonconsole.com/tonapi/rest-api/gasless, as a relayer. */
export function createTonapi(options: TonapiOptions): GaslessUpstream & { close(): Promise<void> } {
  const { key, budget, timeoutMs = 10_000, configMs = 60_000 } = options;
  const url = options.url.replace(/\/$/, '');
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const closing = new AbortController();
  // A connection that is used again may be closed while a request is on its way: then nobody knows whether it arrived.
  const dispatcher = new Agent({ ...timeouts, connections: CONNECTIONS, pipelining: 0 });
  let known: { readonly at: number; readonly config: UpstreamConfig } | null = null;
  /** All who wait for the configuration have the same answer. */
  let asked: Promise<UpstreamConfig> | null = null;

  /** Sends and estimates take turns, and so do their callers. @throws UpstreamRefused when too many wait, before anything was sent */
  async function admitted(path: string, caller: string | undefined): Promise<void> {
    const call = { priority: path === 'send' ? 'order' : 'estimate', caller } as const;
    try {
      await inTime({ timeoutMs, signal: closing.signal }, signal => budget.take({ ...call, signal }));
    } catch (error) {
      throw new UpstreamRefused('try-later', `${path}: ${messageOf(error)}`);
    }
  }

  async function call<Answer>(
    path: string,
    schema: z.ZodType<Answer>,
    { body, caller }: { readonly body?: object; readonly caller?: string } = {},
  ): Promise<Answer> {
    let status: number;
    let text: string;
    await admitted(path, caller);
    try {
      ({ status, text } = await inTime({ timeoutMs, signal: closing.signal }, async signal => {
        const response = await request(`${url}/v2/gasless/${path}`, {
          dispatcher,
          signal,
          method: body ? 'POST' : 'GET',
          headers: {
            ...COMPRESSED,
            ...(body && { 'content-type': 'application/json' }),
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        if (response.statusCode === 429) budget.pause(pauseMs(response.headers['retry-after']));
        // A refusal has a body too.
        const readable = { statusCode: 200, headers: response.headers, body: response.body };
        return { status: response.statusCode, text: await responseText(readable, MAX_BYTES) };
      }));
    } catch (error) {
      if (isNotConnected(error)) throw new UpstreamRefused('try-later', `${path}: ${messageOf(error)}`);
      throw new UpstreamUnavailable(`${path}: ${messageOf(error)}`, { cause: error });
    }
    return answerOf(path, schema, status, text);
  }

  async function readConfig(): Promise<UpstreamConfig> {
    const { relay_address: relay, gas_jettons } = await call('config', configAnswer).catch(unavailable);
    const config = { relay, jettons: gas_jettons.map(({ master_id }) => master_id) };
    known = { at: performance.now(), config };
    return config;
  }

  return {
    async config() {
      if (known && performance.now() < known.at + configMs) return known.config;
      asked ??= readConfig().finally(() => (asked = null));
      return asked;
    },
    async estimate({ wallet, publicKey, master, message, caller }) {
      const body = { wallet_address: wallet, wallet_public_key: publicKey, messages: [{ boc: message }] };
      const quote = await call(`estimate/${encodeURIComponent(master)}`, quoteAnswer, { body, caller });
      const { relay_address: relay, from, commission, valid_until: validUntil, messages } = quote;
      return { relay, wallet: from, commission, validUntil, messages };
    },
    async send({ publicKey, boc, caller }) {
      await call('send', sendAnswer, { body: { wallet_public_key: publicKey, boc }, caller });
    },
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

/** @param retryAfter seconds */
function pauseMs(retryAfter: string | string[] | undefined): number {
  const seconds = Number(retryAfter);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_PAUSE_MS) : PAUSE_MS;
}

/** @throws UpstreamRefused, UpstreamUnavailable */
function answerOf<Answer>(path: string, schema: z.ZodType<Answer>, status: number, text: string): Answer {
  const json = jsonOrNull(text);
  if (status === 200) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new UpstreamUnavailable(`${path}: an answer that cannot be read`);
  }
  const refusal = refusalAnswer.safeParse(json);
  if (status === 400 && refusal.success && refusal.data.error_code !== UNKNOWN) {
    const { error, error_code: code } = refusal.data;
    throw new UpstreamRefused(
      REASONS.get(code) ?? 'try-later',
      `${path}: ${code ?? ''} ${error.slice(0, 200)}`,
    );
  }
  if (NOT_TAKEN.has(status)) throw new UpstreamRefused('try-later', `${path}: HTTP ${status}`);
  throw new UpstreamUnavailable(`${path}: HTTP ${status}`);
}

/** A configuration is never refused. */
function unavailable(error: unknown): never {
  if (error instanceof UpstreamRefused) throw new UpstreamUnavailable(error.message, { cause: error });
  throw error;
}
