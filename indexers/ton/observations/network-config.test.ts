import { beginCell, Cell, Dictionary } from '@ton/core';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';
import { storeSizeLimitsConfig, type SizeLimitsConfig } from '@ton/sandbox/dist/config/config.tlb-gen';
import { observe } from '../../../test/contracts/observation';
import { tonNetworkConfigObservation } from './network-config';

/** The configuration of the main network as the sandbox bundles it. */
const MAINNET = Dictionary.loadDirect(
  Dictionary.Keys.Int(32),
  Dictionary.Values.Cell(),
  Cell.fromBase64(defaultConfig),
);

/** Reads with a double of the client, whose network has these parameters beside those of the main network. */
async function read(changes: Readonly<Record<number, Cell | null>> = {}) {
  const ton = {
    getLastBlock: async () => ({ seqno: 7, now: 0 }),
    async getConfig(_seqno: number, ids: readonly number[]) {
      const all = new Map([...MAINNET].filter(([id]) => ids.includes(id)));
      for (const [id, cell] of Object.entries(changes))
        if (cell) all.set(Number(id), cell);
        else all.delete(Number(id));
      return all;
    },
  };
  const { height, data } = await observe(tonNetworkConfigObservation, { network: 'mainnet' }, { ton });
  expect(height).toBe(7);
  return data;
}

const sizes = {
  max_msg_bits: 1,
  max_msg_cells: 2,
  max_library_cells: 3,
  max_vm_data_depth: 4,
  max_ext_msg_size: 5,
  max_ext_msg_depth: 6,
};
const limitsCell = (config: SizeLimitsConfig): Cell =>
  beginCell().store(storeSizeLimitsConfig(config)).endCell();

it('reads the prices of the main network', async () => {
  const { dnsRoot, gas, messages } = await read();
  expect(dnsRoot).toMatch(/^-1:[0-9a-f]{64}$/);
  expect(gas).toMatchObject({
    masterchain: { flatLimit: '100', gasLimit: '1000000', specialGasLimit: '70000000' },
    workchain: { flatLimit: '100', gasLimit: '1000000', specialGasLimit: '1000000' },
  });
  expect([messages.workchain.firstFraction, messages.masterchain.firstFraction]).toEqual([21_845, 21_845]);
});

it('reads the limits of messages in both forms', async () => {
  const expected = { maxBits: 1, maxCells: 2, maxExternalSize: 5, maxExternalDepth: 6 };
  const first = limitsCell({ kind: 'SizeLimitsConfig_size_limits_config', ...sizes });
  const second = limitsCell({
    kind: 'SizeLimitsConfig_size_limits_config_v2',
    ...sizes,
    max_acc_state_cells: 7,
    max_acc_state_bits: 8,
    max_acc_public_libraries: 9,
    defer_out_queue_size_limit: 10,
    max_msg_extra_currencies: 11,
    max_acc_fixed_prefix_length: 12,
  });
  expect((await read({ 43: first })).limits).toEqual(expected);
  expect((await read({ 43: second })).limits).toEqual(expected);
});

it('has the limits that validators apply where the network names none, and none of another form', async () => {
  expect((await read()).limits).toEqual({
    maxBits: 2_097_152,
    maxCells: 8_192,
    maxExternalSize: 65_535,
    maxExternalDepth: 512,
  });
  expect((await read({ 43: beginCell().storeUint(9, 8).endCell() })).limits).toBeNull();
});

it('has no root of names where the network has none, and fails without prices', async () => {
  expect((await read({ 4: null })).dnsRoot).toBeNull();
  await expect(read({ 21: null })).rejects.toThrow();
});

it('writes its subject, and reads it back', () => {
  const { format, parse } = tonNetworkConfigObservation.subject;
  for (const network of ['mainnet', 'testnet'] as const)
    expect(parse(format({ network }))).toEqual({ network });
  expect(() => parse('ton:devnet')).toThrow();
});
