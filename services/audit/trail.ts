import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CallAudited } from '../../contracts/events/audit';
import { failureLevel, isUnavailable } from '../../contracts/engine/engine-unavailable';
import { messageOf } from '../../contracts/text/error-message';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { AuditSubject, Audit } from './audit';
import type { AnyCall } from '../http/call';
import { problemOf } from '../http/problems';
import { encryptInTime } from '../personal-texts/encrypt-in-time';
import type { PersonalTexts } from '../personal-texts/personal-text';
import { Tally } from './tally';
import { outcomeOf, writeAudit, type AuditPlace } from './write';

interface TrailDeps extends AuditPlace {
  readonly texts: PersonalTexts;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly logger: Logger;
}

export interface AuditTrail {
  readonly audit: Audit;
  /** Records what has been counted so far. */
  flush(): Promise<void>;
}

/** Time for which refusals are counted before they are recorded. */
const COUNTING_MS = 60_000;
/** The subject of the address of a caller without a valid token. */
const UNAUTHENTICATED = 'unauthenticated';
const REFUSED = [401, 403, 409, 422, 429];
/** Statuses that a caller without a valid token or role can cause in any number. */
const PRE_AUTH_STATUSES = [400, 401, 403, 429];

/**
 * Writes, exports and fees are recorded before they are answered, with any outcome; other calls only when they are
 * refused, one by one up to a limit. Refusals over the limit, and all those of callers without a valid token, are counted
 * and recorded once a minute; so are those while the event store does not answer. A crash loses only that count.
 */
export function createAuditTrail({ texts, now, logger, ...place }: TrailDeps): AuditTrail {
  const tally = new Tally(() => Date.parse(now()));
  let countingSince: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const addresses = new LRUCache<string, { readonly encrypted: EncryptedText; readonly until: number }>({
    max: 1_000,
  });

  const encryptedAddress = async (actor: string | null, address: string): Promise<EncryptedText> => {
    const subject = actor ?? UNAUTHENTICATED;
    const key = JSON.stringify([subject, address]);
    const known = addresses.get(key);
    if (known && known.until > performance.now()) return known.encrypted;
    const encrypted = await encryptInTime(texts, subject, address);
    // What was encrypted before says the same. Without it the line has no address.
    if (!encrypted) return known?.encrypted ?? texts.erased(subject);
    addresses.set(key, { encrypted, until: performance.now() + COUNTING_MS });
    return encrypted;
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const from = countingSince;
    const tallied = tally.drain();
    countingSince = null;
    if (!tallied || from === null) return;
    const to = now();
    try {
      const counts = [];
      for (const { address, ...of } of tallied.counts)
        counts.push({ ...of, address: await encryptedAddress(of.actor, address) });
      await writeAudit(
        place,
        { type: 'RefusalsCounted', data: { from, to, counts, others: tallied.others } },
        to,
      );
    } catch (error) {
      tally.restore(tallied);
      countingSince = from;
      throw error;
    }
  };
  const flushLater = (): void => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        logger.error({ reason: messageOf(error) }, 'counted refusals could not be audited yet');
        flushLater();
      });
    }, COUNTING_MS).unref();
  };

  const record = async (call: AnyCall, subject: AuditSubject | null, outcome: Outcome): Promise<void> => {
    const { principal, requestId, ip } = call;
    const at = now();
    const data: CallAudited = {
      at,
      requestId,
      action: subject?.action ?? null,
      actor: principal?.subject ?? null,
      address: await encryptedAddress(principal?.subject ?? null, ip),
      issuer: principal?.issuer ?? null,
      role: principal?.role ?? null,
      session: { id: principal?.sessionId ?? null, age: principal?.secureSessionAge ?? null },
      about: { ...subject?.about },
      ...outcome,
    };
    await writeAudit(place, { type: 'CallAudited', data }, at);
  };

  const refused = async (call: AnyCall, subject: AuditSubject | null, error: unknown): Promise<void> => {
    const problem = problemOf(error);
    const { status, code } = problem;
    const actor = call.principal?.subject ?? null;
    const always = subject?.always === true && !PRE_AUTH_STATUSES.includes(status);
    if (!always && !REFUSED.includes(status)) return;
    // An event store that does not answer is not asked again: the caller would wait as long once more.
    const isStoreDown = isUnavailable(error, 'event store');
    if (!isStoreDown && (always || tally.takeSingle(actor)))
      return record(call, subject, { outcome: outcomeOf(problem), status, code, replayed: false });
    countingSince ??= now();
    tally.add({ action: subject?.action ?? null, actor, address: call.ip, status, code });
    flushLater();
  };

  return {
    flush,
    audit: subjectOf => async (call, next) => {
      const subject = (answer?: unknown): AuditSubject | null =>
        call.principal === null ? null : subjectOf(call.body, answer);
      try {
        const reply = await next();
        const { status = 200, headers, body } = reply;
        const about = subject(status < 400 ? body : undefined);
        if (about?.always) {
          const replayed = headers['Idempotent-Replayed'] !== undefined;
          const outcome = status < 400 && !about.isRefused ? 'ok' : 'refused';
          await record(call, about, { outcome, status, code: codeOf(status, body), replayed });
        }
        return reply;
      } catch (error) {
        await refused(call, subject(), error).catch((fault: unknown) => {
          const { status } = problemOf(error);
          if (status < 500) throw fault;
          logger[failureLevel(fault, 'error')](
            { err: fault, requestId: call.requestId },
            'a refusal could not be audited',
          );
        });
        throw error;
      }
    },
  };
}

type Outcome = Pick<CallAudited, 'outcome' | 'status' | 'code' | 'replayed'>;

const codeOf = (status: number, body: unknown): string | null =>
  status < 400 ? null : String((body as { code?: unknown }).code);
