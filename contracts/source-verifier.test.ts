import { createSourceVerifier } from './source-verifier';
import { WrongNetwork } from './network/wrong-network';

class Refused extends Error {}

/** A source that is of network `ours` until a test changes it; `asked` counts. */
function sourceDouble() {
  const source = { serves: 'ours', asked: 0, down: false, beforeAnswer: async () => {} };
  const verifier = createSourceVerifier({
    async ask() {
      source.asked += 1;
      await source.beforeAnswer();
      if (source.down) throw new Error('down');
      return source.serves;
    },
    async check(found) {
      if (found !== 'ours') throw new WrongNetwork(`it serves ${found}`);
    },
    isRefusal: error => error instanceof Refused,
  });
  return { source, verifier, read: async () => `of ${source.serves}` };
}

test('an answer counts when the source proves its identity before and after it', async () => {
  const { source, verifier, read } = sourceDouble();
  expect(await verifier.verified(read)).toBe('of ours');
  expect(source.asked).toBe(2);
  await verifier.verified(read);
  expect(source.asked).toBe(3); // the last proof is the one before it
});

test('a source of another network is not called', async () => {
  const { source, verifier } = sourceDouble();
  source.serves = 'another';
  const call = jest.fn();
  await expect(verifier.verified(call)).rejects.toThrow(WrongNetwork);
  await expect(verifier.unproven(call)).rejects.toThrow(WrongNetwork);
  expect(call).not.toHaveBeenCalled();
});

test('an answer of a source that was replaced during the call is discarded, and so is its refusal', async () => {
  for (const outcome of ['an answer', new Refused('no')]) {
    const { source, verifier } = sourceDouble();
    const call = async () => {
      source.serves = 'another';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    await expect(verifier.verified(call)).rejects.toThrow(WrongNetwork);
    source.serves = 'ours';
    expect(await verifier.verified(async () => 'right again')).toBe('right again');
  }
});

test('an answer from before a failed proof is discarded although the source is right again', async () => {
  const { source, verifier, read } = sourceDouble();
  await verifier.verify();
  source.serves = 'another';
  let answer = (_: string): void => undefined;
  const slow = verifier.verified(() => new Promise<string>(resolve => (answer = resolve)));
  slow.catch(() => undefined);
  await expect(verifier.verified(read)).rejects.toThrow(WrongNetwork);
  source.serves = 'ours';
  answer('of another');
  await expect(slow).rejects.toThrow(WrongNetwork);
});

test('a refusal of the right source is passed on', async () => {
  const { verifier } = sourceDouble();
  await expect(verifier.verified(() => Promise.reject(new Refused('no')))).rejects.toThrow(Refused);
});

test('after an error the source has to prove itself again before the next call', async () => {
  const { source, verifier, read } = sourceDouble();
  await verifier.verify();
  await expect(verifier.unproven(() => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
  source.serves = 'another';
  await expect(verifier.unproven(read)).rejects.toThrow(WrongNetwork);
});

test('an answer does not count while the source cannot be asked', async () => {
  const { source, verifier, read } = sourceDouble();
  await verifier.verify();
  source.down = true;
  await expect(verifier.verified(read)).rejects.toThrow('down');
});

test('answers that wait at the same time share a proof that begins after all of them', async () => {
  const { source, verifier } = sourceDouble();
  await verifier.verify();
  await Promise.all(Array.from({ length: 100 }, () => verifier.verified(async () => 1)));
  expect(source.asked).toBeLessThanOrEqual(3);
  let proceed = (): void => undefined;
  source.beforeAnswer = () => new Promise(resolve => (proceed = resolve));
  const first = verifier.verify();
  source.beforeAnswer = async () => {};
  const later = verifier.verify(); // must not be satisfied by the one that has begun
  source.serves = 'another';
  proceed();
  await first.catch(() => undefined);
  await expect(later).rejects.toThrow(WrongNetwork);
});

test('an identity that came with an answer is a proof', async () => {
  const { source, verifier, read } = sourceDouble();
  await verifier.check('ours');
  await verifier.unproven(read);
  expect(source.asked).toBe(0);
  await expect(verifier.check('another')).rejects.toThrow(WrongNetwork);
  await verifier.unproven(read);
  expect(source.asked).toBe(1);
});
