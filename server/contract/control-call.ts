import type { Static, TSchema } from 'typebox'
import type { ControlApi } from './control-api.ts'

// Types of a call by a key of the table. What is called is in the key, so callers need no schema when they run.

/** Method and path below `/_sandbox/api/`, such as `GET apps/:clientId`. */
export type ControlKey = keyof ControlApi

type InputPart = 'params' | 'query' | 'headers' | 'body'

/** What the table says of one part of a call; `undefined` where there is no such part. */
export type ControlPart<K extends ControlKey, P extends InputPart | 'answer' | 'line'> =
  ControlApi[K] extends Record<P, infer Shape extends TSchema>
    ? Static<Shape> | (Shape extends { '~optional': true } ? undefined : never)
    : undefined

/** The body of a successful answer. */
export type ControlAnswer<K extends ControlKey> = ControlPart<K, 'answer'>

/** Every body that the server's handler may give: that of success, and those of other statuses that are no plain refusal. */
export type ControlReply<K extends ControlKey> =
  | ControlAnswer<K>
  | (ControlApi[K] extends { otherwise: Record<number, infer Shape extends TSchema> }
      ? Static<Shape>
      : never)

/** What each line is of an answer that goes on. */
export type ControlLine<K extends ControlKey> = ControlPart<K, 'line'>

/** Keys of the answers that may be a stream of lines. */
export type ControlStreamKey = {
  [K in ControlKey]: ControlApi[K] extends { line: TSchema } ? K : never
}[ControlKey]

/** An item of a list, or of an answer that is one. */
export type ControlItem<K extends ControlKey> =
  ControlAnswer<K> extends { items: (infer Item)[] } ? Item : never

/** Keys of the lists that come page by page. */
export type ControlListKey = {
  [K in ControlKey]: ControlPart<K, 'query'> extends { cursor?: string }
    ? ControlAnswer<K> extends { items: unknown[] }
      ? K
      : never
    : never
}[ControlKey]

/** What a list is filtered by. */
export type ControlFilters<K extends ControlListKey> = Omit<
  Loose<ControlPart<K, 'query'>>,
  'cursor' | 'limit'
>

/** What may be left out may be `undefined`, too: in an address and in headers these are the same. */
type Loose<T> = {
  [M in keyof T]: T[M] | (Partial<Pick<T, M>> extends Pick<T, M> ? undefined : never)
}

/** Whoever sends a body only has it read. */
type Sent<T> = T extends (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [M in keyof T]: Sent<T[M]> }
    : T

type Told<K extends ControlKey, P extends InputPart> = P extends 'body'
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

/** What a call takes: `params`, `query`, `headers` and `body`, as far as the endpoint has them. */
export type ControlInput<K extends ControlKey> = {
  [P in Exclude<PartsOf<K>, FreePart<K>>]: Told<K, P>
} & { [P in FreePart<K>]?: Told<K, P> }

/** The arguments behind the key: none where nothing can be said, and none needed where nothing must be. */
export type ControlArguments<K extends ControlKey> = [PartsOf<K>] extends [never]
  ? []
  : Partial<ControlInput<K>> extends ControlInput<K>
    ? [input?: ControlInput<K>]
    : [input: ControlInput<K>]

/** Calls an endpoint; rejects when it refuses. */
export type ControlCall = <K extends ControlKey>(
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlAnswer<K>>
