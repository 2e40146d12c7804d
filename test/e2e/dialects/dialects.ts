import { Address, type Cell } from '@ton/core';
import { JettonMaster, TonClient4 } from '@ton/ton';
import { formatTonAddress } from '../../../contracts/account/address';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import { until } from '../../until';
import { send, type Answer } from '../client';
import { LIQUID_STAKING_POOLS, NOMINATOR_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { localUsde } from '../../../infra/devnet/ton/usde/local-usde';
import type { Installation, LocalNetworks } from '../installation';
import { appSchemas } from './app-schemas';
import { APPLICATION_ROWS } from './applications';
import { CARD_ROWS } from './cards';
import { RATE_ROWS } from './rates';
import {
  get,
  post,
  testnetQuery,
  type DialectRequest,
  type Row,
  type StakingWorld,
  type World,
} from './requests';
import { ROWS_AFTER_A_DAY, STAKING_ROWS } from './staking';
import { TOKEN_ROWS } from './tokens';
import { TRANSACTION_ROWS } from './transactions';

/** Of the local accounts: it has every token, and has not claimed the mintless one. */
const OWNER = 1;

const askOf =
  (main: Installation) =>
  ({ method, path, body }: DialectRequest): Promise<Answer> =>
    send(main.program.url, method, path, { body: body && JSON.stringify(body) });

/** Asks as the specification writes it and as the app does, until both are answered with what the app accepts. */
async function untilAnswered(main: Installation, row: Row, world: World): Promise<void> {
  const ask = askOf(main);
  await until(async () => {
    const { app, spec, says } = await row.ask(world);
    const [ofApp, ofSpec] = await Promise.all([ask(app), spec && ask(spec)]);
    expect(ofApp.status).toBe(200);
    row.accepts(appSchemas(world.network)).parse(ofApp.body);
    expect({ body: ofApp.body as unknown }).toMatchObject({ body: says });
    // Again, where something has happened in between.
    if (ofSpec)
      expect({ status: ofSpec.status, body: ofSpec.body }).toEqual({ status: 200, body: ofApp.body });
    return true;
  });
}

/** Every row of the specification, asked as it is written there and as the public wallet app asks it. */
export function dialects(main: Installation): void {
  const ask = askOf(main);

  describe.each(TON_NETWORKS)('on %s', network => {
    const schemas = appSchemas(network);
    let world: World;

    beforeAll(async () => {
      world = await worldOf(main, network);
    });

    it.each([
      ...TRANSACTION_ROWS,
      ...TOKEN_ROWS,
      ...RATE_ROWS,
      ...APPLICATION_ROWS,
      ...CARD_ROWS,
      ...STAKING_ROWS,
    ])('$row', row => untilAnswered(main, row, world));

    it('the index of the hints has the other side of every row of history that shows a token', async () => {
      await until(async () => {
        const { body: history } = await ask(get(`/transactions/v2/${world.owner}?limit=100`));
        const { body: hints } = await ask(get(`/hints/full/${world.owner}${testnetQuery(world)}`));
        const { data } = schemas.historyV2.parse(history);
        const { addressesIndex } = schemas.fullHints.parse(hints);
        const others = data.flatMap(({ type, data: row }) =>
          type === 'ton' && row.operation.items[0]!.kind === 'token' ? [row.parsed.resolvedAddress] : [],
        );
        expect(others.length).toBeGreaterThan(0);
        expect(Object.keys(addressesIndex)).toEqual(expect.arrayContaining(others));
        return true;
      });
    });
  });
}

/** The rows that need a day to pass: what wallets sign by the clock of this machine is late for the chain after that. */
export function dialectsAfterADay(main: Installation): void {
  describe.each(TON_NETWORKS)('on %s', network => {
    let world: World;

    beforeAll(async () => {
      world = await worldOf(main, network);
      await passDay(main, network);
    });

    it.each(ROWS_AFTER_A_DAY)('$row', row => untilAnswered(main, row, world));
  });
}

/** Moves the clock of the chain on by a day, and by another one where the price of the first one was read too late. */
async function passDay(main: Installation, network: TonNetwork): Promise<void> {
  const ask = askOf(main);
  let passedAt = '';
  await until(async () => {
    const { status } = await ask(get(`/usde/${network}/apy`));
    if (status === 200) return true;
    const { body } = await ask(get(`/usde/${network}/rate`));
    const { time } = body as { time: string };
    if (time > passedAt) {
      const passed = await ask(post('/devnet/ton/advance', { network, seconds: 86_400 }));
      passedAt = (passed.body as { time: string }).time;
    }
    return false;
  });
}

async function worldOf(main: Installation, network: TonNetwork): Promise<World> {
  const place = await until(
    async () => (await main.places()).ton.find(each => each.network === network)!,
    ({ accounts }) => (accounts?.length ?? 0) > OWNER,
  );
  const cluster = network === 'mainnet' ? 'mainnet' : 'devnet';
  const solana = await until(
    async () => (await main.places()).solana.find(each => each.network === cluster)!,
    ({ accounts }) => (accounts?.length ?? 0) > OWNER,
  );
  const client = new TonClient4({ endpoint: place.endpoint, timeout: 60_000 });
  const { last: block } = await client.getLastBlock();
  const { address: owner, rawAddress: rawOwner } = place.accounts![OWNER]!;
  const { master } = place.jettons![0]!;
  const wallet = await client
    .open(JettonMaster.create(Address.parse(master)))
    .getWalletAddress(Address.parse(owner));
  const [{ collection, items }] = place.nfts! as [{ collection: string; items: readonly string[] }];

  const newest = async () => {
    const { last } = await client.getLastBlock();
    return (await client.getAccountLite(last.seqno, Address.parse(owner))).account.last!;
  };

  return {
    url: main.program.url,
    network,
    owner,
    rawOwner,
    solana: solana.accounts![OWNER]!.address,
    jetton: {
      master,
      rawMaster: Address.parse(master).toRawString(),
      wallet: formatTonAddress(wallet.toRawString(), network),
    },
    mintless: place.mintless!,
    item: items[OWNER]!,
    collection,
    extraCurrency: place.extraCurrency!,
    staking: stakingWorldOf(network, place.accounts!),
    seqno: block.seqno,
    async last() {
      const { lt, hash } = await newest();
      return { lt, hash };
    },
    async sent() {
      const { lt, hash } = await newest();
      const page = await client.getAccountTransactions(
        Address.parse(owner),
        BigInt(lt),
        Buffer.from(hash, 'base64'),
      );
      const { tx } = page.find(each => each.tx.inMessage?.info.type === 'external-in')!;
      return { messageHash: inMessageOf(tx.raw).hash().toString('hex'), hash: tx.hash().toString('hex') };
    },
    async election() {
      const { body } = await send(main.program.url, 'GET', `/net/${network}/elections/latest`);
      return (body as { elections: number[] }).elections.at(-1)!;
    },
  };
}

function stakingWorldOf(
  network: TonNetwork,
  accounts: NonNullable<LocalNetworks['ton'][number]['accounts']>,
): StakingWorld {
  const bounceable = (name: string): string =>
    formatTonAddress(accounts.find(each => each.name === name)!.rawAddress, network);
  const liquidStaker = accounts.find(({ name }) => name === 'bob')!;
  return {
    pool: formatTonAddress(NOMINATOR_POOLS[network][0]!, network),
    staker: bounceable('dave'),
    liquidPool: formatTonAddress(LIQUID_STAKING_POOLS[network], network),
    liquidStaker: bounceable('bob'),
    rawLiquidStaker: liquidStaker.rawAddress,
    stakedUsde: formatTonAddress(localUsde(network).stakedUsde.toRawString(), network),
    usdeStaker: bounceable('issuer'),
  };
}

/** `^[in_msg:(Maybe ^Message) out_msgs:...]` of a transaction. */
const inMessageOf = (transaction: Cell): Cell => transaction.refs[0]!.refs[0]!;
