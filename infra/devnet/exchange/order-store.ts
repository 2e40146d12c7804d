import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../engines/sqlite/database';
import { text } from '../../engines/sqlite/statement';
import type { Order } from './order';
import { readJson } from '../../../contracts/json/read-json';

export interface OrderStore {
  add(order: Order): void;
  /** Several when an id was given twice; oldest first. */
  withId(id: string): readonly Order[];
  paidTo(payoutAddress: string): readonly Order[];
  /** Oldest first. */
  all(): readonly Order[];
  last(): Order | undefined;
  close(): void;
}

const SCHEMA = 'CREATE TABLE IF NOT EXISTS orders (position INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT';

/** @param dataDir keeps the orders in a file there; null: in memory alone */
export function openOrderStore(dataDir: string | null): OrderStore {
  const orders: Order[] = [];
  const byId = new Map<string, Order[]>();
  const byPayoutAddress = new Map<string, Order[]>();
  const file = dataDir === null ? null : openFile(dataDir);

  const index = (order: Order): void => {
    orders.push(order);
    push(byId, order.id, order);
    push(byPayoutAddress, order.payoutAddress, order);
  };
  file?.read().forEach(index);

  return {
    add(order) {
      file?.write(order);
      index(order);
    },
    withId: id => byId.get(id) ?? [],
    paidTo: payoutAddress => byPayoutAddress.get(payoutAddress) ?? [],
    all: () => orders,
    last: () => orders.at(-1),
    close: () => file?.close(),
  };
}

function openFile(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const db = openDatabase(join(dataDir, 'changelly-double.sqlite'));
  db.exec(SCHEMA);
  const insert = db.prepare('INSERT INTO orders (body) VALUES (?)');
  const select = db.prepare<readonly [string]>(`SELECT ${text('body')} FROM orders ORDER BY position`);
  return {
    read: () => select.all().map(([body]) => readJson(body) as Order),
    // What a failing machine loses was worth nothing.
    write: (order: Order) => db.transaction(() => insert.run([JSON.stringify(order)]), { durable: false }),
    close: () => db.close(),
  };
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const ID_LENGTH = 16;

/** Sixteen letters and digits. */
export function newOrderId(): string {
  const random = BigInt(`0x${randomBytes(16).toString('hex')}`);
  return random.toString(36).padStart(ID_LENGTH, '0').slice(-ID_LENGTH);
}
