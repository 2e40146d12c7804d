import { compareWithListed, faultOfState, type MasterReading } from './state';

const code = { master: 'a', wallet: 'b' };
const listed = { master: '0:1', decimals: 6, code };
const jetton = (changed: object): MasterReading => ({ state: 'jetton', code, decimals: 6, ...changed });
const change = (of: 'master' | 'wallet', found: string) => ({
  state: 'other_code',
  change: { master: '0:1', of, listed: code[of], found },
});

it.each<[string, MasterReading, object, string | null]>([
  ['as it was listed', jetton({}), { state: 'as_listed', code }, null],
  ['of unknown decimals', jetton({ decimals: null }), { state: 'as_listed', code }, null],
  [
    'of other decimals',
    jetton({ decimals: 9 }),
    { state: 'other_decimals', decimals: 9 },
    'other decimals: the chain says 9',
  ],
  [
    'of other code',
    jetton({ code: { ...code, master: 'c' } }),
    change('master', 'c'),
    'other code: that of the master',
  ],
  [
    'whose wallets have other code',
    jetton({ code: { ...code, wallet: 'c' } }),
    change('wallet', 'c'),
    'other code: that of the wallet',
  ],
  [
    'that was upgraded to no jetton',
    { state: 'no_jetton', code: 'c' },
    change('master', 'c'),
    'other code: that of the master',
  ],
  // Such as a node that cannot run its get methods.
  ['whose code does not answer', { state: 'no_jetton', code: 'a' }, { state: 'no_jetton' }, 'no jetton'],
  ['that is not deployed', { state: 'no_contract' }, { state: 'no_contract' }, 'no contract'],
  ['that is frozen', { state: 'frozen' }, { state: 'frozen' }, 'frozen'],
  ['that nodes which are behind know nothing of', { state: 'behind' }, { state: 'behind' }, null],
])('a master %s', (_, reading, state, fault) => {
  const found = compareWithListed(listed, reading);
  expect(found).toEqual(state);
  expect(faultOfState(found)).toBe(fault);
});

it('what a setting has listed has the code that is found first, and the decimals that are listed', () => {
  const unread = { ...listed, code: null };
  expect(compareWithListed(unread, jetton({}))).toEqual({ state: 'as_listed', code });
  expect(compareWithListed(unread, jetton({ decimals: 9 }))).toMatchObject({ state: 'other_decimals' });
  expect(compareWithListed(unread, { state: 'no_jetton', code: 'c' })).toEqual({ state: 'no_jetton' });
});
