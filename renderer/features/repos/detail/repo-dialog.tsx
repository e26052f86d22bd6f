import { Link } from 'wouter'
import type { RepoDetail, RepoItem } from '../../../../server/contract/control-repos.ts'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Moment } from '../../../ui/time.tsx'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { statusTones } from '../model/status-tones.ts'
import { useDeleteRepo, useRepo, useUpdateRepo } from '../model/requests.ts'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

export function RepoDialog({ repo, onClose }: { repo: RepoItem; onClose: () => void }) {
  const detail = useRepo(repo.id)
  const update = useUpdateRepo(repo.id)
  const deleting = useQuestion(useDeleteRepo(), onClose)
  return (
    <Dialog
      wide
      open
      onOpenChange={onClose}
      title={repo.name}
      lead={`A ${repo.type === 'space' ? words.space : repo.type}`}
    >
      <DialogBody textOnly>
        <QueryView query={detail} what="the repo">
          {(data) => <Detail repo={data} />}
        </QueryView>
      </DialogBody>
      <DialogFooter>
        <Button look="danger" icon="trash" onClick={() => deleting.ask(repo.id)}>
          {words.delete}
        </Button>
        <span className="mr-auto flex items-center gap-3 pl-2">
          <Switch
            checked={repo.private}
            busy={update.isPending}
            onChange={(next) => update.mutate({ private: next })}
          >
            {words.private}
          </Switch>
          {repo.type !== 'bucket' && (
            <Select
              label="Gate"
              value={String(repo.gated)}
              onChange={(value) =>
                update.mutate({ gated: value === 'auto' || value === 'manual' ? value : false })
              }
              options={[
                { value: 'false', label: 'Not gated' },
                { value: 'auto', label: 'Gated, automatic approval' },
                { value: 'manual', label: 'Gated, manual approval' },
              ]}
            />
          )}
        </span>
        {repo.type !== 'bucket' && (
          <a href={repo.url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <Icon name="external" /> {words.viewOnHub}
          </a>
        )}
      </DialogFooter>
      <Question of={deleting} title={() => `Delete ${repo.name}?`} action="Delete repo">
        {() => words.deleteConsequence}
      </Question>
    </Dialog>
  )
}

function Detail({ repo }: { repo: RepoDetail }) {
  return (
    <div className="flex flex-col gap-5">
      <Facts
        items={[
          [words.branches, repo.branches.length > 0 && <Names key="b" names={repo.branches} />],
          [words.tags, repo.tags.length > 0 && <Names key="t" names={repo.tags} />],
          ['SDK', repo.sdk],
          ['Likes', repo.type !== 'bucket' && repo.likes],
          ['Downloads', repo.type !== 'bucket' && repo.downloads],
          [
            words.accessRequests,
            repo.accessRequests.length > 0 && (
              <Link
                key="a"
                href={`/repos/${repo.type}/${repo.name}?view=access`}
                className="text-accent hover:underline"
              >
                {formatCount(repo.accessRequests.length)}
              </Link>
            ),
          ],
          ['Created', <Moment key="m" time={repo.createdAt} />],
        ]}
      />
      <section>
        <h3 className="eyebrow pb-1.5">{repo.type === 'bucket' ? words.files : 'Files on main'}</h3>
        {repo.files.length === 0 ? (
          <p className="text-sm text-muted">No files yet.</p>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line">
            {repo.files.map(({ path, size }) => (
              <li key={path} className="flex justify-between gap-4 px-3 py-1.5">
                <span className="font-mono text-xs break-all">{visibleControls(path)}</span>
                <span className="text-xs whitespace-nowrap text-muted">{formatBytes(size)}</span>
              </li>
            ))}
            {repo.moreFiles !== undefined && (
              <li className="px-3 py-1.5 text-xs text-muted">and {repo.moreFiles} more</li>
            )}
          </ul>
        )}
      </section>
      {repo.discussionList.length > 0 && (
        <section>
          <h3 className="eyebrow pb-1.5">Discussions and pull requests</h3>
          <ul className="flex flex-col gap-1.5">
            {repo.discussionList.map((item) => (
              <li key={item.num} className="flex items-center gap-2">
                <Badge tone={statusTones[item.status]}>{item.status}</Badge>
                <span className="min-w-0 flex-1 truncate">
                  {item.isPullRequest && <Chip>PR</Chip>} {visibleControls(item.title)}{' '}
                  <span className="text-faint">#{item.num}</span>
                </span>
                <span
                  className="max-w-1/3 truncate text-xs text-muted"
                  title={item.author.username}
                >
                  {item.author.username}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Chip key={name}>{name}</Chip>
      ))}
    </span>
  )
}
