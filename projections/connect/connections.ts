import {
  CONNECT_COMMAND_CATEGORY,
  connectCommandEvents,
  type ConnectCommandEvent,
  type ConnectCommandSubmitted,
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

/** The commands to an installation of a wallet app, by its public key. */
export type ConnectCommandDocument = Document & {
  /** Addresses that have answered sessions as this installation, in the order of their first answer. */
  readonly wallets: string[];
  /** The latest command to each of them, in the same order, and then those to all others: the latest of each source. */
  readonly commands: ConnectCommand[];
};

export type ConnectCommand = {
  /** Null for one that is not among the wallets of the installation. */
  readonly wallet: string | null;
  /** Key of the session. */
  readonly session: string;
  /** Who has submitted it; null where it was not recorded. */
  readonly source: string | null;
  readonly job: string;
  readonly created: number;
  readonly expires: number;
};

/** Anybody may answer a session of their own as any installation: one that comes later takes no place of an earlier wallet. */
const MAX_WALLETS = 16;
/** Sources of commands to other wallets: the last ones. */
const MAX_SOURCES = 4;

export const CONNECT_SESSIONS = 'connect_sessions';
export const CONNECT_COMMANDS = 'connect_commands';

export const connectionsProjection: EventProjection = {
  name: 'connections',
  version: 3,
  categories: [CONNECT_SESSION_CATEGORY, CONNECT_COMMAND_CATEGORY],
  collections: [
    { name: CONNECT_SESSIONS, indexes: [] },
    { name: CONNECT_COMMANDS, indexes: [] },
  ],
  touches(recorded) {
    if (isCommand(recorded))
      return [{ collection: CONNECT_COMMANDS, id: connectCommandEvents.read(recorded).data.appPublicKey }];
    const { type, data } = connectSessionEvents.read(recorded);
    const session = { collection: CONNECT_SESSIONS, id: data.key };
    if (type !== 'ConnectSessionAnswered') return [session];
    return [session, { collection: CONNECT_COMMANDS, id: data.wallet.appPublicKey }];
  },
  fold(document, recorded, { collection, id }) {
    if (collection === CONNECT_COMMANDS) {
      const installation = (document as ConnectCommandDocument | null) ?? {
        _id: id,
        wallets: [],
        commands: [],
      };
      return isCommand(recorded)
        ? commandsAfter(installation, connectCommandEvents.read(recorded))
        : withWallet(installation, connectSessionEvents.read(recorded));
    }
    return sessionAfter(document as ConnectSessionDocument | null, connectSessionEvents.read(recorded));
  },
};

const isCommand = ({ stream }: RecordedEvent): boolean => stream.startsWith(`${CONNECT_COMMAND_CATEGORY}-`);

function withWallet(
  installation: ConnectCommandDocument,
  { type, data }: ConnectSessionEvent,
): ConnectCommandDocument {
  const { wallets } = installation;
  if (type !== 'ConnectSessionAnswered' || wallets.length >= MAX_WALLETS) return installation;
  return { ...installation, wallets: [...new Set([...wallets, data.wallet.address])] };
}

function commandsAfter(
  installation: ConnectCommandDocument,
  { type, data }: ConnectCommandEvent,
): ConnectCommandDocument | null {
  if (type === 'ConnectCommandSubmitted') return withCommand(installation, data);
  // Those of a session within a millisecond go together.
  const [session, created] = [data.session, Date.parse(data.submittedAt)];
  const commands = installation.commands.filter(
    command => command.session !== session || command.created !== created,
  );
  return installation.wallets.length + commands.length > 0 ? { ...installation, commands } : null;
}

function withCommand(
  installation: ConnectCommandDocument,
  { wallet: address, session, source, job, at, expiresAt }: ConnectCommandSubmitted['data'],
): ConnectCommandDocument {
  const { wallets } = installation;
  const wallet = address !== null && wallets.includes(address) ? address : null;
  const command = { wallet, session, source, job, created: Date.parse(at), expires: Date.parse(expiresAt) };
  const isReplaced = (each: ConnectCommand): boolean =>
    each.wallet === wallet && (wallet !== null || each.source === source);
  const all = [...installation.commands.filter(each => !isReplaced(each)), command];
  const toWallets = wallets.flatMap(of => all.filter(each => each.wallet === of));
  const toOthers = all.filter(each => each.wallet === null);
  return { ...installation, commands: [...toWallets, ...toOthers.slice(-MAX_SOURCES)] };
}

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
    case 'ConnectSessionRemoved':
      return null;
  }
}

type Get = Pick<Views, 'get'>;

/** @param key base64url */
export function findConnectSession(views: Get, key: string): Promise<ConnectSessionDocument | null> {
  return views.get<ConnectSessionDocument>(CONNECT_SESSIONS, key);
}

/** What is known of an installation of a wallet. @param appPublicKey base64url */
export async function findConnectCommands(
  views: Pick<Views, 'get'>,
  appPublicKey: string,
): Promise<Pick<ConnectCommandDocument, 'wallets' | 'commands'>> {
  const found = await views.get<ConnectCommandDocument>(CONNECT_COMMANDS, appPublicKey);
  return found ?? { wallets: [], commands: [] };
}
