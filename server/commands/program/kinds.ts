import type { ControlAnswer, ControlArguments, ControlKey } from '../../contract/control-call.ts'
import type { EventDescription } from '../../contract/control-events.ts'
import { scopes } from '../../contract/scopes.ts'
import type { ControlError } from '../../handle/control-error.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { type Kind, latestWord } from '../known.ts'

/** Calls the control API; completion gets undefined without a response. */
export type Read = <K extends ControlKey>(
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlAnswer<K> | undefined>

/** @param operands arguments before the value */
type List = (read: Read, operands: readonly string[]) => Promise<readonly string[]>

interface KindRow {
  /** Values that completion offers. */
  offered: List
  /** Ids, newest first, of which `latest` is the first one. */
  ids?: List
  /** Returns the sandbox's own message for an unknown id, if it is better than ours. */
  ownSentence?: (error: ControlError) => string | undefined
}

const whole = { query: { limit: 1000 } } as const

/** Kinds of things that arguments and options name, by their words in messages. */
const kindRows = {
  user: list(
    async (read) => (await read('GET users', whole))?.items,
    ({ username }) => username,
  ),
  organization: list(async (read) => (await read('GET organizations', whole))?.items, named),
  app: list(
    async (read) => (await read('GET apps', whole))?.items,
    ({ clientId }) => clientId,
  ),
  webhook: list(
    async (read) => (await read('GET webhooks', whole))?.items,
    ({ id }) => id,
  ),
  space: list(
    async (read) => (await read('GET repos', { query: { type: 'space', limit: 1000 } }))?.items,
    named,
  ),
  experiment: list(
    async (read) => (await read('GET experiments'))?.items,
    ({ id }) => id,
  ),
  repo: {
    async offered(read) {
      const items = (await read('GET repos', whole))?.items ?? []
      const isAlone = (name: string) => items.filter((item) => item.name === name).length === 1
      return items.map(({ type, name }) => (isAlone(name) ? name : `${type}s/${name}`))
    },
  },
  snapshot: {
    offered: async (read) => ((await read('GET snapshots'))?.items ?? []).map(named),
    async ids(read) {
      const items = (await read('GET snapshots'))?.items ?? []
      return items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).map(named)
    },
  },
  'fault rule': identified('oldest first', async (read) => (await read('GET faults'))?.items),
  barrier: identified('oldest first', async (read) => (await read('GET barriers'))?.items),
  delivery: identified('newest first', async (read) => {
    const query = { limit: 1000, view: 'rows' } as const
    return (await read('GET deliveries', { query }))?.items
  }),
  token: identified('newest first', async (read) => {
    const query = { state: 'active', limit: 1000 } as const
    return (await read('GET tokens', { query }))?.items
  }),
  'sign-in': identified('newest first', async (read) => (await read('GET flows', whole))?.items),
  'pending code': {
    ...identified('newest first', async (read) => {
      const items = (await read('GET device', whole))?.items ?? []
      const pending = items.filter(({ status }) => status === 'pending')
      return pending.map(({ userCode }) => ({ id: userCode }))
    }),
    // Unknown, expired or already used: the message says which.
    ownSentence: ({ message }) => (message.includes('This code ') ? message : undefined),
  },
  method: { offered: async () => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  scope: { offered: async () => Object.keys(scopes) },
  event: { offered: async () => (await readEvents()).map(({ event }) => event) },
  'cause of an event': {
    async offered(_read, [event]) {
      const events = await readEvents()
      const chosen = events.filter((item) => event === undefined || item.event === event)
      return chosen.flatMap((item) => item.kinds.map(({ kind }) => kind))
    },
  },
  program: { offered: async () => (await import('../program-names.ts')).programNames },
  sample: { offered: async () => (await import('../samples.ts')).listSamples().map(named) },
  page: { offered: async () => (await import('../pages.ts')).readPages().map(named) },
  shell: { offered: async () => [...(await import('../completion.ts')).shells.keys()] },
} satisfies Record<string, KindRow>

export type KindName = keyof typeof kindRows

/** Kinds whose things people choose by an id, or the newest by `latest`. */
type IdentifiedName = {
  [K in KindName]: (typeof kindRows)[K] extends { ids: List } ? K : never
}[KindName]

export function isIdentified(name: KindName): name is IdentifiedName {
  return 'ids' in kindRows[name]
}

/** Returns a kind in the form that `withId` needs. */
export function kindOf(name: IdentifiedName, read: Read): Kind {
  const { ids, ownSentence }: KindRow & { ids: List } = kindRows[name]
  return { what: name, ids: () => ids(read, []), ...omitUndefined({ ownSentence }) }
}

/** Returns what completion offers for a kind. */
export function offeredOf(
  name: KindName,
  read: Read,
  operands: readonly string[],
): Promise<readonly string[]> {
  return kindRows[name].offered(read, operands)
}

function named({ name }: { name: string }): string {
  return name
}

function list<T>(
  read: (read: Read) => Promise<readonly T[] | undefined>,
  nameOf: (item: T) => string,
): { offered: List } {
  return { offered: async (from) => ((await read(from)) ?? []).map(nameOf) }
}

/** Kind with ids, where completion offers `latest` first. */
function identified(
  order: 'newest first' | 'oldest first',
  read: (read: Read) => Promise<readonly { id: string }[] | undefined>,
): { offered: List; ids: List } {
  const idsOf = async (from: Read) => ((await read(from)) ?? []).map(({ id }) => id)
  return {
    async offered(from) {
      const ids = await idsOf(from)
      return ids.length === 0 ? [] : [latestWord, ...ids]
    },
    async ids(from) {
      const ids = await idsOf(from)
      return order === 'newest first' ? ids : ids.toReversed()
    },
  }
}

/** Loaded on demand: most completions need no events. */
async function readEvents(): Promise<readonly EventDescription[]> {
  return (await import('../../lab/triggers/catalog.ts')).eventCatalog
}
