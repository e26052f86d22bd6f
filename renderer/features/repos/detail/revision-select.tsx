import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import { Select } from '../../../ui/select.tsx'
import { useParameter } from '../../../lib/parameters.ts'

/** Revision named by the URL, or main. */
export function useRevision() {
  const [chosen, setRevision] = useParameter('revision')
  return { revision: chosen || 'main', setRevision }
}

/** Branches, tags and pull requests, and a commit if the URL names one. */
export function RevisionSelect({ repo }: { repo: RepoDetail }) {
  const { revision, setRevision } = useRevision()
  const known = [
    ...repo.branches.map((name) => ({ value: name, label: name })),
    ...repo.tags.map((name) => ({ value: `refs/tags/${name}`, label: `tag ${name}` })),
    ...repo.discussionList
      .filter(({ isPullRequest }) => isPullRequest)
      .map(({ num }) => ({ value: `refs/pr/${num}`, label: `pull request #${num}` })),
  ]
  const isKnown = known.some(({ value }) => value === revision)
  return (
    <Select
      label="Revision"
      value={revision}
      onChange={(next) => setRevision(next === 'main' ? '' : next)}
      options={isKnown ? known : [...known, { value: revision, label: revision.slice(0, 12) }]}
      className="max-w-60!"
    />
  )
}
