/**
 * A line of a `.env` file. The programs that read one differ in what they take out of a value, and shells read it as
 * well, which would run what is in it: what is not plain stands between single quotes, where all of them take it as it is.
 */
export function dotenvLine(name: string, value: string): string {
  if (/^[\w./:@%+=,-]*$/.test(value)) return `${name}=${value}`
  if (!value.includes("'")) return `${name}='${value}'`
  return `${name}="${value.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`
}
