/**
 * Looks up an untrusted name in an object. A plain index would find inherited members such as `constructor` and
 * `toString`.
 */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Sets an own member with an untrusted name; a plain write to `__proto__` would not create one. */
export function setOwn<T>(table: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(table, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
