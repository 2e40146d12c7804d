import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';
import { DELETIONS } from '../../projections/engine/deletions';
import { physical, physicalSpecs } from '../../projections/engine/generation';
import { EVENTS, MESSAGES, type InputKind } from '../../projections/engine/inputs';
import { eventLane, partitionLane, type Lane } from '../../projections/engine/lane';
import { openLane } from '../../projections/engine/lane-writer';
import { visible } from '../../projections/engine/stored';
import {
  isLogProjection,
  type DocumentKey,
  type EventProjection,
  type Fold,
  type LogProjection,
} from '../../projections/projection';
import { Crash, InMemoryDocumentsDouble } from '../doubles/documents';

/** Documents by collection, in ascending order of id. */
export type Expected = Readonly<Record<string, readonly Document[]>>;

/**
 * The specification of a projection: `await given(invoices, history(...)).then({ invoices: [...] })`.
 *
 * The inputs go through the engine's own writer, over documents that commit write by write. Whatever they come to must
 * be the same
 * - in one batch and one input at a time,
 * - when the checkpoint is lost afterwards and everything is delivered again,
 * - when the program dies between any two writes of the batch, or before the checkpoint, and starts again.
 *
 * The fold itself need not be idempotent: the engine stores with each document the last input that changed it and skips
 * what it has seen, whatever adapter the documents are on. What a fold must be is pure, so documents and inputs are
 * frozen here (a fold that changes them in place would go unnoticed by the engine) and results must be plain JSON.
 */
export function given<P extends EventProjection | LogProjection>(
  projection: P,
  inputs: P extends LogProjection ? readonly LogMessage[] : readonly RecordedEvent[],
) {
  return {
    /** Collections that are not named are expected to be empty. */
    async then(expected: Expected): Promise<void> {
      const folded = strict(projection as unknown as Fold<unknown>);
      const lanes = isLogProjection(projection)
        ? partitions(projection, inputs as readonly LogMessage[])
        : [{ lane: eventLane(projection.name, 1), kind: EVENTS as InputKind<unknown>, inputs }];
      const all = Object.fromEntries(projection.collections.map(({ name }) => [name, expected[name] ?? []]));
      expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(expected)));

      const documents = await open(folded);
      await apply(documents, folded, lanes, Infinity);
      expect(await contents(documents, folded)).toEqual(all);
      const stored = await contents(documents, folded, document => document);

      const oneByOne = await open(folded);
      await apply(oneByOne, folded, lanes, 1);
      expect(await contents(oneByOne, folded, document => document)).toEqual(stored);

      for (const { lane } of lanes) documents.forget(lane.checkpoint);
      await apply(documents, folded, lanes, Infinity);
      expect(await contents(documents, folded, document => document)).toEqual(stored);

      for (let writes = 0; await crashes(folded, lanes, writes, stored); writes++);
    },
  };
}

interface LaneOfInputs {
  readonly lane: Lane;
  readonly kind: InputKind<unknown>;
  readonly inputs: readonly unknown[];
}

function partitions({ name }: LogProjection, messages: readonly LogMessage[]): LaneOfInputs[] {
  const byPartition = new Map<string, LogMessage[]>();
  for (const message of messages) {
    const partition = `${message.topic}/${message.partition}`;
    byPartition.set(partition, [...(byPartition.get(partition) ?? []), message]);
  }
  return [...byPartition.values()].map(inputs => ({
    lane: partitionLane(name, 1, inputs[0]!.topic, inputs[0]!.partition),
    kind: MESSAGES as InputKind<unknown>,
    inputs,
  }));
}

async function open(projection: Fold<unknown>): Promise<InMemoryDocumentsDouble> {
  const documents = new InMemoryDocumentsDouble();
  await documents.declare([DELETIONS, ...physicalSpecs(projection.collections, 1)]);
  return documents;
}

/** Folds what each lane has not seen yet, in batches of the size given. */
async function apply(
  documents: InMemoryDocumentsDouble,
  projection: Fold<unknown>,
  lanes: readonly LaneOfInputs[],
  size: number,
): Promise<void> {
  for (const { lane, kind, inputs } of lanes) {
    const writer = await openLane(documents, projection, 1, lane, kind);
    for (let from = 0; from < inputs.length; from += size) {
      const batch = inputs.slice(from, from + size);
      await writer.apply(batch, kind.at(batch.at(-1)), { flush: true });
    }
  }
}

/** Dies after so many writes, starts again, and must arrive at the same. False when there were not that many writes. */
async function crashes(
  projection: Fold<unknown>,
  lanes: readonly LaneOfInputs[],
  writes: number,
  stored: Expected,
): Promise<boolean> {
  const documents = await open(projection);
  documents.crashAfter = writes;
  try {
    await apply(documents, projection, lanes, Infinity);
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  await apply(documents, projection, lanes, 1);
  expect(await contents(documents, projection, document => document)).toEqual(stored);
  return true;
}

async function contents(
  documents: InMemoryDocumentsDouble,
  { collections }: Fold<unknown>,
  as: (document: Document) => Document = visible,
): Promise<Expected> {
  const found: Record<string, Document[]> = {};
  for (const { name } of collections)
    found[name] = (await documents.find<Document>(physical(name, 1), { limit: Infinity })).documents.map(as);
  return found;
}

function strict<Input>(projection: Fold<Input>): Fold<Input> {
  const plain = (folded: Document | null, { collection, id }: DocumentKey): Document | null => {
    if (!isDeepStrictEqual(folded, JSON.parse(JSON.stringify(folded))))
      throw new Error(`${collection}/${id} is not plain JSON`);
    return folded;
  };
  const { foldAll } = projection;
  return {
    ...projection,
    touches: input => projection.touches(frozen(input)),
    fold: (document, input, key) => plain(projection.fold(frozen(document), frozen(input), key), key),
    ...(foldAll && {
      foldAll: (document, inputs, key) => plain(foldAll(frozen(document), frozen(inputs), key), key),
    }),
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || Object.isFrozen(value))
    return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
