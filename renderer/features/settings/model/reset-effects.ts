import type {
  ComparedKind,
  ComparedThings,
  ResetComparison,
} from '../../../../server/contract/control-comparison.ts'
import { formatCount, plural } from '../../../lib/format.ts'

const nouns: Readonly<Record<ComparedKind, string>> = {
  users: 'user',
  organizations: 'organization',
  apps: 'app',
  repos: 'repo',
  collections: 'collection',
  webhooks: 'webhook',
  jobs: 'job',
}

const mostNamed = 3

/** One kind of effect of a reset, with the items that it concerns. */
export interface ResetEffect {
  title: string
  /** `2 apps: Notes, Demo` */
  items: string[]
}

/** Lists what a reset deletes, changes back and brings back. */
export function resetEffects({ things, commits }: ResetComparison): ResetEffect[] {
  const deleted = itemsOf(things, ({ removed }) => removed)
  return [
    {
      title: 'Deleted',
      items: commits === 0 ? deleted : [...deleted, plural(commits, 'commit')],
    },
    {
      title: 'Changed back',
      items: itemsOf(things, ({ changed }) => ({
        count: changed.count,
        names: changed.things.map(({ name }) => name),
      })),
    },
    { title: 'Brought back', items: itemsOf(things, ({ added }) => added) },
  ].filter(({ items }) => items.length > 0)
}

function itemsOf(
  things: readonly ComparedThings[],
  pick: (thing: ComparedThings) => { count: number; names: readonly string[] },
): string[] {
  return things.flatMap((thing) => {
    const { count, names } = pick(thing)
    if (count === 0) return []
    const shown = names.slice(0, mostNamed)
    const more = count > shown.length ? ` and ${formatCount(count - shown.length)} more` : ''
    return `${plural(count, nouns[thing.kind])}: ${shown.join(', ')}${more}`
  })
}
