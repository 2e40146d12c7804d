import { refuse, type CommandMetadata, type Decider } from '../../contracts/decider';
import {
  connectSessionEvents,
  type ConnectKind,
  type ConnectSessionEvent,
  type ConnectWallet,
} from '../../contracts/events/connect-session';
import type { StreamKind } from '../handle';
import type { Remove } from '../retention/retention';

interface Application {
  readonly testnet: boolean;
  readonly name: string;
  readonly url: string;
}

interface Answer {
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
}
export type SessionState = Session | null;

export type SessionCommand = Remove | ChangeSession;
export type ChangeSession = { readonly key: string; readonly metadata: CommandMetadata } & (
  | ({ readonly type: 'open' } & Application)
  | {
      readonly type: 'answer';
      readonly kind: ConnectKind;
      /** Null when the wallet does not say. */
      readonly testnet: boolean | null;
      readonly name: string | null;
      /** Its signature has been verified. */
      readonly wallet: ConnectWallet;
    }
  | { readonly type: 'grant' | 'revoke' }
);

/** How long a wallet may answer. */
const ANSWER_WITHIN_MS = 3_600_000;

const NOTHING: Session = { opened: null, answer: null, granted: false, revoked: false };

/**
 * Opened, answered by one wallet, granted; revoked at any time, for ever. A session of `tonconnect-v2` begins with the answer.
 * Whatever is repeated has no effect. Once it was answered it is never removed: the signature of the wallet stays valid, and would
 * connect it again after it was revoked.
 */
const sessionDecider: Decider<SessionState, SessionCommand, ConnectSessionEvent> = {
  initial: () => null,

  evolve(state, event) {
    const session = state ?? NOTHING;
    switch (event.type) {
      case 'ConnectSessionOpened': {
        const { key, testnet, name, url, expiresAt } = event.data;
        return { ...session, opened: { key, testnet, name, url, expiresAt } };
      }
      case 'ConnectSessionAnswered': {
        const { kind, testnet, wallet } = event.data;
        return { ...session, answer: { kind, testnet, wallet } };
      }
      case 'ConnectSessionGranted':
        return { ...session, granted: true };
      case 'ConnectSessionRevoked':
        return { ...session, revoked: true };
      case 'ConnectSessionRemoved':
        return null;
    }
  },

  decide(session, command) {
    if (command.type === 'remove') return remove(session, command.metadata.now);
    const { key, type, metadata } = command;
    const data = { key, at: metadata.now };
    switch (type) {
      case 'open':
        return open(session, command);
      case 'answer':
        return answer(session, command);
      case 'grant':
        if (!session?.answer || session.granted || session.revoked) return [];
        return [{ type: 'ConnectSessionGranted', data }];
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
  const { key, testnet, name, url, metadata } = command;
  if (!session) {
    const expiresAt = new Date(Date.parse(metadata.now) + ANSWER_WITHIN_MS).toISOString();
    const data = { key, testnet, name, url, expiresAt, at: metadata.now };
    return [{ type: 'ConnectSessionOpened' as const, data }];
  }
  const { opened } = session;
  if (opened?.testnet === testnet && opened.name === name && opened.url === url) return [];
  return refuse('connect_key_used', 'The key belongs to another session.');
}

function answer(session: SessionState, command: Extract<ChangeSession, { type: 'answer' }>) {
  const { key, kind, name, wallet, metadata } = command;
  const testnet = command.testnet ?? session?.opened?.testnet ?? false;
  if (session?.answer) {
    if (isSame(session.answer, { kind, testnet, wallet })) return [];
    return refuse('connect_already_completed', 'The session has already been answered.');
  }
  if (session ? !isAwaiting(session, kind, metadata.now) : kind === 'ton-x')
    return refuse('connect_session_invalid', 'No session with this key awaits an answer.');
  if (session?.opened && session.opened.testnet !== testnet)
    return refuse('connect_network_mismatch', 'The session belongs to another network.');
  const data = { key, kind, testnet, name, wallet, at: metadata.now };
  return [{ type: 'ConnectSessionAnswered' as const, data }];
}

function remove(session: SessionState, at: string): readonly ConnectSessionEvent[] {
  if (!session?.opened || session.answer || at < session.opened.expiresAt) return [];
  return [{ type: 'ConnectSessionRemoved', data: { key: session.opened.key, at } }];
}

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
