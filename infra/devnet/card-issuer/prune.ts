import { mayBeSent } from './may-be-sent';
import type { IssuerStore, Message } from './store';

/** Runs that have ended are shown for so long, and of more the last ones. */
const KEPT_MS = 86_400_000;
export const MAX_KEPT = 1_000;

/**
 * Removes runs of scenarios that have ended, with their webhooks and challenges. One whose webhooks wait for an answer of the holder that
 * nobody gives ends after a day; one whose webhooks wait to be sent does not end. Cards are kept.
 * @param now Unix ms
 */
export function pruneRuns(store: IssuerStore, now: number): void {
  const messages = new Map<string, Message[]>(store.all('play').map(({ play }) => [play, []]));
  for (const message of store.all('message')) messages.get(message.play)?.push(message);
  const ended = [...messages]
    .map(([play, sent]) => ({ play, sent, endedAt: endOf(store, sent, now) }))
    .filter(({ endedAt }) => endedAt < now)
    .sort((one, other) => other.endedAt - one.endedAt);
  const old = ended.filter(({ endedAt }, index) => index >= MAX_KEPT || now - endedAt > KEPT_MS);
  if (old.length === 0) return;
  const plays = new Set(old.map(({ play }) => play));
  store.remove([
    ...old.flatMap(({ sent }) => sent.map(({ id }) => ['message', id] as const)),
    ...store
      .all('challenge')
      .filter(({ play }) => plays.has(play))
      .map(({ challengeId }) => ['challenge', challengeId] as const),
    ...old.map(({ play }) => ['play', play] as const),
  ]);
}

/** When the last of them was due, Unix ms; infinite while one is still to be sent. */
function endOf(store: IssuerStore, messages: readonly Message[], now: number): number {
  const isOpen = (message: Message): boolean => {
    if (message.state !== 'waiting') return false;
    const isUndecided = mayBeSent(message, store.get('play', message.play)!) === null;
    return !isUndecided || now - message.dueAt <= KEPT_MS;
  };
  return messages.some(isOpen) ? Infinity : Math.max(0, ...messages.map(({ dueAt }) => dueAt));
}
