import { isRefusal, type WithoutMetadata } from '../../../contracts/decider';
import type { GaslessJettonEvent } from '../../../contracts/events/gasless-jetton';
import { gaslessJettonKind, type JettonCommand } from './decider';

const { initial, evolve, decide } = gaslessJettonKind.decider;
const [ONE, OTHER] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`] as const;
const place = { realm: 'live', network: 'mainnet' } as const;
const metadata = { now: '2026-12-01T12:00:00.000Z', actor: 'cli:ann' };
const about = { ...place, master: ONE, at: metadata.now, by: metadata.actor };
const code = { master: 'a'.repeat(64), wallet: 'b'.repeat(64) };
const named = { decimals: 6, perTon: null };

const listed: GaslessJettonEvent = { type: 'GaslessJettonListed', data: { ...about, ...named, code } };
const imported: GaslessJettonEvent = {
  type: 'GaslessJettonListed',
  data: { ...about, ...named, code: null },
};
const recorded: GaslessJettonEvent = { type: 'GaslessJettonCodeRecorded', data: { ...about, code } };
const paused: GaslessJettonEvent = { type: 'GaslessJettonPaused', data: about };
const resumed: GaslessJettonEvent = { type: 'GaslessJettonResumed', data: about };
const delisted: GaslessJettonEvent = { type: 'GaslessJettonDelisted', data: about };
const priced = (perTon: string | null): GaslessJettonEvent => ({
  type: 'GaslessJettonPriced',
  data: { ...about, perTon },
});

type Given = Omit<WithoutMetadata<JettonCommand>, 'place'>;
const list = { type: 'list', master: ONE, ...named, code };
const of = (type: 'pause' | 'resume' | 'delist') => ({ type, master: ONE });
const price = (perTon: string | null) => ({ type: 'price', master: ONE, perTon });
const record = { type: 'recordCode', master: ONE, code };
const naming = (...masters: string[]) => ({
  type: 'import',
  jettons: masters.map(master => ({ master, ...named })),
});

it.each<[string, GaslessJettonEvent[], object, GaslessJettonEvent[] | string]>([
  ['the first start lists what settings name', [], naming(ONE), [imported]],
  ['a start whose settings name none lists none', [], naming(), []],
  ['a later start lists nothing', [listed], naming(ONE, OTHER), []],
  ['nor where all were taken off the list', [listed, delisted], naming(ONE), []],
  ['a jetton is listed', [], list, [listed]],
  ['once', [listed], list, 'gasless_jetton_listed'],
  ['also while it is paused', [listed, paused], list, 'gasless_jetton_listed'],
  ['again after it was taken off', [listed, delisted], list, [listed]],
  ['it is paused', [listed], of('pause'), [paused]],
  ['once', [listed, paused], of('pause'), []],
  ['it is resumed', [listed, paused], of('resume'), [resumed]],
  ['only where it is paused', [listed], of('resume'), []],
  ['it is taken off', [listed, paused], of('delist'), [delisted]],
  ['a price is said', [listed], price('3.2'), [priced('3.2')]],
  ['the same says nothing new', [listed, priced('3.2')], price('3.2'), []],
  ['nor does another text of it', [listed, priced('3.2')], price('003.20'), []],
  ['nor where an earlier version has recorded that text', [listed, priced('3.20')], price('3.2'), []],
  ['a price is recorded in its shortest form', [listed], price('0010.500'), [priced('10.5')]],
  ['and one of an integer', [listed], price('100.0'), [priced('100')]],
  ['and one below one', [listed], price('00.05'), [priced('0.05')]],
  ['its pools price it again', [listed, priced('3.2')], price(null), [priced(null)]],
  ['the code of one that settings have named is recorded', [imported], record, [recorded]],
  ['once', [imported, recorded], record, []],
  ['what was listed with its code keeps that', [listed], record, []],
  ...(['pause', 'resume', 'delist'] as const).map((type): [string, GaslessJettonEvent[], object, string] => [
    `${type} of one that is not listed`,
    [listed, delisted],
    of(type),
    'gasless_jetton_not_listed',
  ]),
  ['a price of one that is not listed', [], price('1'), 'gasless_jetton_not_listed'],
  ['a code of one that is not listed', [], record, 'gasless_jetton_not_listed'],
])('%s', (_, given, when, then) => {
  const command = { ...(when as Given), place, metadata } as JettonCommand;
  const decision = decide(given.reduce(evolve, initial()), command);
  expect(isRefusal(decision) ? decision.code : decision).toEqual(then);
});

it('what was said of a jetton is forgotten when it is listed again', () => {
  const again = [listed, paused, priced('3.2'), delisted, listed].reduce(evolve, initial());
  expect([...again!.values()]).toEqual([
    { master: ONE, ...named, code, isPaused: false, at: metadata.now, by: metadata.actor },
  ]);
});
