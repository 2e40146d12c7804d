import fc from 'fast-check';
import { runs } from '../../../test/random';
import { isRefusal } from '../../../contracts/decider';
import { gaslessJettonKind, shortestPrice, type JettonCommand, type ListedJettons } from './decider';

const { initial, evolve, decide } = gaslessJettonKind.decider;
const place = { realm: 'live', network: 'testnet' } as const;
const metadata = { now: '2026-12-01T12:00:00.000Z', actor: 'cli:ann' };
const about = { place, metadata };

const master = fc.constantFrom('0:1', '0:2', '0:3');
const perTon = fc.constantFrom(null, '1', '3.2', '03.20');
const code = fc.constantFrom({ master: 'a', wallet: 'b' }, { master: 'c', wallet: 'd' });
const decimals = fc.constantFrom(6, 9);
const jettons = fc.uniqueArray(fc.record({ master, decimals, perTon }), { selector: each => each.master });

const command: fc.Arbitrary<JettonCommand> = fc
  .oneof(
    fc.record({ type: fc.constant('import' as const), jettons }),
    fc.record({ type: fc.constant('list' as const), master, decimals, perTon, code }),
    fc.record({ type: fc.constantFrom('pause' as const, 'resume' as const, 'delist' as const), master }),
    fc.record({ type: fc.constant('price' as const), master, perTon }),
    fc.record({ type: fc.constant('recordCode' as const), master, code }),
  )
  .map(given => ({ ...given, ...about }));

/** What an operator expects of the list: the payable ones, with prices. */
type Model = Map<string, { paused: boolean; perTon: string | null; code: object | null }>;

function follow(model: Model | null, given: JettonCommand): Model | null {
  if (given.type === 'import') {
    if (model || given.jettons.length === 0) return model;
    return new Map(
      given.jettons.map(each => [
        each.master,
        { paused: false, perTon: shortestPrice(each.perTon), code: null },
      ]),
    );
  }
  const known = model?.get(given.master);
  if (given.type === 'list') {
    if (known) return model;
    const listed = { paused: false, perTon: shortestPrice(given.perTon), code: given.code };
    return new Map(model).set(given.master, listed);
  }
  if (!model || !known) return model;
  if (given.type === 'delist') model.delete(given.master);
  if (given.type === 'pause' || given.type === 'resume') known.paused = given.type === 'pause';
  if (given.type === 'price') known.perTon = shortestPrice(given.perTon);
  if (given.type === 'recordCode') known.code ??= given.code;
  return model;
}

const seen = (state: ListedJettons) =>
  state && [...state.values()].map(each => [each.master, each.isPaused, each.perTon, each.code]);

it('the list is what operators have said, whatever they say', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), commands => {
      let state = initial();
      let model: Model | null = null;
      for (const given of commands) {
        const decision = decide(state, given);
        if (!isRefusal(decision)) state = decision.reduce(evolve, state);
        model = follow(model, given);
        expect(seen(state)).toEqual(
          model && [...model].map(([name, each]) => [name, each.paused, each.perTon, each.code]),
        );
        // A repeated command changes nothing.
        const again = decide(state, given);
        if (!isRefusal(again)) expect(again).toEqual([]);
      }
    }),
    runs(300),
  );
});
