import { shareOf } from '../../contracts/bound';

/** Devices of an account that are notified. */
export const MAX_DEVICES = 10;

/** A wallet has not proven that a device is its own: it keeps its place from others while it registers again within that. */
export const UNPROVEN_MS = 30 * 86_400_000;

/** A device that follows an account. */
export type Follower = {
  readonly device: string;
  /** What happened before is not notified: RFC 3339 UTC instant, as all. */
  readonly since: string;
  /** The last registration that was recorded. */
  readonly registeredAt: string;
  /** The wallet of the account has signed that the device is its own. */
  readonly isProven: boolean;
  /** `CallerSource` of the last registration, at the account; null of one that was recorded without. */
  readonly source: string | null;
};

/**
 * The followers of an account after one has registered: as many as there are places, those that are proven and the others each
 * in order of admission. A follower that registers again keeps its place.
 */
export function withFollower(followers: readonly Follower[], follower: Follower): Follower[] {
  const before = followers.find(({ device }) => device === follower.device);
  if (before?.isProven === follower.isProven)
    return followers.map(each => (each === before ? follower : each));
  const [proven, unproven] = byProof(withoutFollower(followers, follower.device));
  return follower.isProven
    ? [...lastRegistered([...proven, follower]), ...unproven]
    : [...proven, ...admit(unproven, follower, MAX_DEVICES)];
}

export function withoutFollower(followers: readonly Follower[], device: string): Follower[] {
  return followers.filter(each => each.device !== device);
}

/**
 * The followers that are notified. An address is public, so anybody can register devices for it: those that its wallet has
 * proven to be its own come first, and the others have what they leave.
 */
export function notifiedFollowers(followers: readonly Follower[]): Follower[] {
  const [proven, unproven] = byProof(followers);
  const max = MAX_DEVICES - proven.length;
  const admitted = unproven.reduce<Follower[]>((all, each) => admit(all, each, max), []);
  return [...proven, ...admitted];
}

function byProof(followers: readonly Follower[]): readonly [proven: Follower[], unproven: Follower[]] {
  return [followers.filter(({ isProven }) => isProven), followers.filter(({ isProven }) => !isProven)];
}

/** All of them are of the owner of the account: the one that has not been there for the longest loses its place. */
function lastRegistered(proven: Follower[]): Follower[] {
  return proven.length > MAX_DEVICES ? without(proven, leastRecent(proven)) : proven;
}

/**
 * Who came first stays, also where a rebuild finds a later one before it, of which the registrations until then are gone: the last
 * of all is the one to be admitted. Once all places are taken, a new one takes that of a device that has not registered for long, or the
 * last one of the source that has most, where that has more than its share and the new one's has less.
 */
function admit(admitted: Follower[], another: Follower, max: number): Follower[] {
  const all = [...admitted, another].sort(bySince);
  const [unproven, follower] = [all.slice(0, -1), all.at(-1)!];
  if (unproven.length < max) return all;
  if (max === 0) return [];
  const oldest = leastRecent(unproven);
  const isStale = Date.parse(follower.registeredAt) - Date.parse(oldest.registeredAt) > UNPROVEN_MS;
  if (isStale) return [...without(unproven, oldest), follower];
  const placesOf = (of: Follower): number => unproven.filter(each => sourceOf(each) === sourceOf(of)).length;
  const heaviest = unproven.reduce((most, each) => (placesOf(each) >= placesOf(most) ? each : most));
  const share = shareOf(max);
  if (placesOf(heaviest) <= share || placesOf(follower) >= share) return unproven;
  return [...without(unproven, heaviest), follower];
}

/** What was registered without a source is taken for one of its own. */
const sourceOf = ({ source, device }: Follower): string => source ?? `device ${device}`;

const bySince = (one: Follower, other: Follower): number => Date.parse(one.since) - Date.parse(other.since);

const leastRecent = (followers: readonly Follower[]): Follower =>
  followers.reduce((oldest, each) => (each.registeredAt < oldest.registeredAt ? each : oldest));

const without = (followers: readonly Follower[], one: Follower): Follower[] =>
  followers.filter(each => each !== one);
