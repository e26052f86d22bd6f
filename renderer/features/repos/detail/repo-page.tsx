import { useState } from 'react'
import { Link } from 'wouter'
import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Way } from '../../../shared/way.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select } from '../../../ui/select.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { repoAddress } from '../../../lib/repo-address.ts'
import { RepoDialog } from './repo-dialog.tsx'
import { useRepo } from '../model/requests.ts'
import { AccessTab } from './access-tab.tsx'
import { CommitList } from './commit-list.tsx'
import { DiscussionsTab } from './discussions-tab.tsx'
import { FilesTab } from './files-tab.tsx'
import { RefsTab } from './refs-tab.tsx'
import type { RepoPlace } from '../model/content-requests.ts'
import { useActor } from '../model/use-actor.ts'
import { words } from '../words.ts'

const views = ['files', 'commits', 'discussions', 'refs', 'access'] as const

/** Contents of a repo, and actions of a user on it. Each action causes its real events. */
export function RepoPage({ place }: { place: RepoPlace }) {
  const name = `${place.namespace}/${place.name}`
  const repo = useRepo(repoAddress({ type: place.type, name }))
  return (
    <Page
      title={name}
      lead={repo.data && <Lead repo={repo.data} />}
      actions={<Actions repo={repo.data} />}
    >
      <QueryView
        query={repo}
        what={`the ${place.type} ${name}`}
        wayOut={
          <Link href="/repos" className={buttonClass()}>
            {words.allRepos}
          </Link>
        }
      >
        {(data) => <Content place={place} repo={data} />}
      </QueryView>
    </Page>
  )
}

function Lead({ repo }: { repo: RepoDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge icon={repo.type}>{repo.type === 'space' ? words.space : repo.type}</Badge>
      {repo.visibility !== 'public' && <Badge icon="lock">{repo.visibility}</Badge>}
      {repo.gated !== false && <Badge tone="warn">{words.gatedBy(repo.gated)}</Badge>}
      Changes here are real and trigger webhooks.
      <Way href={`/requests?q=${encodeURIComponent(`route:*/${repo.name}*`)}`}>
        {words.requests}
      </Way>
      <Way href={`/deliveries?q=${encodeURIComponent(`repo:${repo.name}`)}`}>
        {words.deliveries}
      </Way>
      <CopyButton text={`git clone ${repo.url}`} what="Clone command" look="quiet">
        Clone
      </CopyButton>
    </span>
  )
}

function Actions({ repo }: { repo: RepoDetail | undefined }) {
  const [changing, setChanging] = useState(false)
  return (
    <>
      {repo && (
        <>
          <Button icon="settings" onClick={() => setChanging(true)}>
            {words.settings}
          </Button>
          <a href={repo.url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <Icon name="external" /> {words.viewOnHub}
          </a>
        </>
      )}
      <Link href="/repos" className={buttonClass()}>
        <Icon name="repo" /> {words.allRepos}
      </Link>
      {repo && changing && <RepoDialog repo={repo} onClose={() => setChanging(false)} />}
    </>
  )
}

function Content({ place, repo }: { place: RepoPlace; repo: RepoDetail }) {
  const [view, setView] = useParameter('view', views)
  const { actor, setActor, usernames } = useActor(place.namespace)
  const shared = { place, repo, actor }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 pb-4">
        <Segments
          label="View"
          value={view}
          onChange={(next) => setView(next, { push: true })}
          options={[
            { value: 'files', label: words.files },
            { value: 'commits', label: words.commits },
            { value: 'discussions', label: words.discussions, count: repo.discussions },
            { value: 'refs', label: words.branchesAndTags },
            ...(repo.gated === false
              ? []
              : [{ value: 'access' as const, label: words.accessRequests }]),
          ]}
        />
        <div className="ml-auto flex max-w-full min-w-0 items-center gap-2 text-xs whitespace-nowrap text-muted">
          {words.actingAs}
          <Select
            label={words.actingAs}
            value={actor}
            onChange={setActor}
            options={usernames.map((value) => ({ value, label: value }))}
            className="max-w-52!"
          />
        </div>
      </div>
      {view === 'files' && <FilesTab {...shared} />}
      {view === 'commits' && <CommitList {...shared} />}
      {view === 'discussions' && <DiscussionsTab {...shared} />}
      {view === 'refs' && <RefsTab {...shared} />}
      {view === 'access' && <AccessTab place={place} />}
    </>
  )
}
