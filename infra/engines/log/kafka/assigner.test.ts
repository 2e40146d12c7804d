import { AssignerProtocol, type Cluster } from 'kafkajs';
import { roundRobinAssigner } from './assigner';

const PARTITIONS: Record<string, number[]> = { fees: [2, 0, 1], rates: [0, 1] };

const cluster = {
  addMultipleTargetTopics: async () => undefined,
  findTopicPartitionMetadata: (topic: string) => PARTITIONS[topic]!.map(partitionId => ({ partitionId })),
} as unknown as Cluster;

const assigner = roundRobinAssigner({ cluster } as unknown as Parameters<typeof roundRobinAssigner>[0]);

const assigned = async (subscriptions: Record<string, string[]>): Promise<Record<string, unknown>> => {
  const members = Object.entries(subscriptions).map(([memberId, topics]) => ({
    memberId,
    memberMetadata: assigner.protocol({ topics }).metadata,
  }));
  const assignments = await assigner.assign({
    members,
    topics: members.length > 0 ? Object.keys(PARTITIONS) : [],
  });
  return Object.fromEntries(
    assignments.map(({ memberId, memberAssignment }) => [
      memberId,
      { ...AssignerProtocol.MemberAssignment.decode(memberAssignment)!.assignment },
    ]),
  );
};

test('the only member gets all partitions of its topics', async () => {
  expect(await assigned({ m: ['fees'] })).toEqual({ m: { fees: [0, 1, 2] } });
});

test('members share a topic, whatever their order', async () => {
  const shares = { a: { fees: [0, 2], rates: [0] }, b: { fees: [1], rates: [1] } };
  expect(await assigned({ a: ['fees', 'rates'], b: ['fees', 'rates'] })).toEqual(shares);
  expect(await assigned({ b: ['fees', 'rates'], a: ['fees', 'rates'] })).toEqual(shares);
});

test('no member gets a topic that it does not subscribe to', async () => {
  expect(await assigned({ a: ['fees'], b: ['rates'], c: ['rates'] })).toEqual({
    a: { fees: [0, 1, 2] },
    b: { rates: [0] },
    c: { rates: [1] },
  });
});

test('members without a partition get an empty assignment', async () => {
  expect(await assigned({ a: ['rates'], b: ['rates'], c: ['rates'] })).toMatchObject({ c: {} });
});
