import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';
import { physicalName, physicalSpecs } from '../../projections/engine/generation';
import { EVENTS, MESSAGES, type InputKind } from '../../projections/engine/input-kinds';
import { allEvents, topicPartition, type InputPartition } from '../../projections/engine/input-partition';
import { openPartitionWriter } from '../../projections/engine/partition-writer';
import { withoutEngineFields } from '../../projections/engine/stored-document';
import {
  isLogProjection,
  type DocumentKey,
  type EventProjection,
  type Fold,
  type LogProjection,
} from '../../projections/projection';
import { InMemoryDocuments } from '../doubles/documents';

/** Documents by collection, in ascending order of id. */
export type Expected = Readonly<Record<string, readonly Document[]>>;

/**
 * Tests a projection: `await given(invoices, history(...)).then({ invoices: [...] })`.
 *
 * The inputs go through the engine's own writer. The documents must be the same
 * - in one batch and one input at a time,
 * - when the checkpoint is lost afterwards and everything is delivered again.
 *
 * The fold itself need not be idempotent: the engine stores with each document the last input that changed it and skips
 * inputs it has seen. A fold must be pure, so documents and inputs are frozen here (the engine would not notice a
 * change in place), and results must be plain JSON.
 */
export function given<P extends EventProjection | LogProjection>(
  projection: P,
  inputs: P extends LogProjection ? readonly LogMessage[] : readonly RecordedEvent[],
) {
  /** Runs all comparisons. @returns the documents, without the engine's fields */
  const replay = async (): Promise<Expected> => {
    const folded = strict(projection as unknown as Fold<unknown>);
    const partitions = isLogProjection(projection)
      ? byPartition(projection, inputs as readonly LogMessage[])
      : [{ partition: allEvents(projection.name, 1), kind: EVENTS as InputKind<unknown>, inputs }];

    const documents = await open(folded);
    await apply(documents, folded, partitions, Infinity);
    const result = await contents(documents, folded);
    const stored = await contents(documents, folded, document => document);

    const oneByOne = await open(folded);
    await apply(oneByOne, folded, partitions, 1);
    expect(await contents(oneByOne, folded, document => document)).toEqual(stored);

    for (const { partition } of partitions) documents.forgetCheckpoint(partition.checkpoint);
    await apply(documents, folded, partitions, Infinity);
    expect(await contents(documents, folded, document => document)).toEqual(stored);

    return result;
  };
  return {
    replay,
    /** Collections that are not named must be empty. */
    async then(expected: Expected): Promise<void> {
      const all = Object.fromEntries(projection.collections.map(({ name }) => [name, expected[name] ?? []]));
      expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(expected)));
      expect(await replay()).toEqual(all);
    },
  };
}

interface PartitionInputs {
  readonly partition: InputPartition;
  readonly kind: InputKind<unknown>;
  readonly inputs: readonly unknown[];
}

function byPartition({ name }: LogProjection, messages: readonly LogMessage[]): PartitionInputs[] {
  const messagesOf = new Map<string, LogMessage[]>();
  for (const message of messages) {
    const partition = `${message.topic}/${message.partition}`;
    messagesOf.set(partition, [...(messagesOf.get(partition) ?? []), message]);
  }
  return [...messagesOf.values()].map(inputs => ({
    partition: topicPartition(name, 1, inputs[0]!.topic, inputs[0]!.partition),
    kind: MESSAGES as InputKind<unknown>,
    inputs,
  }));
}

async function open(projection: Fold<unknown>): Promise<InMemoryDocuments> {
  const documents = new InMemoryDocuments();
  await documents.declare(physicalSpecs(projection.collections, 1));
  return documents;
}

/** Folds the inputs after the checkpoint of each partition, in batches. */
async function apply(
  documents: InMemoryDocuments,
  projection: Fold<unknown>,
  partitions: readonly PartitionInputs[],
  size: number,
): Promise<void> {
  for (const { partition, kind, inputs } of partitions) {
    const writer = await openPartitionWriter(documents, projection, 1, partition, kind);
    for (let from = 0; from < inputs.length; from += size) {
      const batch = inputs.slice(from, from + size);
      await writer.apply(batch, kind.sequenceOf(batch.at(-1)), { flush: true });
    }
  }
}

async function contents(
  documents: InMemoryDocuments,
  { collections }: Fold<unknown>,
  as: (document: Document) => Document = withoutEngineFields,
): Promise<Expected> {
  const found: Record<string, Document[]> = {};
  for (const { name } of collections)
    found[name] = (await documents.find<Document>(physicalName(name, 1), { limit: 10_000 })).documents.map(
      as,
    );
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
