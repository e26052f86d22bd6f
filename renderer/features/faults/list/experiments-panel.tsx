import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { ExperimentItem, Verdict } from '../../../../server/contract/control-experiments.ts'
import {
  experimentAreas,
  type ExperimentState,
} from '../../../../server/contract/words/sandbox-words.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useExperiments, useRunExperiment, useStopExperiment } from '../model/requests.ts'
import { type Player, scoreOf } from '../model/run-all.ts'
import { useRunAll } from '../model/use-run-all.ts'
import { words } from '../words.ts'

/** Wrong responses for apps and unusual deliveries for receivers, with verdicts on what they do. */
export function ExperimentsPanel() {
  const experiments = useExperiments()
  return (
    <QueryView query={experiments} what="experiments">
      {({ items }) => <Scorecard items={items} />}
    </QueryView>
  )
}

type RunAll = ReturnType<typeof useRunAll>

function Scorecard({ items }: { items: readonly ExperimentItem[] }) {
  const all = useRunAll()
  return (
    <Panel
      title={words.scorecard}
      lead={<ScoreText items={items} />}
      actions={<RunAllControls all={all} />}
    >
      <div className="flex flex-col gap-4">
        {experimentAreas.map((area) => (
          <Area
            key={area}
            title={words.areas[area]}
            experiments={items.filter((one) => one.area === area)}
            all={all}
          />
        ))}
      </div>
    </Panel>
  )
}

function ScoreText({ items }: { items: readonly ExperimentItem[] }) {
  const { passed, failed, unclear, running, notRun } = scoreOf(items)
  const parts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [unclear, 'unclear'],
    [running, 'running'],
    [notRun, 'not run'],
  ] as const
  const shown = parts.filter(([count], index) => count > 0 || index < 2)
  return (
    <output>{shown.map(([count, word]) => `${formatCount(count)} ${word}`).join(' · ')}</output>
  )
}

function RunAllControls({ all }: { all: RunAll }) {
  const [player, setPlayer] = useState<Player>('demo')
  if (all.progress) {
    const { at, total } = all.progress
    return (
      <>
        <output className="self-center text-sm text-muted">
          {at} of {total}
        </output>
        <Button onClick={() => all.end()}>Stop all</Button>
      </>
    )
  }
  return (
    <>
      <Select
        label="App that is judged"
        value={player}
        onChange={setPlayer}
        options={[
          { value: 'demo', label: words.withDemo },
          { value: 'own', label: words.withOwn },
        ]}
      />
      <Button look="primary" icon="play" onClick={() => all.begin(player)}>
        {words.runAll}
      </Button>
    </>
  )
}

interface AreaProps {
  title: string
  experiments: readonly ExperimentItem[]
  all: RunAll
}

function Area({ title, experiments, all }: AreaProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <h3 id={id} className="eyebrow">
        {title}
      </h3>
      <ul className="divide-y divide-line/60">
        {experiments.map((experiment) => (
          <Row key={experiment.id} experiment={experiment} all={all} />
        ))}
      </ul>
    </section>
  )
}

function Row({ experiment, all }: { experiment: ExperimentItem; all: RunAll }) {
  const { id, title, expected, demo, verdict, faultId } = experiment
  const problem = all.problems.get(id)
  const run = useRunExperiment()
  const demoRun = useRunExperiment()
  const stop = useStopExperiment()
  const start = (by: typeof run, play: boolean) => {
    all.forget(id)
    by.mutate({ id, play })
  }
  return (
    <li
      aria-label={`Experiment: ${title}`}
      aria-current={all.progress?.id === id ? 'step' : undefined}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
    >
      <div className="pt-px max-sm:order-1">
        <State state={problem === undefined ? verdict?.state : undefined} />
      </div>
      <div className="min-w-0 max-sm:order-3 max-sm:col-span-2">
        <h4 className="text-sm font-medium" title={expected}>
          {title}
        </h4>
        {problem !== undefined && <p className="text-xs break-words text-warn">{problem}</p>}
        {verdict && problem === undefined ? (
          <Outcome key={faultId} verdict={verdict} />
        ) : (
          <p className="text-xs text-muted">{expected}</p>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-1.5 max-sm:order-2">
        {demo !== undefined && (
          <Button
            size="small"
            look="quiet"
            busy={demoRun.isPending}
            onClick={() => start(demoRun, true)}
          >
            Play with the demo app
          </Button>
        )}
        {verdict?.state === 'armed' ? (
          <Button size="small" busy={stop.isPending} onClick={() => stop.mutate(id)}>
            Stop
          </Button>
        ) : (
          <Button size="small" icon="play" busy={run.isPending} onClick={() => start(run, false)}>
            {verdict ? 'Run again' : 'Run'}
          </Button>
        )}
      </div>
    </li>
  )
}

const looks: Record<ExperimentState, { tone: Tone; icon: IconName; word: string }> = {
  armed: { tone: 'warn', icon: 'queued', word: 'armed' },
  watching: { tone: 'accent', icon: 'eye', word: 'watching' },
  passed: { tone: 'ok', icon: 'check', word: 'passed' },
  failed: { tone: 'bad', icon: 'cross', word: 'failed' },
  unclear: { tone: 'neutral', icon: 'minus', word: 'unclear' },
}

function State({ state }: { state: ExperimentState | undefined }) {
  if (state === undefined) return <Badge icon="queued">not run</Badge>
  const { tone, icon, word } = looks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  )
}

function Outcome({ verdict: { text, flowId, deliveryId } }: { verdict: Verdict }) {
  const link = 'text-accent underline underline-offset-2'
  return (
    <p aria-live="polite" className="text-xs break-words text-muted">
      {text}{' '}
      {flowId && (
        <Link href={`/sign-ins/${encodeURIComponent(flowId)}`} className={link}>
          View sign-in
        </Link>
      )}{' '}
      {deliveryId && (
        <Link href={`/deliveries/${deliveryId}`} className={link}>
          View delivery
        </Link>
      )}
    </p>
  )
}
