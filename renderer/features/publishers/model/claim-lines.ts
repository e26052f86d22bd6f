/** Writes claims as lines of `name=value`. */
export function claimLines(claims: Readonly<Record<string, string>>): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}

/** Reads lines of `name=value`; `wrong` is the first line that is something else. */
export function readClaimLines(text: string): { claims: Record<string, string>; wrong?: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const wrong = lines.find((line) => line.indexOf('=') < 1)
  const claims = Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf('=')
      return [line.slice(0, equals).trim(), line.slice(equals + 1).trim()]
    }),
  )
  return { claims, ...(wrong === undefined ? {} : { wrong }) }
}
