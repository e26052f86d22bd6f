/**
 * What a table has under a name that comes from outside. Every plain object has a `constructor` and a `toString`, which
 * it was never given, so a plain index finds something under such names.
 */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Gives a table a member of its own, whatever it is called: a plain write to `__proto__` makes none. */
export function setOwn<T>(table: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(table, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
