/** Returns parameters by name; a repeated one is a list. */
export function parametersOf(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Array.from(new Set(search.keys()), (name) => {
      const values = search.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
