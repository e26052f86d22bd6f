import { ResourcePage } from '../../shared/resource-page.tsx'
import { useLocation } from 'wouter'
import type { JobDetail, JobItem } from '../../../server/contract/control-jobs.ts'
import { callApi } from '../../api/client.ts'
import { useRead, useWholeList, useWrite } from '../../api/query.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyableId } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { DetailPanel } from '../../shared/detail-panel.tsx'
import { useDetailPane } from '../../shared/detail-panes.ts'
import { UserWay, Way } from '../../shared/way.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { Moment } from '../../ui/time.tsx'
import { formatTime } from '../../lib/format.ts'
import { openJobStages } from '../../../server/contract/words/job-words.ts'
import { words } from './words.ts'

const tones: Record<JobItem['stage'], Tone> = {
  SCHEDULING: 'accent',
  RUNNING: 'accent',
  COMPLETED: 'ok',
  CANCELED: 'neutral',
  ERROR: 'bad',
  DELETED: 'neutral',
}

export function JobsPage({ jobId }: { jobId: string | undefined }) {
  const jobs = useWholeList('GET jobs')
  const [, navigate] = useLocation()
  const columns: Column<JobItem>[] = [
    {
      title: words.job,
      width: 9,
      sortBy: ({ id }) => id,
      renderCell: (job) => (
        <button
          type="button"
          className="max-w-full truncate font-mono text-xs hover:underline"
          onClick={(event) => {
            event.stopPropagation()
            navigate(`/jobs/${job.id}`)
          }}
        >
          {job.id}
        </button>
      ),
    },
    {
      title: words.stage,
      width: 11,
      sortBy: ({ stage }) => stage,
      renderCell: (job) => <Stage job={job} />,
    },
    {
      title: words.command,
      minWidth: 8,
      renderCell: (job) => (
        <span className="font-mono text-xs">
          {job.dockerImage ?? job.spaceId} {job.command.join(' ')}
        </span>
      ),
    },
    {
      title: words.owner,
      width: 9,
      priority: 2,
      sortBy: (job) => job.namespace,
      renderCell: (job) => job.namespace,
    },
    {
      title: words.hardware,
      width: 8,
      priority: 3,
      sortBy: ({ flavor }) => flavor,
      renderCell: (job) => <span className="text-xs">{job.flavor}</span>,
    },
    {
      title: 'Created',
      priority: 2,
      width: 7.5,
      descendsFirst: true,
      sortBy: ({ createdAt }) => createdAt,
      renderCell: ({ createdAt }) => (
        <span className="text-xs text-muted">
          <Moment time={createdAt} />
        </span>
      ),
    },
  ]
  return (
    <ResourcePage
      title={words.jobs}
      lead="Jobs of webhooks and the jobs API. Recorded; run only with --run-jobs."
      query={jobs}
      what="jobs"
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate(`/jobs/${id}`)}
      panel={{
        label: words.job,
        openKey: jobId,
        render: (id, onClose) => <JobPanel key={id} id={id} onClose={onClose} />,
        onClose: () => navigate('/jobs', { replace: true }),
      }}
      renderEmpty={() => (
        <Empty icon="job" title="No jobs yet">
          {words.emptyHint}
        </Empty>
      )}
    />
  )
}

function Stage({ job }: { job: JobItem }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={job.executed ? tones[job.stage] : 'neutral'}>{job.stage.toLowerCase()}</Badge>
      {!job.executed && <Badge icon="job">not run</Badge>}
      {job.exitCode !== undefined && job.exitCode !== 0 && (
        <Badge tone="bad">{`exit code ${job.exitCode}`}</Badge>
      )}
    </span>
  )
}

interface JobPanelProps {
  id: string
  /** Absent in a dialog, which has its own button. */
  onClose?: (() => void) | undefined
}

function JobPanel({ id, onClose }: JobPanelProps) {
  const job = useRead('GET jobs/:id', { params: { id } })
  const [pane = 'summary', setPane] = useDetailPane()
  return (
    <QueryView query={job} what="this job">
      {(data) => (
        <DetailPanel
          label="Parts of the job"
          heading={<JobHeading job={data} />}
          actions={<CancelJob job={data} />}
          pane={pane}
          onPane={setPane}
          onClose={onClose}
          contents={{
            summary: { renderContent: () => <Detail job={data} /> },
            related: { renderContent: () => <Related job={data} /> },
          }}
        />
      )}
    </QueryView>
  )
}

function JobHeading({ job }: { job: JobDetail }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="text-base font-semibold">{words.job}</h2>
      <Stage job={job} />
    </div>
  )
}

function CancelJob({ job: { id, stage } }: { job: JobDetail }) {
  const cancel = useWrite({
    call: (jobId: string) => callApi('DELETE jobs/:id', { params: { id: jobId } }),
    changes: ['jobs'],
    done: 'Job cancelled',
    failed: 'Could not cancel the job',
  })
  if (!openJobStages.some((open) => open === stage)) return null
  return (
    <p>
      <Button icon="cross" size="small" busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
        Cancel job
      </Button>
    </p>
  )
}

/** Links to the user who started a job, and to the requests about it. */
function Related({ job: { id, owner } }: { job: JobDetail }) {
  return (
    <div className="p-4">
      <Facts
        items={[
          ['Started by', <UserWay key="u" username={owner.username} />],
          [
            'Requests',
            <Way key="r" href={`/requests?q=${encodeURIComponent(`route:*${id}*`)}`}>
              {`route:*${id}*`}
            </Way>,
          ],
        ]}
      />
    </div>
  )
}

function Detail({ job }: { job: JobDetail }) {
  const logs = job.logs.map(({ at, line }) => `${formatTime(at)}  ${line}`).join('\n')
  const environment = Object.entries(job.environment).map(([name, value]) => `${name}=${value}`)
  const secrets = Object.keys(job.secrets).map((name) => `${name}=••••••••`)
  return (
    <div className="flex flex-col gap-4 p-4">
      <Facts
        items={[
          ['ID', <CopyableId key="i" text={job.id} head={24} />],
          ['Message', job.message],
          ['Image', job.dockerImage],
          ['Space', job.spaceId],
          [words.command, [...job.command, ...job.arguments].join(' ')],
          [words.hardware, job.flavor],
          [words.owner, job.namespace],
          ['Started by', job.owner.username],
        ]}
      />
      <section>
        <h3 className="eyebrow pb-1.5">{words.environment}</h3>
        <Code
          label={words.environment}
          text={[...environment, ...secrets].join('\n') || '(empty)'}
        />
      </section>
      <section>
        <h3 className="eyebrow pb-1.5">{words.output}</h3>
        <Code label={words.output} text={logs || '(nothing)'} />
      </section>
    </div>
  )
}
