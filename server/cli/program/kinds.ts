import type {
  ControlResponse,
  ControlArguments,
  ControlItem,
  ControlKey,
} from '../../contract/control-call.ts'
import type { EventDescription } from '../../contract/control-events.ts'
import { scopes } from '../../contract/scopes.ts'
import type { ControlError } from '../../web/control-error.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { type Kind, latestWord } from '../known.ts'

/** Calls the control API; completion gets undefined without a response. */
export type Read = <K extends ControlKey>(
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlResponse<K> | undefined>

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
  user: listed('GET users', ({ username }) => username, whole),
  organization: listed('GET organizations', named, whole),
  app: listed('GET apps', ({ clientId }) => clientId, whole),
  webhook: listed('GET webhooks', idOf, whole),
  space: listed('GET repos', named, { query: { type: 'space', limit: 1000 } }),
  experiment: listed('GET experiments', idOf),
  'fault rule': identified('GET faults', 'oldest first'),
  barrier: identified('GET barriers', 'oldest first'),
  delivery: identified('GET deliveries', 'newest first', { query: { limit: 1000, view: 'rows' } }),
  token: identified('GET tokens', 'newest first', { query: { state: 'active', limit: 1000 } }),
  'sign-in': identified('GET flows', 'newest first', whole),
  'pending code': {
    offered: async (read) => withLatest(await pendingCodes(read)),
    ids: pendingCodes,
    // Unknown, expired or already used: the message says which.
    ownSentence: ({ message }) => (message.includes('This code ') ? message : undefined),
  },
  snapshot: {
    ...listed('GET snapshots', named),
    async ids(read) {
      const items = (await read('GET snapshots'))?.items ?? []
      // The last one of those that were saved at the same time of a frozen clock.
      return items
        .toReversed()
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .map(named)
    },
  },
  repo: {
    async offered(read) {
      const items = (await read('GET repos', whole))?.items ?? []
      const isAlone = (name: string) => items.filter((item) => item.name === name).length === 1
      return items.map(({ type, name }) => (isAlone(name) ? name : `${type}s/${name}`))
    },
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

function idOf({ id }: { id: string }): string {
  return id
}

function listed<K extends ControlKey>(
  key: K,
  nameOf: (item: ControlItem<K>) => string,
  ...input: ControlArguments<K>
): { offered: List } {
  return {
    async offered(read) {
      const list = (await read(key, ...input)) as { items: ControlItem<K>[] } | undefined
      return (list?.items ?? []).map(nameOf)
    },
  }
}

function identified<K extends ControlKey>(
  key: K,
  order: 'newest first' | 'oldest first',
  ...input: ControlArguments<K>
): { offered: List; ids: List } {
  const { offered: idsOf } = listed(key, (item) => idOf(item as { id: string }), ...input)
  return {
    offered: async (...from) => withLatest(await idsOf(...from)),
    async ids(...from) {
      const ids = await idsOf(...from)
      return order === 'newest first' ? ids : ids.toReversed()
    },
  }
}

/** Completion offers `latest` first, if there is any. */
function withLatest(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [latestWord, ...ids]
}

async function pendingCodes(read: Read): Promise<readonly string[]> {
  const items = (await read('GET device', whole))?.items ?? []
  return items.filter(({ status }) => status === 'pending').map(({ userCode }) => userCode)
}

/** Loaded on demand: most completions need no events. */
async function readEvents(): Promise<readonly EventDescription[]> {
  return (await import('../../lab/triggers/event-catalog.ts')).eventCatalog
}
