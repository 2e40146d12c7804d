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
  /** When the wallet answered; null before. */
  readonly answered: number | null;
  readonly granted: boolean;
  readonly revoked: boolean;
  /** When something was last recorded of it. */
  readonly used: number;
  /** Who has begun it: one of the day; null where it was not recorded. */
  readonly source: string | null;
};

/** The commands to an installation of a wallet app, by its public key. */
export type ConnectCommandDocument = Document & {
  /** The latest to each of the first wallets of the installation, and of those to all others the latest of each source. */
  readonly commands: ConnectCommand[];
};

export type ConnectCommand = {
  /** Null for one that is not among the first wallets of the installation. */
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
/** The first answers among which these wallets are: one wallet answers for several applications. */
const MAX_ANSWERS = 256;
/** Sources of commands to other wallets: the last ones. */
const MAX_SOURCES = 4;

export const CONNECT_SESSIONS = 'connect_sessions';
export const CONNECT_COMMANDS = 'connect_commands';

export const connectionsProjection: EventProjection = {
  name: 'connections',
  version: 4,
  categories: [CONNECT_SESSION_CATEGORY, CONNECT_COMMAND_CATEGORY],
  collections: [
    {
      name: CONNECT_SESSIONS,
      indexes: [
        {
          fields: [
            ['wallet.appPublicKey', 'asc'],
            ['answered', 'asc'],
          ],
        },
      ],
      counts: [[], ['source']],
    },
    { name: CONNECT_COMMANDS, indexes: [] },
  ],
  touches(recorded) {
    if (isCommand(recorded))
      return [{ collection: CONNECT_COMMANDS, id: connectCommandEvents.read(recorded).data.appPublicKey }];
    return [{ collection: CONNECT_SESSIONS, id: connectSessionEvents.read(recorded).data.key }];
  },
  fold(document, recorded, { id }) {
    if (isCommand(recorded)) {
      const installation = (document as ConnectCommandDocument | null) ?? { _id: id, commands: [] };
      return commandsAfter(installation, connectCommandEvents.read(recorded));
    }
    return sessionAfter(document as ConnectSessionDocument | null, connectSessionEvents.read(recorded));
  },
};

const isCommand = ({ stream }: RecordedEvent): boolean => stream.startsWith(`${CONNECT_COMMAND_CATEGORY}-`);

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
  return commands.length > 0 ? { ...installation, commands } : null;
}

function withCommand(
  installation: ConnectCommandDocument,
  { wallet: to, isOfFirstWallets, session, source, job, at, expiresAt }: ConnectCommandSubmitted['data'],
): ConnectCommandDocument {
  const wallet = isOfFirstWallets === false ? null : to;
  const command = { wallet, session, source, job, created: Date.parse(at), expires: Date.parse(expiresAt) };
  const isReplaced = (each: ConnectCommand): boolean =>
    each.wallet === wallet && (wallet !== null || each.source === source);
  const all = [...installation.commands.filter(each => !isReplaced(each)), command];
  const toWallets = all.filter(each => each.wallet !== null).slice(-MAX_WALLETS);
  const toOthers = all.filter(each => each.wallet === null).slice(-MAX_SOURCES);
  return { ...installation, commands: [...toWallets, ...toOthers] };
}

function sessionAfter(
  document: ConnectSessionDocument | null,
  { type, data }: ConnectSessionEvent,
): ConnectSessionDocument | null {
  const at = Date.parse(data.at);
  const updated = document ? Math.max(at, document.updated + 1) : at;
  const begun = {
    _id: data.key,
    created: at,
    updated,
    used: at,
    wallet: null,
    answered: null,
    granted: false,
    revoked: false,
  };
  switch (type) {
    case 'ConnectSessionOpened': {
      const { testnet, name, url, source } = data;
      return { ...begun, testnet, name, url, source, expires: Date.parse(data.expiresAt) };
    }
    case 'ConnectSessionAnswered': {
      const { testnet, wallet, source } = data;
      const answer = { wallet, answered: at };
      if (document) return { ...document, updated, used: at, ...answer };
      const [name, url] = [data.name ?? '', wallet.endpoint ?? ''];
      return { ...begun, testnet, name, url, source, expires: null, ...answer };
    }
    case 'ConnectSessionGranted':
      return document && { ...document, updated, used: at, granted: true };
    case 'ConnectSessionRevoked':
      return document && { ...document, updated, used: at, revoked: true };
    case 'ConnectSessionUsed':
      return document && { ...document, used: at };
    case 'ConnectSessionRemoved':
      return null;
  }
}

type Get = Pick<Views, 'get'>;

/** @param key base64url */
export function findConnectSession(views: Get, key: string): Promise<ConnectSessionDocument | null> {
  return views.get<ConnectSessionDocument>(CONNECT_SESSIONS, key);
}

/** The commands to an installation of a wallet. @param appPublicKey base64url */
export async function findConnectCommands(
  views: Get,
  appPublicKey: string,
): Promise<readonly ConnectCommand[]> {
  return (await views.get<ConnectCommandDocument>(CONNECT_COMMANDS, appPublicKey))?.commands ?? [];
}

type Find = Pick<Views, 'find' | 'isOutdated'>;

/** Addresses of those that were the first to answer as an installation, in that order. @param appPublicKey base64url */
export async function findFirstWallets(views: Find, appPublicKey: string): Promise<readonly string[]> {
  const answers = await findFirstAnswers(views, appPublicKey, MAX_ANSWERS);
  return [...new Set(answers)].slice(0, MAX_WALLETS);
}

/** The first of these. */
export async function findFirstWallet(views: Find, appPublicKey: string): Promise<string | null> {
  return (await findFirstAnswers(views, appPublicKey, 1))[0] ?? null;
}

async function findFirstAnswers(
  views: Find,
  appPublicKey: string,
  limit: number,
): Promise<readonly string[]> {
  // Those of an earlier version have no index for it.
  if (await views.isOutdated([CONNECT_SESSIONS])) return [];
  const { documents } = await views.find<ConnectSessionDocument>(CONNECT_SESSIONS, {
    filter: { 'wallet.appPublicKey': appPublicKey },
    order: [['answered', 'asc']],
    limit,
  });
  return documents.map(({ wallet }) => wallet!.address);
}
