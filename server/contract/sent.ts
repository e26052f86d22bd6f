/** Bodies are only read, so they can be read-only. */
export type Sent<T> = T extends (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [M in keyof T]: Sent<T[M]> }
    : T
