import express from 'express';
import request from 'supertest';
import type { TonDevnetDescription } from './ton/traffic/traffic';
import { devnetPage } from './page';

const ALICE = { name: 'alice', address: 'UQAlice', walletVersion: 'v5r1', mnemonic: 'tired <logic> bag' };
const JETTON = { master: 'EQDollar', name: 'Local Dollar', symbol: 'LOCAL', decimals: 6 };

/** The page beside a TON network, with its accounts once these exist. */
const ask = (isSeeded: boolean, accept?: string) => {
  const described = {
    network: 'mainnet',
    endpoint: 'http://127.0.0.1:1',
    accounts: [ALICE],
    jettons: [JETTON],
    nfts: [{ collection: 'EQHarbour', name: 'Local Harbour', items: ['EQShip'] }],
    dex: { factory: 'EQFactory', pools: [{ jetton: 'EQDollar', pool: 'EQPool' }] },
    stakingPools: ['EQStaking'],
    liquidStakingPool: 'EQLiquid',
    usde: { master: 'EQUsde', stakedMaster: 'EQShares', vault: 'EQVault' },
    extraCurrency: 100,
    faucet: 'http://127.0.0.1:1/faucet',
  } as unknown as TonDevnetDescription;
  const ton = new Map(isSeeded ? [['mainnet', described] as const] : []);
  const local = { ton: new Map([['mainnet', { url: 'http://127.0.0.1:1' }]]), solana: new Map() };
  const traffic = { ton, solana: new Map(), stopped: Promise.resolve() };
  const asked = request(express().use(devnetPage(local as never, traffic))).get('/devnet');
  return accept === undefined ? asked : asked.set('Accept', accept);
};

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

it('shows people a page with the accounts and their keys', async () => {
  const { text } = await ask(true, BROWSER)
    .expect('Content-Type', /^text\/html/)
    .expect('Vary', /Accept/);
  for (const part of ['TON mainnet', 'UQAlice', 'tired &lt;logic&gt; bag', 'EQDollar', '/devnet/ton/advance'])
    expect(text).toContain(part);
  for (const address of [
    'Harbour',
    'Ship',
    'Factory',
    'Pool',
    'Staking',
    'Liquid',
    'Usde',
    'Shares',
    'Vault',
  ])
    expect(text).toContain(`<code>EQ${address}</code>`);
  expect(text).toContain('<code>http://127.0.0.1:1/faucet</code>');
  expect(text).not.toMatch(/<td>(<code>)?(advance|fork|skip|ton)</);
  expect(text).not.toContain('still being made');
  expect((await ask(false, BROWSER)).text).toContain('still being made');
});

it.each([undefined, '*/*', 'application/json'])(
  'answers programs, which accept %s, with JSON',
  async accept => {
    const { body } = await ask(true, accept).expect('Content-Type', /^application\/json/);
    expect(body).toMatchObject({ seeded: true, ton: [{ accounts: [ALICE] }] });
  },
);
