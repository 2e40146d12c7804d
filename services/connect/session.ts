import { refuse, type CommandMetadata, type Decider } from '../../contracts/decider';
import {
  connectSessionEvents,
  type ConnectKind,
  type ConnectSessionEvent,
  type ConnectWallet,
} from '../../contracts/events/connect-session';
import type { CallerPlace } from '../callers/caller-place';
import type { StreamKind } from '../commands/stream-kind';
import type { Remove } from '../retention/retention';

interface Application {
  readonly testnet: boolean;
  readonly name: string;
  readonly url: string;
}

interface Answer {
  readonly key: string;
  readonly kind: ConnectKind;
  readonly testnet: boolean;
  readonly wallet: ConnectWallet;
}

interface Session {
  /** Of a session that an application opened. */
  readonly opened: (Application & { readonly key: string; readonly expiresAt: string }) | null;
  readonly answer: Answer | null;
  readonly granted: boolean;
  readonly revoked: boolean;
  /** When something was last recorded of it, in milliseconds since the epoch. */
  readonly used: number;
}
export type SessionState = Session | null;

export type SessionCommand =
  Remove | { readonly type: 'remove_answered'; readonly metadata: CommandMetadata } | ChangeSession;
export type ChangeSession = { readonly key: string; readonly metadata: CommandMetadata } & (
  | ({ readonly type: 'open' } & Application & CallerPlace)
  | ({
      readonly type: 'answer';
      readonly kind: ConnectKind;
      /** Null when the wallet does not say. */
      readonly testnet: boolean | null;
      readonly name: string | null;
      /** Its signature has been verified. */
      readonly wallet: ConnectWallet;
    } & CallerPlace)
  | { readonly type: 'grant' | 'revoke' | 'use' }
);

/** How long a wallet may answer. */
const ANSWER_WITHIN_MS = 3_600_000;

/** So often a use is recorded. An age of answered sessions has to be longer. */
export const USE_INTERVAL_DAYS = 30;
const USE_INTERVAL_MS = USE_INTERVAL_DAYS * 86_400_000;

const NOTHING: Session = { opened: null, answer: null, granted: false, revoked: false, used: 0 };

/**
 * Opened, answered by one wallet, granted; revoked at any time, for ever. A session of `tonconnect-v2` begins with the answer.
 * Whatever is repeated has no effect, but is a use. One that was revoked stays revoked when all else of it is removed: the signature
 * of the wallet stays valid, and would connect it again.
 */
const sessionDecider: Decider<SessionState, SessionCommand, ConnectSessionEvent> = {
  initial: () => null,

  evolve(state, event) {
    const session = { ...(state ?? NOTHING), used: Date.parse(event.data.at) };
    switch (event.type) {
      case 'ConnectSessionOpened': {
        const { key, testnet, name, url, expiresAt } = event.data;
        return { ...session, opened: { key, testnet, name, url, expiresAt } };
      }
      case 'ConnectSessionAnswered': {
        const { key, kind, testnet, wallet } = event.data;
        return { ...session, answer: { key, kind, testnet, wallet } };
      }
      case 'ConnectSessionGranted':
        return { ...session, granted: true };
      case 'ConnectSessionRevoked':
        return { ...session, revoked: true };
      case 'ConnectSessionUsed':
        return session;
      case 'ConnectSessionRemoved':
        return event.data.revoked ? { ...NOTHING, revoked: true } : null;
    }
  },

  decide(session, command) {
    if (command.type === 'remove') return remove(session, command.metadata.now);
    if (command.type === 'remove_answered') return removeAnswered(session, command.metadata.now);
    const { key, type, metadata } = command;
    const data = { key, at: metadata.now };
    switch (type) {
      case 'open':
        return open(session, command);
      case 'answer':
        return answer(session, command);
      case 'grant':
        if (!session?.answer || session.granted || session.revoked) return use(session, data);
        return [{ type: 'ConnectSessionGranted', data }];
      case 'use':
        return use(session, data);
      case 'revoke':
        if (!session || session.revoked) return [];
        return [{ type: 'ConnectSessionRevoked', data }];
    }
  },
};

export const sessionKind: StreamKind<SessionState, SessionCommand, ConnectSessionEvent> = {
  decider: sessionDecider,
  events: connectSessionEvents,
};

function open(session: SessionState, command: Extract<ChangeSession, { type: 'open' }>) {
  const { key, testnet, name, url, source, hasPlace, metadata } = command;
  if (!session) {
    if (!hasPlace) return refuseMore();
    const expiresAt = new Date(Date.parse(metadata.now) + ANSWER_WITHIN_MS).toISOString();
    const data = { key, testnet, name, url, source, expiresAt, at: metadata.now };
    return [{ type: 'ConnectSessionOpened' as const, data }];
  }
  const { opened } = session;
  if (opened?.testnet === testnet && opened.name === name && opened.url === url) return [];
  return refuse('connect_key_used', 'The key belongs to another session.');
}

function answer(session: SessionState, command: Extract<ChangeSession, { type: 'answer' }>) {
  const { key, kind, name, wallet, source, metadata } = command;
  const testnet = command.testnet ?? session?.opened?.testnet ?? false;
  if (session?.answer) {
    if (isSame(session.answer, { key, kind, testnet, wallet }))
      return use(session, { key, at: metadata.now });
    return refuse('connect_already_completed', 'The session has already been answered.');
  }
  if (session ? !isAwaiting(session, kind, metadata.now) : kind === 'ton-x')
    return refuse('connect_session_invalid', 'No session with this key awaits an answer.');
  if (session?.opened && session.opened.testnet !== testnet)
    return refuse('connect_network_mismatch', 'The session belongs to another network.');
  if (!session && !command.hasPlace) return refuseMore();
  const data = { key, kind, testnet, name, wallet, source, at: metadata.now };
  return [{ type: 'ConnectSessionAnswered' as const, data }];
}

function remove(session: SessionState, at: string): readonly ConnectSessionEvent[] {
  if (!session?.opened || session.answer || at < session.opened.expiresAt) return [];
  return [{ type: 'ConnectSessionRemoved', data: { key: session.opened.key, revoked: false, at } }];
}

function removeAnswered(session: SessionState, at: string): readonly ConnectSessionEvent[] {
  if (!session?.answer) return [];
  const { answer, revoked } = session;
  return [{ type: 'ConnectSessionRemoved', data: { key: answer.key, revoked, at } }];
}

function use(session: SessionState, data: { readonly key: string; readonly at: string }) {
  return session?.answer && isUseDue(session, data.at) ? [{ type: 'ConnectSessionUsed' as const, data }] : [];
}

/** Whether a use has to be recorded, of a session that a wallet has answered. @param used milliseconds since the epoch */
export function isUseDue(
  { revoked, used }: { readonly revoked: boolean; readonly used: number },
  now: string,
): boolean {
  return !revoked && Date.parse(now) - used >= USE_INTERVAL_MS;
}

const refuseMore = () =>
  refuse('too_many_connect_sessions', 'One caller may have a quarter of what others leave in a day.');

function isAwaiting({ opened, revoked }: Session, kind: ConnectKind, now: string): boolean {
  return opened !== null && !revoked && kind === 'ton-x' && now < opened.expiresAt;
}

/** A wallet that signs again may have another signature. */
function isSame(one: Answer, other: Answer): boolean {
  const textOf = ({ kind, testnet, wallet }: Answer): string => {
    const { address, walletType, walletConfig, appPublicKey, endpoint } = wallet;
    return JSON.stringify([kind, testnet, address, walletType, walletConfig, appPublicKey, endpoint]);
  };
  return textOf(one) === textOf(other);
}
