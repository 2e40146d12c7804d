import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../../contracts/json/read-json';
import { openDatabase } from '../../engines/sqlite/database';
import { text } from '../../engines/sqlite/statement';
import type { CardOrder } from '../../../contracts/card-issuer/issuer';
import type { TonNetwork } from '../../../contracts/network/network';

export interface IssuedCard {
  readonly order: CardOrder;
  readonly lastFourDigits: string;
  /** Of the last change that was done; -1 before the first. */
  readonly changed: number;
}

/** A challenge that waits for its answer until then, Unix ms; `confirmed`: null while it waits. */
export interface IssuerChallenge {
  readonly challengeId: string;
  readonly play: string;
  readonly expiresAt: number;
  readonly confirmed: boolean | null;
}

/** One run of a scenario, and what has become of it so far. */
export interface Play {
  readonly play: string;
  readonly network: TonNetwork;
  /** Null while the authorisation was not decided. */
  readonly approved: boolean | null;
  /** Null while a challenge was not answered. */
  readonly confirmed: boolean | null;
}

/** A webhook that is to be sent, or was. */
export interface Message {
  /** The same at each attempt. */
  readonly id: string;
  readonly play: string;
  /** Unix ms. */
  readonly dueAt: number;
  readonly body: string;
  /** Sent only once this is so, and dropped when it is not. */
  readonly only: 'approved' | 'declined' | 'confirmed' | null;
  /** How often it is sent, though it was answered. */
  readonly times: number;
  readonly fault: 'unanswered' | 'late' | 'bad-signature' | 'old-timestamp' | null;
  readonly attempts: number;
  readonly state: 'waiting' | 'answered' | 'dropped';
  /** The last answer; null before the first. */
  readonly answer: { readonly status: number; readonly body: string } | null;
}

interface Kinds {
  readonly card: IssuedCard;
  readonly challenge: IssuerChallenge;
  readonly play: Play;
  readonly message: Message;
}
type Kind = keyof Kinds;

export interface IssuerStore {
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  put<K extends Kind>(kind: K, id: string, value: Kinds[K]): void;
  /** Of each the kind and the id. */
  remove(items: readonly (readonly [kind: Kind, id: string])[]): void;
  all<K extends Kind>(kind: K): readonly Kinds[K][];
  /** Messages that are to be sent. */
  waiting(): Message[];
  close(): void;
}

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS items (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT';
const UPSERT =
  'INSERT INTO items (kind, id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body';

/** @param dataDir keeps everything in a file there; null: in memory alone */
export function openIssuerStore(dataDir: string | null): IssuerStore {
  if (dataDir !== null) mkdirSync(dataDir, { recursive: true });
  const db = openDatabase(dataDir === null ? ':memory:' : join(dataDir, 'card-issuer-double.sqlite'));
  db.exec(SCHEMA);
  const upsert = db.prepare(UPSERT);
  const maps = { card: new Map(), challenge: new Map(), play: new Map(), message: new Map() } as {
    readonly [K in Kind]: Map<string, Kinds[K]>;
  };
  const waiting = new Map<string, Message>();
  const note = (message: Message): void => {
    if (message.state === 'waiting') waiting.set(message.id, message);
    else waiting.delete(message.id);
  };
  const deletion = db.prepare('DELETE FROM items WHERE kind = ? AND id = ?');
  const rows = db.prepare<[id: string, body: string]>(
    `SELECT ${text('id')}, ${text('body')} FROM items WHERE kind = ? ORDER BY rowid`,
  );
  for (const kind of ['card', 'challenge', 'play', 'message'] as const)
    for (const [id, body] of rows.all([kind])) (maps[kind] as Map<string, unknown>).set(id, readJson(body));
  maps.message.forEach(note);
  return {
    get: (kind, id) => maps[kind].get(id) as never,
    put(kind, id, value) {
      db.transaction(() => upsert.run([kind, id, JSON.stringify(value)]), { durable: false });
      (maps[kind] as Map<string, unknown>).set(id, value);
      if (kind === 'message') note(value as Message);
    },
    remove(items) {
      db.transaction(() => items.forEach(item => deletion.run([...item])), { durable: false });
      for (const [kind, id] of items) {
        maps[kind].delete(id);
        if (kind === 'message') waiting.delete(id);
      }
    },
    all: kind => [...maps[kind].values()] as never,
    waiting: () => [...waiting.values()],
    close: () => db.close(),
  };
}
