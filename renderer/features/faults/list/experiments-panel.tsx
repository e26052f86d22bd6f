import { useId } from 'react'
import { Link } from 'wouter'
import type { ExperimentItem, Verdict } from '../../../../server/contract/control-experiments.ts'
import {
  experimentAreas,
  type ExperimentState,
} from '../../../../server/contract/words/sandbox-words.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { useExperiments, useRunExperiment, useStopExperiment } from '../model/requests.ts'
import { words } from '../words.ts'

/** Wrong responses for apps and unusual deliveries for receivers, with verdicts on what they do. */
export function ExperimentsPanel() {
  const experiments = useExperiments()
  return (
    <Panel title="Experiments" lead={words.experimentsLead}>
      <QueryView query={experiments} what="experiments">
        {({ items }) => (
          <div className="flex flex-col gap-4">
            {experimentAreas.map((area) => (
              <Area
                key={area}
                title={words.areas[area]}
                experiments={items.filter((one) => one.area === area)}
              />
            ))}
          </div>
        )}
      </QueryView>
    </Panel>
  )
}

function Area({ title, experiments }: { title: string; experiments: readonly ExperimentItem[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="eyebrow">
        {title}
      </h3>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {experiments.map((experiment) => (
          <Card key={experiment.id} experiment={experiment} />
        ))}
      </ul>
    </section>
  )
}

function Card({ experiment }: { experiment: ExperimentItem }) {
  const { id, title, expected, demo, verdict, faultId } = experiment
  const run = useRunExperiment()
  const demoRun = useRunExperiment()
  const stop = useStopExperiment()
  return (
    <li
      aria-label={`Experiment: ${title}`}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3"
    >
      <h4 className="text-sm font-semibold">{title}</h4>
      <p className="text-xs text-muted">{expected}</p>
      {verdict && <Outcome key={faultId} verdict={verdict} />}
      <div className="mt-auto flex flex-wrap gap-1.5 pt-1">
        {verdict?.state === 'armed' ? (
          <Button size="small" busy={stop.isPending} onClick={() => stop.mutate(id)}>
            Stop
          </Button>
        ) : (
          <Button size="small" icon="play" busy={run.isPending} onClick={() => run.mutate({ id })}>
            {verdict ? 'Run again' : 'Run'}
          </Button>
        )}
        {demo !== undefined && (
          <Button
            size="small"
            look="quiet"
            busy={demoRun.isPending}
            onClick={() => demoRun.mutate({ id, play: true })}
          >
            Play with the demo app
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

function Outcome({ verdict: { state, text, flowId, deliveryId } }: { verdict: Verdict }) {
  const { tone, icon, word } = looks[state]
  return (
    <div aria-live="polite" className="flex flex-col items-start gap-1.5">
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      <p className="text-sm break-words">{text}</p>
      {flowId && (
        <Link
          href={`/sign-ins/${encodeURIComponent(flowId)}`}
          className={buttonClass('plain', 'small')}
        >
          View sign-in
        </Link>
      )}
      {deliveryId && (
        <Link href={`/deliveries/${deliveryId}`} className={buttonClass('plain', 'small')}>
          View delivery
        </Link>
      )}
    </div>
  )
}
