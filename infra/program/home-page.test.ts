import express from 'express';
import request from 'supertest';
import type { NetworkRef } from '../../contracts/network/network';
import type { CheckHealth } from './health/health';
import { homePage } from './home-page';

type Results = Awaited<ReturnType<CheckHealth>>;

const check = (name: string, reason: string | null, vital = false): Results[number] => ({
  name,
  vital,
  reason,
  run: async () => reason,
});
const HEALTHY = check('log', null, true);

const page = async (
  results: Results,
  hasLocalNetworks = true,
  off: readonly NetworkRef[] = [],
  hasConsole = true,
): Promise<{ text: string; policy: string }> => {
  const app = express().use(
    homePage({
      version: '1.2.3',
      hasConsole,
      instance: '<local>',
      hasLocalNetworks,
      off,
      checkHealth: async () => results,
    }),
  );
  const { text, headers } = await request(app).get('/').expect(200);
  return { text, policy: headers['content-security-policy']! };
};

it('shows what runs, and leads to the documentation, the problems and the health', async () => {
  const { text, policy } = await page([HEALTHY]);
  for (const part of [
    'Version 1.2.3',
    '<code>&lt;local&gt;</code>',
    'Everything works.',
    'href="/docs"',
    'href="/problems"',
  ])
    expect(text).toContain(part);
  expect(text).toContain('href="/health/ready"');
  expect(text).toContain('href="/devnet"');
  expect(text).not.toMatch(/<script|<style|<local>/);
  expect(policy).toContain("default-src 'none'");
});

it('says that something is wrong, not what: reasons name hosts, and are for operators', async () => {
  const failing = check('ton_mainnet_sources', 'connect ECONNREFUSED <127.0.0.1>');
  const { text } = await page([HEALTHY, failing], false);
  expect(text).not.toContain('ton_mainnet_sources');
  expect(text).not.toContain('127.0.0.1');
  expect(text).toContain('tidemark status');
  expect(text).not.toContain('>log<');
  expect(text).not.toContain('/devnet');
  expect(text).toContain('a part of it does not work');
  expect((await page([check('log', 'disk full', true)])).text).toContain('not ready');
});

it('leads to the console where the API is served', async () => {
  expect((await page([HEALTHY])).text).toContain('href="/console"');
  expect((await page([HEALTHY], true, [], false)).text).not.toContain('/console');
});

it('says which networks are off', async () => {
  const off = [
    { chain: 'ton', network: 'testnet' },
    { chain: 'solana', network: 'devnet' },
  ] as const;
  expect((await page([HEALTHY], true, off)).text).toContain(
    'Networks that are off: TON testnet, Solana devnet',
  );
  expect((await page([HEALTHY])).text).not.toContain('off:');
});
