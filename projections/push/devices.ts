import {
  PUSH_DEVICE_CATEGORY,
  pushDeviceEvents,
  type PushDeviceEvent,
} from '../../contracts/events/push-device';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import { pushAccountId } from '../../contracts/push/push-cause';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { withFollower, withoutFollower, type Follower } from './followers';

/** A device that is notified. The id is that of the device. */
export type PushDeviceDocument = Document & {
  /** JSON of `PushContact`. */
  readonly contact: EncryptedText;
  /** The last registration that was recorded: RFC 3339 UTC instant. */
  readonly registeredAt: string;
  /** `CallerSource` of it, of its day; null where it was not recorded. */
  readonly source: string | null;
};

/** An account that devices follow, and those that have a place there. The id is that of the account. */
type FollowedDocument = Document & { readonly followers: Follower[] };

export const PUSH_DEVICES: CollectionSpec = {
  name: 'push_devices',
  indexes: [{ fields: [['registeredAt', 'desc']] }],
  counts: [[], ['source']],
};
const FOLLOWED: CollectionSpec = { name: 'push_followed_accounts', indexes: [] };

export const pushDevicesProjection: EventProjection = {
  name: 'push-devices',
  version: 5,
  categories: [PUSH_DEVICE_CATEGORY],
  collections: [PUSH_DEVICES, FOLLOWED],
  touches(recorded) {
    const { type, data } = pushDeviceEvents.read(recorded);
    const kept = type === 'PushDeviceRegistered' ? data.accounts.map(({ id }) => id) : [];
    return [
      { collection: PUSH_DEVICES.name, id: data.deviceId },
      ...[...kept, ...data.dropped].map(id => ({ collection: FOLLOWED.name, id })),
    ];
  },
  fold(document, recorded, { collection, id }) {
    const event = pushDeviceEvents.read(recorded);
    if (collection === FOLLOWED.name) {
      const followers = followersAfter((document as FollowedDocument | null)?.followers ?? [], event, id);
      return followers.length > 0 ? ({ _id: id, followers } satisfies FollowedDocument) : null;
    }
    if (event.type === 'PushDeviceRetired') return null;
    const { contact, source, at: registeredAt } = event.data;
    return { _id: id, contact, registeredAt, source } satisfies PushDeviceDocument;
  },
};

function followersAfter(
  followers: readonly Follower[],
  { type, data }: PushDeviceEvent,
  id: string,
): Follower[] {
  const { deviceId: device, at: registeredAt } = data;
  const account = type === 'PushDeviceRegistered' && data.accounts.find(account => account.id === id);
  if (!account) return withoutFollower(followers, device);
  const { since, isProven, source } = account;
  return withFollower(followers, { device, since, registeredAt, isProven, source });
}

/** The devices that have a place at an account: those that are notified, and some that would be instead of them. */
export async function findFollowers(
  views: Pick<Views, 'get'>,
  account: AccountRef,
): Promise<readonly Follower[]> {
  const found = await views.get<FollowedDocument>(FOLLOWED.name, pushAccountId(accountKey(account)));
  return found?.followers ?? [];
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

/** How many devices are registered. @param source only those whose last registration came from it; default: all */
export function countPushDevices(views: Pick<Views, 'count'>, source?: string): Promise<number> {
  return views.count(PUSH_DEVICES.name, source === undefined ? {} : { source });
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
