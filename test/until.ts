/**
 * Waits until the condition holds. Has a limit of its own, in milliseconds: a test that timed out must not leave the
 * wait behind.
 */
export async function until(condition: () => boolean | Promise<boolean>, timeout = 25_000): Promise<void> {
  for (const deadline = Date.now() + timeout; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${condition.toString()}`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}
