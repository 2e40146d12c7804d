import { PUSH_DEVICE_CATEGORY, pushDeviceEvents } from '../../contracts/events/push-device';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import { pushAccountId } from '../../contracts/push/push-cause';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A device that is notified. The id is that of the device. */
export type PushDeviceDocument = Document & {
  /** JSON of `PushContact`. */
  readonly contact: EncryptedText;
  /** The last registration that was recorded: RFC 3339 UTC instant. */
  readonly registeredAt: string;
};

/** A device that follows an account. The id is that of the account, `/` and that of the device. */
type FollowerDocument = Document & {
  readonly account: string;
  readonly device: string;
  /** What happened before is not notified. */
  readonly since: string;
  readonly registeredAt: string;
};

/** An account that devices follow, and how many. The id is that of the account. */
type FollowedDocument = Document & { readonly devices: number };

export const PUSH_DEVICES: CollectionSpec = {
  name: 'push_devices',
  indexes: [{ fields: [['registeredAt', 'desc']] }],
  counts: [[]],
};
const FOLLOWERS: CollectionSpec = {
  name: 'push_followers',
  indexes: [
    {
      fields: [
        ['account', 'asc'],
        ['registeredAt', 'desc'],
      ],
    },
    {
      fields: [
        ['account', 'asc'],
        ['since', 'asc'],
      ],
    },
  ],
};
const FOLLOWED: CollectionSpec = { name: 'push_followed_accounts', indexes: [] };

export const pushDevicesProjection: EventProjection = {
  name: 'push-devices',
  version: 2,
  categories: [PUSH_DEVICE_CATEGORY],
  collections: [PUSH_DEVICES, FOLLOWERS, FOLLOWED],
  touches(recorded) {
    const { type, data } = pushDeviceEvents.read(recorded);
    const kept = type === 'PushDeviceRegistered' ? data.accounts : [];
    const added = kept.filter(({ isAdded }) => isAdded);
    return [
      { collection: PUSH_DEVICES.name, id: data.deviceId },
      ...[...kept.map(({ id }) => id), ...data.dropped].map(account => ({
        collection: FOLLOWERS.name,
        id: `${account}/${data.deviceId}`,
      })),
      ...[...added.map(({ id }) => id), ...data.dropped].map(id => ({ collection: FOLLOWED.name, id })),
    ];
  },
  fold(document, recorded, { collection, id }) {
    const { type, data } = pushDeviceEvents.read(recorded);
    if (collection === FOLLOWED.name) {
      const before = (document as FollowedDocument | null)?.devices ?? 0;
      const devices = before + (data.dropped.includes(id) ? -1 : 1);
      return devices > 0 ? ({ _id: id, devices } satisfies FollowedDocument) : null;
    }
    if (type === 'PushDeviceRetired') return null;
    const { deviceId: device, contact, accounts, at: registeredAt } = data;
    if (collection === PUSH_DEVICES.name)
      return { _id: id, contact, registeredAt } satisfies PushDeviceDocument;
    const followed = accounts.find(account => id.startsWith(`${account.id}/`));
    if (!followed) return null;
    const { id: account, since } = followed;
    return { _id: id, account, device, since, registeredAt } satisfies FollowerDocument;
  },
};

type Follower = Pick<FollowerDocument, 'device' | 'since' | 'registeredAt'>;

/** The devices that follow an account, the last registered first. */
export function findFollowers(
  views: Pick<Views, 'find'>,
  account: AccountRef,
  limit: number,
): Promise<readonly Follower[]> {
  return followersOf(views, account, ['registeredAt', 'desc'], limit);
}

/** The devices that have followed an account for the longest, the first one first. */
export function findFirstFollowers(
  views: Pick<Views, 'find'>,
  account: AccountRef,
  limit: number,
): Promise<readonly Follower[]> {
  return followersOf(views, account, ['since', 'asc'], limit);
}

async function followersOf(
  views: Pick<Views, 'find'>,
  account: AccountRef,
  order: readonly [string, 'asc' | 'desc'],
  limit: number,
): Promise<readonly Follower[]> {
  const { documents } = await views.find<FollowerDocument>(FOLLOWERS.name, {
    filter: { account: pushAccountId(accountKey(account)) },
    order: [order],
    limit,
  });
  return documents;
}

/** Whether any device follows each of the accounts. @param keys `accountKey` of each */
export async function areFollowed(
  views: Pick<Views, 'getMany'>,
  keys: readonly string[],
): Promise<boolean[]> {
  const ids = keys.map(pushAccountId);
  const followed = await views.getMany(FOLLOWED.name, [...new Set(ids)]);
  return ids.map(id => followed.has(id));
}

/** Registered devices by id, without those that are not. */
export function findPushDevices(
  views: Pick<Views, 'getMany'>,
  ids: readonly string[],
): Promise<Map<string, PushDeviceDocument>> {
  return views.getMany<PushDeviceDocument>(PUSH_DEVICES.name, ids);
}

/** The devices that were registered last. */
export async function lastPushDevices(
  views: Pick<Views, 'find'>,
  limit: number,
): Promise<readonly PushDeviceDocument[]> {
  const { documents } = await views.find<PushDeviceDocument>(PUSH_DEVICES.name, {
    order: [['registeredAt', 'desc']],
    limit,
  });
  return documents;
}
