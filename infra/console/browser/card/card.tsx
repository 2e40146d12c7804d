export function Card() {
  return <p>To be written.</p>;
}
