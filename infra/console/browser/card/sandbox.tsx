/** Says of what stands beside it that it is not real. */
export function Sandbox() {
  return <span class="sandbox">Sandbox</span>;
}
