import type { Static, TSchema } from 'typebox'
import type { ControlApi } from './control-api.ts'
import type { Sent } from './sent.ts'

// Types of calls by the keys of the table. Callers need no schema at run time.

/** Method and path below `/_sandbox/api/`, such as `GET apps/:clientId`. */
export type ControlKey = keyof ControlApi

type InputPart = 'params' | 'query' | 'headers' | 'body'

/** Type of a part of a call; `undefined` if the endpoint has no such part. */
export type ControlPart<K extends ControlKey, P extends InputPart | 'response' | 'line'> =
  ControlApi[K] extends Record<P, infer Shape extends TSchema>
    ? Static<Shape> | (Shape extends { '~optional': true } ? undefined : never)
    : undefined

/** Body of a successful response. */
export type ControlResponse<K extends ControlKey> = ControlPart<K, 'response'>

/** Body that a handler can return: that of success or of another status that is not a plain refusal. */
export type ControlReply<K extends ControlKey> =
  | ControlResponse<K>
  | (ControlApi[K] extends { otherwise: Record<number, infer Shape extends TSchema> }
      ? Static<Shape>
      : never)

/** Line of a streamed response. */
export type ControlLine<K extends ControlKey> = ControlPart<K, 'line'>

/** Keys of the endpoints that can stream lines. */
export type ControlStreamKey = {
  [K in ControlKey]: ControlApi[K] extends { line: TSchema } ? K : never
}[ControlKey]

/** Item of a list. */
export type ControlItem<K extends ControlKey> =
  ControlResponse<K> extends { items: (infer Item)[] } ? Item : never

/** Keys of the paginated lists. */
export type ControlListKey = {
  [K in ControlKey]: ControlPart<K, 'query'> extends { cursor?: string }
    ? ControlResponse<K> extends { items: unknown[] }
      ? K
      : never
    : never
}[ControlKey]

/** Filters of a list. */
export type ControlFilters<K extends ControlListKey> = Omit<
  Loose<ControlPart<K, 'query'>>,
  'cursor' | 'limit'
>

/** Optional parameters can also be `undefined`: in URLs and headers both mean absent. */
type Loose<T> = {
  [M in keyof T]: T[M] | (Partial<Pick<T, M>> extends Pick<T, M> ? undefined : never)
}

type PartInput<K extends ControlKey, P extends InputPart> = P extends 'body'
  ? Sent<Exclude<ControlPart<K, P>, undefined>>
  : Loose<ControlPart<K, P>>

type IsFree<K extends ControlKey, P extends InputPart> =
  undefined extends ControlPart<K, P>
    ? true
    : P extends 'body'
      ? false
      : Partial<ControlPart<K, P>> extends ControlPart<K, P>
        ? true
        : false

type PartsOf<K extends ControlKey> = keyof ControlApi[K] & InputPart
type FreePart<K extends ControlKey> = {
  [P in PartsOf<K>]: IsFree<K, P> extends true ? P : never
}[PartsOf<K>]

/** Input of a call: `params`, `query`, `headers` and `body`, if the endpoint has them. */
export type ControlInput<K extends ControlKey> = {
  [P in Exclude<PartsOf<K>, FreePart<K>>]: PartInput<K, P>
} & { [P in FreePart<K>]?: PartInput<K, P> }

/** Arguments after the key: none if the endpoint takes no input, optional if nothing is required. */
export type ControlArguments<K extends ControlKey> = [PartsOf<K>] extends [never]
  ? []
  : Partial<ControlInput<K>> extends ControlInput<K>
    ? [input?: ControlInput<K>]
    : [input: ControlInput<K>]

/** Calls an endpoint; rejects if the request is refused. */
export type ControlCall = <K extends ControlKey>(
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlResponse<K>>
