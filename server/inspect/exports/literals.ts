/** Renders a value as a TypeScript literal on one line. No content can end a string or the line. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${key(name)}: ${literal(member)}`,
    )
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return String(value)
}

/** Renders an object whose values are code. */
export function object(members: readonly (readonly [name: string, code: string])[]): string {
  const lines = members.map(([name, code]) =>
    name === code && isIdentifier(name) ? `    ${code},` : `    ${key(name)}: ${code},`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n  }`
}

/** Renders parameters like {@link object}; a repeated one is a list. */
export function parameterObject(
  parameters: readonly (readonly [name: string, code: string])[],
): string {
  const codes = new Map<string, string[]>()
  for (const [name, code] of parameters) codes.set(name, [...(codes.get(name) ?? []), code])
  return object(
    Array.from(codes, ([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? first : `[${[first, ...more].join(', ')}]`,
    ]),
  )
}

function key(name: string): string {
  // A computed name does not set the prototype.
  if (name === '__proto__') return `['__proto__']`
  return isIdentifier(name) ? name : quote(name)
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text)
}

function quote(text: string): string {
  const json = JSON.stringify(text).slice(1, -1)
  const body = json.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)
  return `'${body.replaceAll(/[\u2028\u2029]/g, (end) => `\\u${end.codePointAt(0)?.toString(16)}`)}'`
}
