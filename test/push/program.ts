import { SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import { TON_TRANSACTIONS } from '../../contracts/chain/ton';
import { pushNotificationEvents } from '../../contracts/events/push-notification';
import type { PushCause } from '../../contracts/push/push-cause';
import { parsePushToken } from '../../contracts/push/push-token';
import { push } from '../../infra/program/features/push';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import type { Feature } from '../../infra/program/feature';
import { causeJob, PUSH_CAUSES } from '../../services/push/causes/reactions';
import { PUSH_NOTIFICATIONS } from '../../services/push/notification/jobs';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';

/** Contracts are read. Their endpoints need more features. */
const { routes: _, ...readContracts } = tonContracts;
/** No chain is followed: what happens is what a test says. */
const chains: Feature = { name: 'chains', topics: [TON_TRANSACTIONS, SOLANA_TRANSACTIONS] };

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
  /** The devices that were notified, in order of their names: a name for each notification. */
  notified(kind?: string): Promise<string[]>;
}

export async function startPushProgram(): Promise<PushProgram> {
  const program = await startTestProgram({
    features: [chains, push, readContracts],
    settings: { TRUSTED_PROXIES: '1' },
  });
  const url = await program.listen();
  const { store, jobs } = program.deps.engines;
  const names = new Map<string, string>();

  return {
    ...program,
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
      await until(async () => {
        const counts = await Promise.all([PUSH_CAUSES, PUSH_NOTIFICATIONS].map(queue => jobs.counts(queue)));
        return counts.every(({ waiting, running }) => waiting + running === 0);
      });
    },
    async notified(kind) {
      const found: string[] = [];
      for await (const page of store.readAll({ categories: ['pushNotification'] }))
        for (const recorded of page) {
          const { type, data } = pushNotificationEvents.read(recorded);
          if (type === 'PushNotificationClaimed' && (kind === undefined || data.kind === kind))
            found.push(names.get(data.deviceId)!);
        }
      return found.sort();
    },
  };
}
