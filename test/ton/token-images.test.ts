import { randomBytes } from 'node:crypto';
import { Address } from '@ton/core';
import request from 'supertest';
import { startLocalNetwork, type LocalNetwork } from './network';
import { friendly } from './testnet';

let network: LocalNetwork;
beforeAll(async () => {
  network = await startLocalNetwork('testnet', { settings: { RATE_LIMIT_FIRST_READS: '60' } });
});
afterAll(() => network.close());

it('a wallet shows the images of a hundred tokens at once: more than the accounts that a caller may have watched', async () => {
  const addresses = Array.from({ length: 100 }, () => new Address(0, randomBytes(32)));
  const statuses: number[] = [];
  for (const address of addresses)
    statuses.push((await request(network.app).get(`/tokens/image?address=${friendly(address)}`)).status);
  // Their addresses are made up: nobody has read them, and none has an image.
  expect(statuses).toEqual(addresses.map(() => 404));
});
