/** The object type with the members that may be `undefined` left out when they are. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * The object without its undefined members: what goes to JSON or into the state says nothing of what is not there, and
 * `exactOptionalPropertyTypes` takes an absent member for another thing than an undefined one.
 */
export function omitUndefined<T extends object>(object: T): Defined<T> {
  const result: Record<string, unknown> = {}
  for (const key in object) {
    const value = object[key]
    if (value !== undefined) result[key] = value
  }
  return result as Defined<T>
}
