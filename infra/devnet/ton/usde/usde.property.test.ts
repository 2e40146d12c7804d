import fc from 'fast-check';
import { addressOf } from '../../../../test/devnet/nominator-pool';
import { runs } from '../../../../test/random';
import { type UsdeOnTvm, ZERO_TIME, usdeOnTvm } from '../../../../test/devnet/usde';
import { jettonTransferBody } from '../jetton/jetton';
import { INITIAL_VAULT } from './local-usde';

const OWNERS = ['alice', 'bob', 'carol'].map(addressOf);
const INITIAL_USDE = 10_000_000_000n;
const WEEK = 7 * 86_400;
const DAY = 86_400;

/** The vault by its rules alone, apart from the contracts. */
class VaultModel {
  assets: bigint = INITIAL_VAULT.assets;
  shares: bigint = INITIAL_VAULT.shares;
  now = ZERO_TIME;
  readonly owners = OWNERS.map(() => ({ usde: INITIAL_USDE, shares: 0n, locked: 0n, unlockAt: 0 }));

  stake(i: number, usde: bigint): void {
    const owner = this.owners[i]!;
    if (usde > owner.usde || usde < 1_000_000n) return;
    const minted = (usde * this.shares) / this.assets;
    owner.usde -= usde;
    owner.shares += minted;
    this.assets += usde;
    this.shares += minted;
  }

  unstake(i: number, shares: bigint): void {
    const owner = this.owners[i]!;
    if (shares > owner.shares || shares === 0n) return;
    const usde = (shares * this.assets) / this.shares;
    owner.shares -= shares;
    owner.locked += usde;
    owner.unlockAt = this.now + WEEK;
    this.assets -= usde;
    this.shares -= shares;
  }

  claim(i: number, usde: bigint): void {
    const owner = this.owners[i]!;
    if (this.now < owner.unlockAt || usde > owner.locked) return;
    owner.locked -= usde;
    owner.usde += usde;
  }

  transfer(from: number, to: number, shares: bigint): void {
    if (shares > this.owners[from]!.shares) return;
    this.owners[from]!.shares -= shares;
    this.owners[to]!.shares += shares;
  }
}

const owner = fc.nat({ max: OWNERS.length - 1 });
const units = (max: bigint) => fc.bigInt({ min: 0n, max });
/** Percent of what there is; more is refused. */
const percent = fc.oneof(fc.constant(100n), fc.bigInt({ min: 1n, max: 110n }));
const step = fc.oneof(
  fc.record({ type: fc.constant('stake' as const), owner, usde: units(3_000_000_000n) }),
  fc.record({ type: fc.constant('unstake' as const), owner, percent }),
  fc.record({ type: fc.constant('claim' as const), owner, percent }),
  fc.record({ type: fc.constant('transfer' as const), owner, to: owner, percent }),
  fc.record({ type: fc.constant('reward' as const), usde: units(1_000_000_000n) }),
  fc.record({ type: fc.constant('pass' as const), days: fc.nat({ max: 8 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(next: Step, model: VaultModel, on: UsdeOnTvm): Promise<void> {
  if (next.type === 'pass') {
    on.pass(next.days * DAY);
    model.now += next.days * DAY;
    return;
  }
  if (next.type === 'reward') {
    await on.stake(on.addresses.issuer, next.usde);
    model.assets += next.usde;
    return;
  }
  const [i, address] = [next.owner, OWNERS[next.owner]!];
  const { shares, locked } = model.owners[i]!;
  if (next.type === 'stake') {
    await on.stake(address, next.usde);
    model.stake(i, next.usde);
  } else if (next.type === 'unstake') {
    const amount = (shares * next.percent) / 100n;
    await on.unstake(address, amount);
    model.unstake(i, amount);
  } else if (next.type === 'claim') {
    const amount = (locked * next.percent) / 100n;
    await on.claim(address, amount);
    model.claim(i, amount);
  } else {
    const amount = (shares * next.percent) / 100n;
    const body = jettonTransferBody({
      to: OWNERS[next.to]!,
      amount,
      response: address,
      forwardValue: 1n,
    });
    await on.send(address, on.stakedWallet(address), body);
    model.transfer(i, next.to, amount);
  }
}

it('balances, locks and the price of a share are those of the rules, to the unit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async steps => {
      const [on, model] = [await usdeOnTvm(), new VaultModel()];
      for (const address of OWNERS) {
        await on.give(address, INITIAL_USDE);
        // With a wallet of shares: the get methods of one that does not exist fail.
        await on.stake(address, 1_000_000n);
      }
      OWNERS.forEach((_, i) => model.stake(i, 1_000_000n));
      for (const next of steps) await take(next, model, on);

      for (const [i, address] of OWNERS.entries()) {
        const { usde, shares, locked, unlockAt } = model.owners[i]!;
        expect(await on.timelockOf(address)).toEqual({ locked, unlockAt });
        expect([await on.usdeOf(address), await on.sharesOf(address)]).toEqual([usde, shares]);
      }
      const locked = model.owners.reduce((sum, each) => sum + each.locked, 0n);
      const vault = await on.vault.getVault();
      expect(vault).toMatchObject({ assets: model.assets, shares: model.shares, locked });
      expect(await on.usdeOf(on.addresses.vault)).toBe(model.assets + locked);
      expect(await on.vault.getConvertToAssets(10n ** 9n)).toBe((10n ** 9n * model.assets) / model.shares);
    }),
    runs(12),
  );
});
