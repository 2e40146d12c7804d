import { SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import { TON_TRANSACTIONS } from '../../contracts/chain/ton';
import {
  PUSH_NOTIFICATION_CATEGORY,
  pushNotificationEvents,
  type PushNotificationEvent,
} from '../../contracts/events/push-notification';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import type { PushCause } from '../../contracts/push/push-cause';
import { parsePushToken } from '../../contracts/push/push-token';
import { openEngines } from '../../infra/engines/engines';
import { openPersonalTexts } from '../../infra/program/personal-texts';
import { push } from '../../infra/program/features/push';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import type { Feature } from '../../infra/program/feature';
import { causeJob, PUSH_CAUSES } from '../../services/push/causes/reactions';
import { PUSH_SUMMARIES } from '../../services/push/hour/summary';
import type { PushContent } from '../../services/push/notification/content';
import { PUSH_NOTIFICATIONS } from '../../services/push/notification/jobs';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';
import { until } from '../until';

/** No chain is followed: what happens is what a test says. */
const chains: Feature = { name: 'chains', topics: [TON_TRANSACTIONS, SOLANA_TRANSACTIONS] };

/** By their ids: also those that a program before a restart has registered. */
const names = new Map<string, string>();

type Claimed = Extract<PushNotificationEvent, { type: 'PushNotificationClaimed' }>['data'];

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A program that notifies devices, behind a proxy that names its callers. */
export interface PushProgram extends TestProgram {
  /** @param from the address of the caller */
  register(from: string, device: string, body: object): Promise<Answer>;
  /** Lets something happen, and waits until its devices are notified. */
  happened(...causes: readonly PushCause[]): Promise<void>;
  /** Ends the hours in which there was more than is notified. */
  endHours(): Promise<void>;
  /** The devices that were notified, in order of their names: a name for each notification. */
  notified(kind?: string): Promise<string[]>;
  /** What notifications of a kind say, in alphabetical order. */
  texts(kind: string): Promise<string[]>;
  /** What devices get with notifications of a kind, in the order in which they were sent. */
  contents(kind: string): Promise<PushContent[]>;
  /** @param time RFC 3339 */
  setClock(time: string): void;
}

/**
 * @param time RFC 3339, at which the clock of notifications stands; default: it is that of the machine
 * @param features beside those of notifications
 * @param more groups that these read, and the folder of the program
 */
export async function startPushProgram(
  time?: string,
  settings: Readonly<Record<string, string>> = {},
  features: readonly Feature[] = [],
  { beside = [], folder }: Pick<TestProgramOptions, 'beside' | 'folder'> = {},
): Promise<PushProgram> {
  let now = time;
  const summaries = new Map<string, NewJob>();
  let engineJobs: Jobs;
  const program = await startTestProgram({
    features: [chains, push, ...features],
    beside: [tonContracts, ...beside],
    ...(folder !== undefined && { folder }),
    settings: { TRUSTED_PROXIES: '1', ...settings },
    async open(config, logger) {
      const engines = await openEngines(config, logger);
      const { jobs } = engines;
      engineJobs = jobs;
      // Nobody waits until an hour has ended.
      const add = async (job: NewJob): Promise<boolean> => {
        if (job.queue !== PUSH_SUMMARIES) return jobs.add(job);
        summaries.set(job.id, { ...job, delayMs: 0 });
        return true;
      };
      return { ...engines, jobs: { ...jobs, add } };
    },
    clock: () => (now === undefined ? new Date() : new Date(now)),
  });
  const texts = await openPersonalTexts(program.deps.config, program.deps.engines);
  const url = await program.listen();
  const { store, jobs } = program.deps.engines;

  const untilDone = (): Promise<boolean> =>
    until(async () => {
      for (const queue of [PUSH_CAUSES, PUSH_SUMMARIES, PUSH_NOTIFICATIONS]) {
        const { waiting, running } = await jobs.counts(queue);
        if (waiting + running > 0) return false;
      }
      return true;
    });

  async function claimed(kind?: string): Promise<Claimed[]> {
    const found: Claimed[] = [];
    for await (const page of store.readAll({ categories: [PUSH_NOTIFICATION_CATEGORY] }))
      for (const recorded of page) {
        const { type, data } = pushNotificationEvents.read(recorded);
        if (type === 'PushNotificationClaimed' && (kind === undefined || data.kind === kind))
          found.push(data);
      }
    return found;
  }

  async function contents(kind: string): Promise<PushContent[]> {
    const found = await texts.decryptAll((await claimed(kind)).map(({ content }) => content));
    return found.map(content => JSON.parse(content!) as PushContent);
  }

  return {
    ...program,
    contents,
    async register(from, device, body) {
      const token = `ExponentPushToken[${device}]`;
      names.set(parsePushToken(token)!.deviceId, device);
      const response = await fetch(`${url}/push/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ token, appPublicKey: Buffer.alloc(32, 7).toString('base64'), ...body }),
      });
      return { status: response.status, body: await response.json() };
    },
    async happened(...causes) {
      for (const cause of causes) await jobs.add(causeJob(cause));
      await untilDone();
    },
    async endHours() {
      for (const job of summaries.values()) await engineJobs.add(job);
      await untilDone();
    },
    notified: async kind => (await claimed(kind)).map(({ deviceId }) => names.get(deviceId)!).sort(),
    texts: async kind => (await contents(kind)).map(({ body }) => body).sort(),
    setClock: time => void (now = time),
  };
}
