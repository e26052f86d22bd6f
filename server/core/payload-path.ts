import type { Issue } from './config-error.ts'

/** Changes of a trigger to a payload, by paths such as `discussion.title` and `updatedRefs[0].ref`. */
export interface PayloadChanges {
  overrides?: Readonly<Record<string, unknown>>
  remove?: readonly string[]
}

type Container = Record<string | number, unknown>

/** Names that would reach beyond the payload. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Limits for changes by path. No payload or response has a field that needs more. */
const mostPaths = 100
const longestPath = 500
const deepestPath = 32

/**
 * Checks the number of paths, and their length and depth, before any of them is followed.
 * @param names of the two members in the request
 * @returns the first issue of each kind
 */
export function findPathIssues(
  { overrides = {}, remove = [] }: PayloadChanges,
  names = { overrides: 'overrides', remove: 'remove' },
): Issue[] {
  const issues: Issue[] = []
  const given = [
    [names.overrides, Object.keys(overrides)],
    [names.remove, remove],
  ] as const
  for (const [name, paths] of given) {
    if (paths.length > mostPaths) {
      const message = `${name} has ${paths.length} paths; the limit is ${mostPaths}.`
      issues.push({ path: name, message })
      continue
    }
    const long = paths.find((path) => path.length > longestPath)
    const deep = paths.find((path) => (parsePath(path)?.length ?? 0) > deepestPath)
    if (long !== undefined) {
      const message = `A path has ${long.length} characters; the limit is ${longestPath}.`
      issues.push({ path: name, message })
    } else if (deep !== undefined) {
      const message = `${deep} has more than ${deepestPath} parts, the limit.`
      issues.push({ path: name, message })
    }
  }
  return issues
}

/**
 * Applies the changes to a copy of a payload. Overrides can add members.
 * @returns also the issues with their paths: an invalid path, or nothing to remove
 */
export function changePayload(
  payload: unknown,
  { overrides, remove }: PayloadChanges,
): { payload: unknown; issues: Issue[] } {
  // Most triggers change nothing, and a copy costs as much as building the payload.
  if (overrides === undefined && remove === undefined) return { payload, issues: [] }
  const changed = structuredClone(payload)
  const issues: Issue[] = []
  for (const [text, value] of Object.entries(overrides ?? {})) {
    const path = parsePath(text)
    const parent = path && descend(changed, path.slice(0, -1), true)
    const last = path?.at(-1)
    if (parent === undefined || last === undefined || !fits(parent, last)) {
      issues.push({ path: `overrides.${text}`, message: `${text} is not a path in the payload.` })
    } else parent[last] = value
  }
  for (const [index, text] of (remove ?? []).entries()) {
    const path = parsePath(text)
    const parent = path && descend(changed, path.slice(0, -1), false)
    const last = path?.at(-1)
    if (parent === undefined || last === undefined || !Object.hasOwn(parent, last)) {
      issues.push({ path: `remove[${index}]`, message: `The payload has no ${text}.` })
    } else if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete parent[last]
  }
  return { payload: changed, issues }
}

/** @returns keys and indexes; `undefined` for an invalid path or one that would reach beyond the payload */
export function parsePath(text: string): (string | number)[] | undefined {
  const keys = text.split('.').flatMap((part) => {
    const match = /^([^[\]]+)((?:\[\d+\])*)$/.exec(part)
    if (match === null) return [undefined]
    const places = [...(match[2] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits))
    return [match[1], ...places]
  })
  const isWhole = keys.every((key) => key !== undefined && !refusedKeys.has(String(key)))
  return isWhole ? (keys as (string | number)[]) : undefined
}

/** Items of a list can be changed and one appended; a larger index would leave holes. */
function fits(parent: Container, key: string | number): boolean {
  return !Array.isArray(parent) || (typeof key === 'number' && key <= parent.length)
}

/** Follows a path to an object or array and, if wanted, creates missing parts. */
function descend(
  root: unknown,
  path: readonly (string | number)[],
  make: boolean,
): Container | undefined {
  let current = root as Container
  for (const key of path) {
    if (!Object.hasOwn(current, key)) {
      if (!make || !fits(current, key)) return undefined
      current[key] = {}
    }
    const next = current[key]
    if (typeof next !== 'object' || next === null) return undefined
    current = next as Container
  }
  return current
}
