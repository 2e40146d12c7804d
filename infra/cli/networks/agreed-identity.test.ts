import { WrongNetwork } from '../../../contracts/network/wrong-network';
import { createAgreedIdentity } from './agreed-identity';

const A = 'https://user:secret@a.example';
const B = 'https://b.example';

test('sources of one identity agree', async () => {
  const identity = createAgreedIdentity('ton:mainnet', undefined, ['https://a.example']);
  await identity.check(A, 'ours');
  await identity.check(B, 'ours');
  expect(identity.agreed()).toBe('ours');
});

test('sources of different networks are not decided between, and each is named without its credentials', async () => {
  const identity = createAgreedIdentity('ton:mainnet', undefined, ['https://a.example']);
  await identity.check(A, 'ours');
  await expect(identity.check(B, 'other')).rejects.toThrow(WrongNetwork);
  expect(() => identity.agreed()).toThrow(/https:\/\/a\.example is ours; https:\/\/b\.example is other/);
});

test('a source that is not what the operator has set is refused', async () => {
  const identity = createAgreedIdentity('ton:mainnet', 'set', ['https://a.example']);
  await expect(identity.check(A, 'ours')).rejects.toThrow(WrongNetwork);
  expect(() => identity.agreed()).toThrow('correct this first');
});

test('without an answer nothing is compared', () => {
  expect(() => createAgreedIdentity('ton:mainnet', 'set', ['https://a.example']).agreed()).toThrow(
    'no source answers with its identity, of https://a.example by the settings',
  );
});
