/**
 * Formats a line of a `.env` file. Programs and shells that read one expand values in different ways, and a shell could
 * even run them; so a value with special characters is put in single quotes, which all of them take literally.
 */
export function dotenvLine(name: string, value: string): string {
  if (/^[\w./:@%+=,-]*$/.test(value)) return `${name}=${value}`
  if (!value.includes("'")) return `${name}='${value}'`
  return `${name}="${value.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`
}
