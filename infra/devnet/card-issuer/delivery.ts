import { randomUUID } from 'node:crypto';
import {
  signWebhook,
  WEBHOOK_ID,
  WEBHOOK_SIGNATURE,
  WEBHOOK_TIMESTAMP,
} from '../../../contracts/card-issuer/signature';
import { readJson } from '../../../contracts/json/read-json';
import type { TonNetwork } from '../../../contracts/network/network';
import { backoffMs } from '../../../contracts/retry/backoff';
import { inTime } from '../../../contracts/retry/in-time';
import { mayBeSent } from './may-be-sent';
import { pruneRuns } from './prune';
import type { IssuerStore, Message, Play } from './store';

export interface DeliveryOptions {
  readonly store: IssuerStore;
  readonly secret: Buffer;
  /** Where webhooks of a network are sent; null while it is not known. */
  webhookUrl(network: TonNetwork): string | null;
}

export interface Delivery {
  /** Something was added. */
  wake(): void;
  /** Aborts what is being sent. */
  close(): Promise<void>;
}

/** Messages on their way: they may overtake each other. */
const CONCURRENCY = 8;
/** What is sent again though it was answered follows later, after others. */
const REPEAT_MS = 500;
/** An issuer waits about so long for the answer to an authorisation. */
const ANSWER_MS = 2_000;
const TIMEOUT_MS = 10_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
const IDLE_MS = 250;
const HOUR_S = 3_600;
const PRUNE_MS = 60_000;

const ASKS = ['authorisation.requested', 'increment.requested'];

/**
 * Sends webhooks when they are due, those that are due together at once; those that are not answered with 2xx again, signed with a new time. What
 * waits survives a restart.
 */
export function startDelivery({ store, secret, webhookUrl }: DeliveryOptions): Delivery {
  const closing = new AbortController();
  let wakeUp = (): void => undefined;

  let prunedAt = 0;

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        if (Date.now() - prunedAt > PRUNE_MS) {
          prunedAt = Date.now();
          pruneRuns(store, prunedAt);
        }
        const sent = await Promise.allSettled(due(store, Date.now()).map(deliver));
        const failure = sent.find(({ status }) => status === 'rejected');
        if (failure) throw failure;
        if (sent.length > 0) continue;
      } catch {
        // A full disk, mostly: what was sent and not noted is sent once more, as issuers do.
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, IDLE_MS);
        wakeUp = () => (clearTimeout(timer), resolve());
      });
    }
  };

  async function deliver(message: Message): Promise<void> {
    const { id, fault, attempts, times } = message;
    const play = store.get('play', message.play)!;
    const asks = ASKS.includes(typeOf(message));
    const put = (change: Partial<Message>): void => store.put('message', id, { ...message, ...change });
    if (fault === 'unanswered') {
      put({ state: 'answered' });
      return decideItself(message, play, true);
    }
    const answer = await send(message, play, asks ? ANSWER_MS : TIMEOUT_MS);
    if (closing.signal.aborted) return;
    if (fault === 'bad-signature' || fault === 'old-timestamp') return put({ state: 'answered', answer });
    if (fault === 'late') {
      put({ state: 'answered', answer });
      return decideItself(message, play, false);
    }
    const isAnswered = answer !== null && answer.status >= 200 && answer.status < 300;
    if (isAnswered) {
      if (attempts + 1 < times) put({ attempts: attempts + 1, dueAt: Date.now() + REPEAT_MS, answer });
      else put({ attempts: attempts + 1, state: 'answered', answer });
      if (asks && store.get('play', play.play)!.approved !== false) decided(play, isApproved(answer.body));
      return;
    }
    if (asks) {
      put({ state: 'answered', answer });
      return decideItself(message, play, true);
    }
    const delayMs = backoffMs(attempts, FIRST_RETRY_MS, MAX_RETRY_MS);
    put({ attempts: attempts + 1, dueAt: Date.now() + delayMs, answer: answer ?? message.answer });
  }

  /** As issuers do when no answer has come in time. */
  function decideItself(message: Message, play: Play, approved: boolean): void {
    const { type, data } = readJson(message.body) as { readonly type: string; readonly data: object };
    const body = JSON.stringify({
      type: type.replace('requested', 'decided'),
      data: { ...data, requestId: message.id, approved },
    });
    const id = newMessageId();
    store.put('message', id, { ...message, id, body, fault: null, only: null, times: 1, attempts: 0 });
    decided(play, approved);
  }

  /** Others may have changed it while a message was on its way. */
  function decided({ play }: Play, approved: boolean): void {
    store.put('play', play, { ...store.get('play', play)!, approved });
  }

  async function send({ id, body, fault }: Message, { network }: Play, timeoutMs: number) {
    const url = webhookUrl(network);
    if (url === null) return null;
    const now = Math.floor(Date.now() / 1_000);
    const timestamp = String(fault === 'old-timestamp' ? now - HOUR_S : now);
    const key = fault === 'bad-signature' ? Buffer.alloc(32) : secret;
    try {
      return await inTime({ timeoutMs, signal: closing.signal }, async signal => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            [WEBHOOK_ID]: id,
            [WEBHOOK_TIMESTAMP]: timestamp,
            [WEBHOOK_SIGNATURE]: signWebhook({ id, timestamp, body }, key),
          },
          body,
          signal,
        });
        return { status: response.status, body: (await response.text()).slice(0, 10_000) };
      });
    } catch {
      return null;
    }
  }

  const running = run();
  return {
    wake: () => wakeUp(),
    async close() {
      closing.abort();
      wakeUp();
      await running;
    },
  };
}

/** The same at each attempt to send it. */
export function newMessageId(): string {
  return `msg_${randomUUID()}`;
}

function typeOf({ body }: Message): string {
  return (readJson(body) as { readonly type: string }).type;
}

function isApproved(body: string): boolean {
  try {
    return (readJson(body) as { readonly result?: unknown }).result === 'approved';
  } catch {
    return false;
  }
}

/** The first ones that may be sent; those that are not to be sent any more are dropped. */
function due(store: IssuerStore, now: number): Message[] {
  const waiting = store
    .waiting()
    .filter(({ dueAt }) => dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt);
  const found: Message[] = [];
  for (const message of waiting) {
    if (found.length === CONCURRENCY) break;
    const may = mayBeSent(message, store.get('play', message.play)!);
    if (may) found.push(message);
    else if (may === false) store.put('message', message.id, { ...message, state: 'dropped' });
  }
  return found;
}
