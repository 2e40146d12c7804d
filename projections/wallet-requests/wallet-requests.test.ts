import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { walletRequestsProjection } from './wallet-requests';

const requestor = `0:${'aa'.repeat(32)}`;
const confirmant = `0:${'bb'.repeat(32)}`;
const at = '2026-03-01T12:01:00.000Z';
const text = { subject: `ton:mainnet:${requestor}`, ciphertext: 'v1.A.A' };
const signed = { signedAt: 1_772_366_460, publicKey: '07'.repeat(32), signature: 'c2ln', response: null };

const facts = (requestId: string, network = 'mainnet') => ({ requestId, network, requestor, confirmant });
const created = {
  at: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-01T12:05:00.000Z',
  message: text,
  metadata: null,
};
const event = (requestId: string, type: string, data: object, network?: string) =>
  [`walletRequest-${requestId}`, { type, data: { ...facts(requestId, network), ...data } }] as const;

const documents = (requestId: string, state: object, network = 'mainnet') =>
  (['requestor', 'confirmant'] as const).map(role => {
    const account = `ton:${network}:${role === 'requestor' ? requestor : confirmant}`;
    const { at: since, ...rest } = created;
    const request = { ...facts(requestId, network), source: null, ...rest, created: since };
    return { _id: `${account}/${requestId}`, account, role, ...request, answer: null, ...state };
  });

it('has each request twice: as its requestor and as its confirmant has it', () =>
  given(
    walletRequestsProjection,
    history(
      event('1', 'WalletRequestCreated', created),
      event('2', 'WalletRequestCreated', created, 'testnet'),
      event('3', 'WalletRequestCreated', created),
      event('4', 'WalletRequestCreated', created),
      event('1', 'WalletRequestConfirmed', { at, ...signed }),
      event('3', 'WalletRequestDeclined', { at, ...signed, response: text }),
      event('4', 'WalletRequestExpired', { at }),
    ),
  ).then({
    wallet_requests: [
      ...documents('1', { status: 'confirmed', position: 4, answer: { at, ...signed } }),
      ...documents('2', { status: 'pending', position: 1 }, 'testnet'),
      ...documents('3', { status: 'declined', position: 5, answer: { at, ...signed, response: text } }),
      ...documents('4', { status: 'expired', position: 6 }),
    ].sort((a, b) => (a._id < b._id ? -1 : 1)),
  }));
