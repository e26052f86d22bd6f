import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type {
  ControlResponse,
  ControlArguments,
  ControlFilters,
  ControlItem,
  ControlKey,
  ControlListKey,
} from '../../server/contract/control-call.ts'
import { fillPath, type AnyInput, type Texts } from '../../server/contract/control-request.ts'
import { callUntil, readPage } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Toast texts of success and failure. */
      done?: string
      failed?: string
    }
  }
}

type ReadKey = Extract<ControlKey, `GET ${string}`>

/** Resources of the control API; the first part of every query key. */
export type Resource = ReadKey extends `GET ${infer Path}`
  ? Path extends `${infer First}/${string}`
    ? First
    : Path
  : never

/** Resource, the rest of the path, and the query; facts of the live feed name the first two. */
function queryKey<K extends ReadKey>(key: K, ...[input]: ControlArguments<K>) {
  const { params, query = {} }: AnyInput = input ?? {}
  const [resource = '', ...rest] = fillPath(key.slice('GET '.length), params).split('/')
  return [resource, rest.join('/'), query] as const
}

/** Reads an endpoint of the control API and keeps the response until the live feed makes it stale. */
export function useRead<K extends ReadKey>(
  key: K,
  ...input: ControlArguments<K>
): UseQueryResult<ControlResponse<K>> {
  return useQuery<ControlResponse<K>>({
    queryKey: queryKey(key, ...input),
    queryFn: ({ signal }) => callUntil(signal)(key, ...input),
  })
}

interface WriteOptions<Input, Answer> {
  call: (input: Input) => Promise<Answer>
  /** Resources that the change makes stale. */
  changes: readonly Resource[]
  done?: string
  failed?: string
}

/** Changes something through the control API and announces success or failure with the given texts. */
export function useWrite<Input = void, Answer = unknown>(options: WriteOptions<Input, Answer>) {
  const client = useQueryClient()
  return useMutation<Answer, Error, Input>({
    mutationFn: options.call,
    onSuccess: () =>
      Promise.all(
        [...options.changes, 'overview' as const].map((resource) =>
          client.invalidateQueries({ queryKey: [resource] }),
        ),
      ),
    meta: {
      ...(options.done !== undefined && { done: options.done }),
      ...(options.failed !== undefined && { failed: options.failed }),
    },
  })
}

/** Longest list that is read, as for deliveries. */
const mostItems = 20_000
const pageSize = 1000

/** All items of a list, with the further members of its last page. */
export type WholeList<K extends ControlListKey> = Omit<
  ControlResponse<K>,
  'items' | 'nextCursor'
> & {
  items: readonly ControlItem<K>[]
  /** The list was longer than {@link mostItems}. */
  cut: boolean
}

/** Reads a list of the control API to its end and keeps it until the live feed makes it stale. */
export function useWholeList<K extends ControlListKey & ReadKey>(
  key: K,
  filters?: ControlFilters<K>,
): UseQueryResult<WholeList<K>> {
  const query = { ...filters } as Texts
  return useQuery<WholeList<K>>({
    queryKey: [key.slice('GET '.length), '', query],
    queryFn: ({ signal }) => readWholeList(key, query, signal),
  })
}

/** Reads a list of the control API to its end, page after page, outside of a component. */
export async function readWholeList<K extends ControlListKey & ReadKey>(
  key: K,
  query: Texts = {},
  signal?: AbortSignal,
): Promise<WholeList<K>> {
  const all: ControlItem<K>[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await readPage(key, { ...query, limit: pageSize, cursor }, signal)
    const { items, nextCursor, ...further } = page
    all.push(...items)
    cursor = nextCursor
    if (cursor === undefined || all.length >= mostItems)
      return { ...further, items: all, cut: cursor !== undefined }
  }
}
