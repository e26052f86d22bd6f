import { Type } from 'typebox'

/**
 * String from a closed list: `enum` in JSON Schema, a literal union in the static type.
 * @param usual value of an absent one
 */
export function OneOf<const T extends string>(
  values: readonly T[],
  description?: string,
  usual?: NoInfer<T>,
) {
  return Type.Unsafe<T>(
    Type.String({
      enum: [...values],
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
    }),
  )
}

/** Choice of constants, which need not be strings: `anyOf` in JSON Schema. */
export function LiteralOf<const T extends string | boolean>(
  values: readonly T[],
  options: { description?: string } = {},
) {
  return Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )
}
