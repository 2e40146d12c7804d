import {
  CONNECT_COMMAND_CATEGORY,
  connectCommandEvents,
  type ConnectCommandEvent,
} from '../../contracts/events/connect-command';
import {
  CONNECT_SESSION_CATEGORY,
  connectSessionEvents,
  type ConnectSessionEvent,
  type ConnectWallet,
} from '../../contracts/events/connect-session';
import type { Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A session by its key. Times are milliseconds since the epoch. */
export type ConnectSessionDocument = Document & {
  readonly testnet: boolean;
  readonly name: string;
  readonly url: string;
  readonly created: number;
  /** Greater after every change, also of those within a millisecond. */
  readonly updated: number;
  /** When a wallet may not answer any more; null when no application has opened the session. */
  readonly expires: number | null;
  readonly wallet: ConnectWallet | null;
  readonly granted: boolean;
  readonly revoked: boolean;
};

/** The latest command to an installation of a wallet, by its public key. */
export type ConnectCommandDocument = Document & {
  /** Key of the session. */
  readonly session: string;
  readonly job: string;
  readonly created: number;
  readonly expires: number;
};

export const CONNECT_SESSIONS = 'connect_sessions';
export const CONNECT_COMMANDS = 'connect_commands';

export const connectionsProjection: EventProjection = {
  name: 'connections',
  version: 1,
  categories: [CONNECT_SESSION_CATEGORY, CONNECT_COMMAND_CATEGORY],
  collections: [
    { name: CONNECT_SESSIONS, indexes: [] },
    { name: CONNECT_COMMANDS, indexes: [] },
  ],
  touches(recorded) {
    if (isCommand(recorded))
      return [{ collection: CONNECT_COMMANDS, id: connectCommandEvents.read(recorded).data.appPublicKey }];
    return [{ collection: CONNECT_SESSIONS, id: connectSessionEvents.read(recorded).data.key }];
  },
  fold(document, recorded, { id }) {
    if (isCommand(recorded)) return commandOf(connectCommandEvents.read(recorded).data, id);
    return sessionAfter(document as ConnectSessionDocument | null, connectSessionEvents.read(recorded));
  },
};

const isCommand = ({ stream }: RecordedEvent): boolean => stream.startsWith(`${CONNECT_COMMAND_CATEGORY}-`);

const commandOf = (data: ConnectCommandEvent['data'], id: string): ConnectCommandDocument => ({
  _id: id,
  session: data.session,
  job: data.job,
  created: Date.parse(data.at),
  expires: Date.parse(data.expiresAt),
});

function sessionAfter(
  document: ConnectSessionDocument | null,
  { type, data }: ConnectSessionEvent,
): ConnectSessionDocument | null {
  const at = Date.parse(data.at);
  const updated = document ? Math.max(at, document.updated + 1) : at;
  const begun = { _id: data.key, created: at, updated, granted: false, revoked: false };
  switch (type) {
    case 'ConnectSessionOpened': {
      const { testnet, name, url } = data;
      return { ...begun, testnet, name, url, expires: Date.parse(data.expiresAt), wallet: null };
    }
    case 'ConnectSessionAnswered': {
      const { testnet, wallet } = data;
      if (document) return { ...document, updated, wallet };
      return { ...begun, testnet, name: data.name ?? '', url: wallet.endpoint ?? '', expires: null, wallet };
    }
    case 'ConnectSessionGranted':
      return document && { ...document, updated, granted: true };
    case 'ConnectSessionRevoked':
      return document && { ...document, updated, revoked: true };
  }
}

type Get = Pick<Views, 'get'>;

/** @param key base64url */
export function findConnectSession(views: Get, key: string): Promise<ConnectSessionDocument | null> {
  return views.get<ConnectSessionDocument>(CONNECT_SESSIONS, key);
}

/** The latest command to an installation of a wallet. @param appPublicKey base64url */
export function findConnectCommand(views: Get, appPublicKey: string): Promise<ConnectCommandDocument | null> {
  return views.get<ConnectCommandDocument>(CONNECT_COMMANDS, appPublicKey);
}
