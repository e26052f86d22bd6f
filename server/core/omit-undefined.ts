/** Object type whose members that can be `undefined` are optional instead. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Removes undefined members of an object: JSON and state have none, and with `exactOptionalPropertyTypes` an absent
 * member differs from an undefined one.
 * @returns the same object if all members are defined, which avoids a copy for every delivery
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
