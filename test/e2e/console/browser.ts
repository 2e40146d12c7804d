import { until } from '../../until';

/** A browser without a screen, which loads and runs the pages of the program as they are. */
export type ConsolePage = Awaited<ReturnType<typeof openConsole>>;

/** Opens a page of the console. What is on it is found by what is written there. */
export async function openConsole(url: string, hash: string) {
  // It is an ES module.
  const { Browser } = await import('happy-dom');
  const browser = new Browser({
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      disableCSSFileLoading: true,
      handleDisabledFileLoadingAsSuccess: true,
    },
  });
  const page = browser.newPage();
  await page.goto(`${url}/console${hash}`);
  const { document } = page.mainFrame;
  const { window } = page.mainFrame;

  const text = (): string => document.getElementById('console')!.textContent;
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const written = (element: { textContent: string | null }): string => element.textContent!.trim();
  /** The last one: what was opened last is below. */
  const find = (selector: string, name: string) =>
    until(() => all(selector).findLast(element => written(element).startsWith(name))) as Promise<
      NonNullable<ReturnType<typeof document.querySelector>>
    >;

  const saved: { readonly name: string; readonly bytes: Buffer }[] = [];
  // A click on a link to bytes saves them.
  window.HTMLAnchorElement.prototype.click = function () {
    const { download, href } = this;
    void fetch(href)
      .then(response => response.arrayBuffer())
      .then(bytes => saved.push({ name: download, bytes: Buffer.from(bytes) }));
  };

  return {
    /** The files that were saved. */
    saved,
    text,
    /** Resolves once the text is shown. */
    shows: (part: string) =>
      until(
        () => text(),
        shown => shown.includes(part),
      ),
    /** Types into the field of this label; of a list it chooses. */
    async type(label: string, value: string) {
      const field = (await find('label', label)).querySelector('input, select, textarea')!;
      Object.assign(field, { value });
      field.dispatchEvent(new window.Event('input', { bubbles: true }));
    },
    /** What stands in the field of this label. */
    async typed(label: string) {
      return ((await find('label', label)).querySelector('input, textarea') as unknown as { value: string })
        .value;
    },
    /** Presses a button, follows a link or opens what is folded. */
    async press(name: string) {
      (await find('button, a, summary', name)).dispatchEvent(
        new window.MouseEvent('click', { bubbles: true, cancelable: true }),
      );
    },
    elements: (selector: string) => all(selector).length,
    close: () => browser.close(),
    window,
  };
}
