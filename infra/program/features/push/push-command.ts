import type { Config } from '../../../config/settings';
import { Command } from 'commander';
import { z } from 'zod';
import { parseAccountAddress } from '../../../../contracts/account/account-address';
import { pushDeviceStream } from '../../../../contracts/events/push-device';
import {
  PUSH_NOTIFICATION_CATEGORY,
  pushNotificationEvents,
  type PushNotificationEvent,
} from '../../../../contracts/events/push-notification';
import { accountAddress } from '../../../../contracts/http/fields/account';
import { SOLANA_NETWORKS, TON_NETWORKS, type AccountRef } from '../../../../contracts/network/network';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { Problem } from '../../../../contracts/problem/problem';
import {
  findFollowers,
  findPushDevices,
  lastPushDevices,
  pushDevicesProjection,
} from '../../../../projections/push/devices';
import type { Views } from '../../../../projections/views';
import type { PersonalTexts } from '../../../../services/personal-texts/personal-text';
import { decryptContacts } from '../../../../services/push/device/contacts';
import { pushDeviceKind } from '../../../../services/push/device/decider';
import { pushContent } from '../../../../services/push/notification/content';
import { openPersonalTexts } from '../../personal-texts';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withReads } from '../../commands/reading';
import { withEngines } from '../../commands/with-engines';
import { readJson } from '../../../../contracts/json/read-json';
import { writtenNumber } from '../../../../contracts/text/written-number';

const MAX_LISTED = 1_000;
const limit = writtenNumber.int().min(1).max(MAX_LISTED);
const limitOption = ['--limit <count>', `maximum number to show, at most ${MAX_LISTED}`, '50'] as const;

/** Notifications of devices. Tokens are secrets of the devices, and never shown. */
export function pushCommand(config: () => Config): Command {
  return new Command('push')
    .description('push notifications and the devices that receive them')
    .addCommand(outboxCommand(config))
    .addCommand(devicesCommand(config))
    .addCommand(retireCommand(config));
}

const outboxCommand = (config: () => Config): Command =>
  new Command('outbox')
    .description('show the newest notifications and their outcomes')
    .option(...limitOption)
    .action(async (flags: object, command: Command) => {
      const wanted = parseInput(z.object({ limit }), flags);
      const notifications = await withEngines(config(), async ({ engines }) =>
        newestNotifications(engines.store, await openPersonalTexts(config(), engines), wanted.limit),
      );
      const rows = notifications.map(({ at, kind, device, status, content }) => [
        at,
        kind,
        device,
        status,
        content ? `${content.title}: ${content.body}` : '(erased)',
      ]);
      print(
        { notifications },
        list('notifications', [['AT', 'KIND', 'DEVICE', 'STATUS', 'TEXT'], ...rows]),
        command,
      );
    });

const STATUSES: Readonly<Record<PushNotificationEvent['type'], string>> = {
  PushNotificationClaimed: 'claimed',
  PushNotificationAccepted: 'accepted',
  PushNotificationRejected: 'rejected',
  PushNotificationDeferred: 'deferred',
  PushNotificationOutcomeUnknown: 'outcome_unknown',
  PushNotificationUndelivered: 'undelivered',
};

type Claimed = Extract<PushNotificationEvent, { type: 'PushNotificationClaimed' }>['data'];

/** Read backwards, until there are enough: what became of a notification comes after its claim. */
async function newestNotifications(store: Pick<EventStore, 'readAll'>, texts: PersonalTexts, limit: number) {
  const last = new Map<string, string>();
  const claimed = new Map<string, Claimed>();
  const categories = [PUSH_NOTIFICATION_CATEGORY];
  for await (const page of store.readAll({ categories, direction: 'backwards' })) {
    for (const recorded of page) {
      const { type, data } = pushNotificationEvents.read(recorded);
      if (!last.has(data.notificationId)) last.set(data.notificationId, STATUSES[type]);
      if (type === 'PushNotificationClaimed' && !claimed.has(data.notificationId) && claimed.size < limit)
        claimed.set(data.notificationId, data);
    }
    if (claimed.size === limit) break;
  }
  const found = [...claimed.values()];
  const contents = await texts.decryptAll(found.map(({ content }) => content));
  return found.map(({ notificationId, deviceId, kind, at }, i) => ({
    id: notificationId,
    at,
    kind,
    device: deviceId,
    status: last.get(notificationId)!,
    content: contents[i] ? pushContent.parse(readJson(contents[i])) : null,
  }));
}

const NETWORKS = [...new Set([...TON_NETWORKS, ...SOLANA_NETWORKS])];
const devicesInput = z.object({
  address: accountAddress.optional(),
  network: z.enum(NETWORKS).optional(),
  limit,
});

const devicesCommand = (config: () => Config): Command =>
  new Command('devices')
    .description('show the most recently registered devices')
    .option('--address <address>', 'only those that follow this account')
    .option('--network <network>', `of the address: ${NETWORKS.join(', ')}`)
    .option(...limitOption)
    .action(async (flags: object, command: Command) => {
      const { address, network, limit } = parseInput(devicesInput, flags);
      const account = address === undefined ? null : accountOf(address, network);
      const devices = await withReads(
        config(),
        [pushDevicesProjection],
        async ({ engines, engine: { views } }) =>
          readDevices(views, await openPersonalTexts(config(), engines), account, limit),
      );
      const rows = devices.map(({ id, registeredAt, accounts }) => [
        id,
        registeredAt,
        accounts?.join(' ') ?? '(erased)',
      ]);
      print({ devices }, list('devices', [['DEVICE', 'REGISTERED', 'ACCOUNTS'], ...rows]), command);
    });

/** @throws Problem for a network that the address is not of */
function accountOf(address: string, network: (typeof NETWORKS)[number] | undefined): AccountRef {
  const account = parseAccountAddress(address)!;
  if (network === undefined) return account;
  const networks: readonly string[] = account.chain === 'ton' ? TON_NETWORKS : SOLANA_NETWORKS;
  if (!networks.includes(network)) throw Problem.invalid('network', `no network of ${account.chain}`);
  return { ...account, network } as AccountRef;
}

async function readDevices(
  views: Pick<Views, 'find' | 'get' | 'getMany'>,
  texts: PersonalTexts,
  account: AccountRef | null,
  limit: number,
) {
  const found = account
    ? await findPushDevices(
        views,
        (await findFollowers(views, account)).slice(0, limit).map(({ device }) => device),
      ).then(devices => [...devices.values()])
    : await lastPushDevices(views, limit);
  const contacts = await decryptContacts(texts, found);
  return found.map(({ _id, registeredAt }, i) => ({
    id: _id,
    registeredAt,
    accounts: contacts[i]?.accounts ?? null,
  }));
}

const retireInput = z.object({ device: z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a device') });

const retireCommand = (config: () => Config): Command =>
  new Command('retire')
    .description(
      'stop notifying a device until it registers again; `tidemark erase push:<device>` erases what is known about it',
    )
    .argument('<device>', 'its id, as `tidemark push devices` lists it')
    .action(async (given: string, _flags: object, command: Command) => {
      const { device } = parseInput(retireInput, { device: given });
      await decideAsOperator(config(), command, {
        about: { device },
        kind: pushDeviceKind,
        stream: pushDeviceStream(device),
        given: { type: 'retire' },
      });
      print({ device, retired: true }, [`${device} is no longer notified`], command);
    });
