/** Of an address that was mistyped, or is of another version. */
export function NoSuchPage() {
  return (
    <>
      <h2>There is no such page</h2>
      <p>The console has nothing at this address. The pages that there are stand above.</p>
    </>
  );
}
