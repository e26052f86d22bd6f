/** The object with more members, or others in place of its own. */
export type Extended<T, M> = Omit<T, keyof M> & M

/**
 * `{ ...object, ...members }` for what is made with every request. On Node 20 each object of a literal that begins with
 * a spread and gets members beyond its own has a hidden class to itself: microseconds and kilobytes, every time.
 */
export function extend<T extends object, M extends object>(object: T, members: M): Extended<T, M> {
  return Object.assign({}, object, members)
}
