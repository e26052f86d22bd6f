type Key = string | number

/** Splits `comment.items[0].id` into its keys; a number stands for a place in a list. */
export function parsePath(path: string): Key[] {
  return [...path.matchAll(/[^.[\]]+/g)].map(([key]) => (/^\d+$/.test(key) ? Number(key) : key))
}

/**
 * A copy of `document` with the value at `path` replaced; objects on the way are made where they are missing.
 * Only what is on the way is copied.
 */
export function withValue(document: unknown, path: string, value: unknown): unknown {
  return setAt(document, parsePath(path), value)
}

/** A copy of `document` without what is at `path`; the same when nothing is there. */
export function withoutValue(document: unknown, path: string): unknown {
  return removeAt(document, parsePath(path))
}

function setAt(node: unknown, [key, ...rest]: Key[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(node) && typeof key === 'number') {
    const copy: unknown[] = [...(node as unknown[])]
    copy[key] = setAt(copy[key], rest, value)
    return copy
  }
  const object = isObject(node) ? node : {}
  // Not by assignment: a key such as __proto__ must become a member like any other.
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== String(key)),
    [String(key), setAt(Object.hasOwn(object, key) ? object[key] : undefined, rest, value)],
  ])
}

function removeAt(node: unknown, [key, ...rest]: Key[]): unknown {
  if (key === undefined) return node
  if (Array.isArray(node)) {
    const list = node as unknown[]
    if (typeof key !== 'number' || key >= list.length) return list
    if (rest.length === 0) return list.toSpliced(key, 1)
    return list.with(key, removeAt(list[key], rest))
  }
  if (!isObject(node) || !Object.hasOwn(node, key)) return node
  const entries = Object.entries(node)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== String(key)))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === String(key) ? removeAt(value, rest) : value]),
  )
}

function isObject(value: unknown): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
