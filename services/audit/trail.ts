import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CallAudited } from '../../contracts/events/audit';
import type { Sealed } from '../../contracts/personal-text';
import type { Problem } from '../../contracts/problem';
import type { Asked, Audited } from '../audited';
import type { Call } from '../http/binding';
import { problemOf } from '../http/problems';
import type { PersonalTexts } from '../personal-text';
import { Tally } from './tally';
import { outcomeOf, writeAudit, type AuditPlace } from './write';

interface TrailDeps extends AuditPlace {
  readonly texts: PersonalTexts;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly logger: Logger;
}

export interface AuditTrail {
  readonly audited: Audited;
  /** Writes what has been counted so far. */
  flush(): Promise<void>;
}

/** Milliseconds between a refusal that is only counted and the record of all that were counted with it. */
const COUNTING = 60_000;
/** Whose address it is where no token names anybody. */
const NOBODY = 'unauthenticated';
const REFUSED = [401, 403, 409, 422, 429];
/** Turned away before the call was looked into: anybody can have any number of these. */
const AT_THE_DOOR = [400, 401, 403, 429];

/**
 * Writes, exports and fees are written down before they are answered, whatever they come to; other calls only when they
 * are refused, and then one by one as long as there are few of them. The rest, and every refusal of a caller whom no
 * token names, is counted and written once a minute; a crash loses that count, and nothing else.
 */
export function createAuditTrail({ texts, now, logger, ...place }: TrailDeps): AuditTrail {
  const tally = new Tally();
  let countingSince: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const addresses = new LRUCache<string, Sealed>({ max: 1_000, ttl: COUNTING });

  const sealedAddress = async (actor: string | null, address: string): Promise<Sealed> => {
    const subject = actor ?? NOBODY;
    const key = JSON.stringify([subject, address]);
    const known = addresses.get(key);
    if (known) return known;
    const sealed = await texts.seal(subject, address);
    addresses.set(key, sealed);
    return sealed;
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const from = countingSince;
    const tallied = tally.drain();
    countingSince = null;
    if (!tallied || from === null) return;
    const to = now();
    const counts = [];
    for (const { address, ...of } of tallied.counts)
      counts.push({ ...of, address: await sealedAddress(of.actor, address) });
    await writeAudit(
      place,
      { type: 'RefusalsCounted', data: { from, to, counts, others: tallied.others } },
      to,
    );
  };
  const flushLater = (): void => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => logger.error({ error }, 'refusals could not be audited'));
    }, COUNTING).unref();
  };

  const record = async (call: AnyCall, asked: Asked | null, came: Outcome): Promise<void> => {
    const { principal, requestId, ip } = call;
    const at = now();
    const data: CallAudited = {
      at,
      requestId,
      action: asked?.action ?? null,
      actor: principal?.subject ?? null,
      address: await sealedAddress(principal?.subject ?? null, ip),
      issuer: principal?.issuer ?? null,
      role: principal?.role ?? null,
      session: { id: principal?.sessionId ?? null, age: principal?.secureSessionAge ?? null },
      about: { ...asked?.about },
      ...came,
    };
    await writeAudit(place, { type: 'CallAudited', data }, at);
  };

  const refused = async (call: AnyCall, asked: Asked | null, problem: Problem): Promise<void> => {
    const { status, code } = problem;
    const actor = call.principal?.subject ?? null;
    const always = asked?.always === true && !AT_THE_DOOR.includes(status);
    if (!always && !REFUSED.includes(status)) return;
    if (always || tally.takeSingle(actor))
      return record(call, asked, { outcome: outcomeOf(problem), status, code, replayed: false });
    countingSince ??= now();
    tally.add({ action: asked?.action ?? null, actor, address: call.ip, status, code });
    flushLater();
  };

  return {
    flush,
    audited: ask => async (call, carryOut) => {
      const asked = (): Asked | null => (call.body === undefined ? null : ask(call.body));
      try {
        const answered = await carryOut();
        const what = asked();
        if (what?.always) {
          const { status, headers, body } = answered;
          const replayed = headers['Idempotent-Replayed'] !== undefined;
          const outcome = status < 400 ? 'ok' : 'refused';
          await record(call, what, { outcome, status, code: codeOf(status, body), replayed });
        }
        return answered;
      } catch (error) {
        const problem = problemOf(error);
        await refused(call, asked(), problem).catch((fault: unknown) => {
          logger.error({ error: fault, requestId: call.requestId }, 'a refusal could not be audited');
          if (problem.status < 500) throw fault;
        });
        throw error;
      }
    },
  };
}

type AnyCall = Call<unknown, unknown, unknown>;
type Outcome = Pick<CallAudited, 'outcome' | 'status' | 'code' | 'replayed'>;

const codeOf = (status: number, body: unknown): string | null =>
  status < 400 ? null : String((body as { code?: unknown }).code);
