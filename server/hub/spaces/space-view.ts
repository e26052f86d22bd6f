import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { ReadCard } from '../files/repo-card.ts'
import { cardTexts, repoTags } from '../repos/repo-info.ts'
import { readSpaceMetadata, spaceSdk } from '../repos/space-sdk.ts'
import { spaceRuntime } from './space-machine.ts'

/** Describes a Space as a card of the Hub shows it: what its README says, its tags and its machine. */
export function describeSpaceCard(
  deps: Pick<Deps, 'state' | 'objects' | 'settings' | 'clock'>,
  repo: Repo,
  readCard: ReadCard,
) {
  const textOf = (member: string) => cardTexts(deps, repo, readCard, member)[0]
  return {
    title: textOf('title') ?? repo.name.slice(repo.name.indexOf('/') + 1),
    ...omitUndefined({
      emoji: textOf('emoji'),
      colorFrom: textOf('colorFrom'),
      colorTo: textOf('colorTo'),
      shortDescription: textOf('short_description'),
    }),
    sdk: spaceSdk(repo, readSpaceMetadata(deps, repo)) ?? null,
    tags: repoTags(deps, repo, readCard).map(({ id }) => id),
    runtime: spaceRuntime(deps, repo),
  }
}
