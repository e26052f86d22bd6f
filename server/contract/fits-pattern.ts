/** Checks whether a path matches a pattern in which `*` matches any characters. */
export function fitsPattern(pattern: string, path: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return path === pattern
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  const end = path.length - last.length
  let position = first.length
  for (const part of parts) {
    const found = path.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return position <= end
}
