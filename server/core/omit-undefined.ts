/** The object type with the members that may be `undefined` left out when they are. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * The object without its undefined members: what goes to JSON or into the state says nothing of what is not there, and
 * `exactOptionalPropertyTypes` takes an absent member for another thing than an undefined one.
 * @returns the object itself where all its members are there, which spares a copy on the way of every delivery
 */
export function omitUndefined<T extends object>(object: T): Defined<T> {
  for (const key in object) if (object[key] === undefined) return copyDefined(object)
  return object
}

function copyDefined<T extends object>(object: T): Defined<T> {
  const result: Record<string, unknown> = {}
  for (const key in object) {
    const value = object[key]
    if (value !== undefined) result[key] = value
  }
  return result as Defined<T>
}
