export type Json = Record<string, unknown>

/** Every value within a payload, by its keys from the root; the root itself first. */
export function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

/**
 * A copy with another value at one place, as it would arrive: without holes in lists.
 * @param value undefined: nothing at all
 */
export function changed(payload: unknown, path: readonly string[], value: unknown): Json {
  // By text: what the original has at two places must not change at both.
  const copy = JSON.parse(JSON.stringify(payload)) as Json
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Json
  const last = path.at(-1) ?? ''
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return JSON.parse(JSON.stringify(copy)) as Json
}
