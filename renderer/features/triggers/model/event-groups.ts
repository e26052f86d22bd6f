import type {
  EventDescription,
  TriggerRequest,
} from '../../../../server/contract/control-events.ts'
import type { IconName } from '../../../ui/icon.tsx'
import type { PaletteGroup } from '../../../ui/palette.tsx'

type Choice = { event: string; kind: string } | { request: TriggerRequest }

/** Search terms for the events of each scope. */
const searchTerms: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    repo: 'repository',
    'repo.content': 'push commit content branch tag',
    'repo.config': 'settings visibility',
    discussion: 'pr pull request open',
    'discussion.comment': 'comment reply',
  }),
)

const icons: ReadonlyMap<string, IconName> = new Map(
  Object.entries<IconName>({
    repo: 'repo',
    'repo.content': 'delivery',
    'repo.config': 'settings',
    discussion: 'audit',
    'discussion.comment': 'edit',
  }),
)

/** The catalog as a palette: the last used on top, then by scope, one line for each cause. */
export function eventGroups(
  catalog: readonly EventDescription[],
  last: readonly TriggerRequest[],
  choose: (choice: Choice) => void,
): PaletteGroup[] {
  const groups = new Map<string, PaletteGroup>()
  if (last.length > 0) {
    groups.set('last', {
      title: 'Last used',
      items: last.map((request, index) => ({
        id: `last-${index}`,
        label: request.kind ? `${request.event} ${request.kind}` : request.event,
        icon: 'clock',
        words: request.repo,
        note: request.repo,
        run: () => choose({ request }),
      })),
    })
  }
  for (const { event, scope, title, kinds } of catalog) {
    const group = groups.get(scope) ?? { title: scope, items: [] }
    groups.set(scope, group)
    const causes = kinds.length > 0 ? kinds : [{ kind: '', title }]
    for (const cause of causes) {
      group.items.push({
        id: `${event} ${cause.kind}`,
        label: cause.title,
        icon: icons.get(scope) ?? 'trigger',
        words: `${event} ${cause.kind.replace('pull-request', 'pr pull-request')} ${searchTerms.get(scope) ?? ''}`,
        run: () => choose({ event, kind: cause.kind }),
      })
    }
  }
  return [...groups.values()]
}
