/** How many elements of maps and sets are looked at, one after the other, by what is run. */
export function countLooks(run: () => void): number {
  const looks = [new Map().values(), new Set().values()].map(each =>
    jest.spyOn(Object.getPrototypeOf(each) as { next: () => unknown }, 'next'),
  );
  try {
    run();
    return looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const look of looks) look.mockRestore();
  }
}
