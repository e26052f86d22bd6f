import { ResourcePage } from '../../shared/resource-page.tsx'
import { Link } from 'wouter'
import type { ScheduledJobItem } from '../../../server/contract/control-jobs.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { Empty } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Column } from '../../ui/table.tsx'
import { Countdown, Moment } from '../../ui/time.tsx'
import { ScheduleDialog } from './detail/schedule-dialog.tsx'
import {
  useDeleteScheduledJob,
  useRunScheduledJob,
  useScheduledJobs,
  useSuspendScheduledJob,
} from './model/requests.ts'
import { words } from './words.ts'

export function ScheduledJobsPage() {
  const scheduled = useScheduledJobs()
  const suspend = useSuspendScheduledJob()
  const run = useRunScheduledJob()
  const removing = useQuestion(useDeleteScheduledJob())
  const columns: Column<ScheduledJobItem>[] = [
    ...factColumns,
    {
      title: 'Active',
      width: 5,
      sortBy: (job) => Number(job.suspend ?? false),
      renderCell: (job) => (
        <Switch
          checked={!job.suspend}
          busy={suspend.isPending}
          onChange={(isActive) => suspend.mutate({ id: job.id, suspend: !isActive })}
        >
          <span className="sr-only">{`Active: ${nameOf(job)}`}</span>
        </Switch>
      ),
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 10,
      align: 'right',
      renderCell: (job) => (
        <span className="inline-flex items-center gap-1">
          <Button
            size="small"
            icon="play"
            aria-label={`Run ${nameOf(job)} now`}
            busy={run.isPending}
            onClick={() => run.mutate(job)}
          >
            Run now
          </Button>
          <IconButton
            size="small"
            icon="trash"
            label={`Delete ${nameOf(job)}`}
            onClick={() => removing.ask(job)}
          />
        </span>
      ),
    },
  ]
  return (
    <ResourcePage
      title={words.title}
      lead="Jobs that run at times of the sandbox clock: advance the clock to run those that are due."
      query={scheduled}
      what="scheduled jobs"
      rowKey={({ id }) => id}
      columns={columns}
      renderEmpty={() => (
        <Empty icon="clock" title="No scheduled jobs yet" command={words.example}>
          {words.emptyHint}
        </Empty>
      )}
      create={{
        label: words.create,
        renderDialog: (close) => <ScheduleDialog onClose={close} />,
      }}
    >
      <Question
        of={removing}
        title={(job) => `Delete the schedule of ${nameOf(job)}?`}
        action="Delete scheduled job"
      >
        {() => 'It does not run again. Jobs that it started stay in the list of jobs.'}
      </Question>
    </ResourcePage>
  )
}

const factColumns: readonly Column<ScheduledJobItem>[] = [
  {
    title: 'Job',
    minWidth: 9,
    renderCell: (job) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-mono text-xs" title={nameOf(job)}>
          {nameOf(job)}
        </span>
        <span className="truncate font-mono text-2xs text-muted">
          {[...job.command, ...job.arguments].join(' ')}
        </span>
      </span>
    ),
  },
  {
    title: words.schedule,
    width: 8,
    sortBy: ({ schedule }) => schedule,
    renderCell: ({ schedule }) => (
      <span className="block truncate font-mono text-xs" title={schedule}>
        {schedule}
      </span>
    ),
  },
  { title: 'Next run', width: 10, renderCell: (job) => <NextRun job={job} /> },
  {
    title: 'Last run',
    width: 10.5,
    priority: 2,
    renderCell: ({ lastJob }) =>
      lastJob === undefined ? (
        <span className="text-xs text-muted">never</span>
      ) : (
        <Link
          href={`/jobs/${lastJob.id}`}
          className="inline-flex items-center gap-1.5 text-xs text-accent hover:underline"
        >
          <Moment time={lastJob.at} />
          {lastJob.stage && <Badge>{lastJob.stage.toLowerCase()}</Badge>}
        </Link>
      ),
  },
  {
    title: 'Owner',
    width: 8,
    priority: 3,
    sortBy: ({ namespace }) => namespace,
    renderCell: ({ namespace }) => <span title={namespace}>{namespace}</span>,
  },
]

function NextRun({ job: { suspend, nextRunAt } }: { job: ScheduledJobItem }) {
  if (suspend) return <Badge icon="pause">suspended</Badge>
  if (nextRunAt === undefined) {
    return <span className="text-xs text-muted">none</span>
  }
  return (
    <span className="flex flex-col text-xs">
      <Moment time={nextRunAt} />
      <span className="text-2xs text-muted">
        {'in '}
        <Countdown time={nextRunAt} />
      </span>
    </span>
  )
}

/** What a job runs. */
function nameOf({ dockerImage, spaceId }: ScheduledJobItem): string {
  return dockerImage ?? spaceId ?? ''
}
