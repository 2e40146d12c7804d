/** What the console adds to the stylesheet of all pages. */
export const STYLESHEET = `
body.console { max-width: 76rem; margin-top: 1.5rem; }
.console header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; }
.console nav { align-items: center; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.75rem 0 0; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
.console nav a { text-decoration: none; }
.console nav a[aria-current] { font-weight: 600; text-decoration: underline; }
.console h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
.console caption { text-align: left; }
.console .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.console main { overflow-x: auto; }
.console pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.console .amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.console .date { white-space: nowrap; }
.console form, .console .actions { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; margin: 0.75rem 0; }
.console label { display: flex; flex-direction: column; font-size: 0.9rem; gap: 0.15rem; max-width: 100%; }
.console label.wide { flex: 1 1 20rem; }
.console label.check { flex-direction: row; align-items: center; }
.console input, .console select, .console textarea, .console button { font: inherit; padding: 0.3rem 0.5rem; max-width: 100%; box-sizing: border-box; }
.console form :is(input:not([type='checkbox']), select, button) { min-height: 2.4rem; }
.console textarea { width: 100%; min-height: 5rem; font: 0.85em ui-monospace, monospace; }
.console [aria-invalid='true'] { outline: 2px solid var(--bad); }
.console fieldset { border: 1px solid var(--line); margin: 1rem 0; padding: 0.25rem 1rem 0.5rem; min-width: 0; }
.console legend { font-weight: 600; padding: 0 0.4rem; }
.console .notice { border-left: 4px solid var(--line); padding: 0.35rem 0.75rem; margin: 0.75rem 0; }
.console .notice.bad { border-color: var(--bad); color: inherit; }
.console .notice.good { border-color: var(--link); }
.console .notice p { margin: 0.15rem 0; }
.console .sandbox { border: 1px solid var(--bad); color: var(--bad); border-radius: 0.25rem; padding: 0 0.35rem; font-size: 0.85rem; font-weight: 400; }
.console dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
.console dt { color: var(--muted); }
.console dd { margin: 0; overflow-wrap: anywhere; }
.console dialog { max-width: 34rem; width: calc(100% - 2rem); border: 1px solid var(--line); border-radius: 0.5rem; }
.console dialog::backdrop { background: rgb(0 0 0 / 50%); }
@media (max-width: 40rem) {
  .console td { display: flex; justify-content: space-between; gap: 1rem; text-align: right; overflow-wrap: anywhere; }
  .console td::before { content: attr(data-label); color: var(--muted); text-align: left; white-space: nowrap; }
  .console .amount { white-space: normal; }
  .console dl { grid-template-columns: 1fr; gap: 0; }
  .console dd { margin-bottom: 0.4rem; }
}
`;
