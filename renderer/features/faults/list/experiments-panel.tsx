import { Link } from 'wouter'
import type { FaultItem } from '../../../../server/contract/control-faults.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { type Experiment, experiments, ruleOf } from '../model/experiments.ts'
import type { Verdict } from '../model/judge-experiment.ts'
import { useDemoApp, useFaults, useRemoveFault, useRunExperiment } from '../model/requests.ts'
import { useVerdict } from '../model/use-verdict.ts'
import { words } from '../words.ts'

/** Faults for one request each, with a verdict on what the app does then. */
export function ExperimentsPanel() {
  const faults = useFaults().data?.items ?? []
  return (
    <Panel title={words.experiments} lead={words.experimentsLead}>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {experiments.map((experiment) => (
          <Card key={experiment.id} experiment={experiment} fault={ruleOf(experiment, faults)} />
        ))}
      </ul>
    </Panel>
  )
}

interface CardProps {
  experiment: Experiment
  /** Rule of the last run. */
  fault: FaultItem | undefined
}

function Card({ experiment, fault }: CardProps) {
  const run = useRunExperiment()
  const remove = useRemoveFault()
  const demo = useDemoApp()
  const isArmed = fault?.hits === 0
  const start = () => run.mutateAsync({ rule: experiment.rule, earlier: fault?.id })
  async function playDemo(): Promise<void> {
    if (!isArmed) await start()
    await demo.mutateAsync(experiment.demo)
  }
  return (
    <li
      aria-label={words.experimentOf(experiment.title)}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3"
    >
      <h3 className="text-sm font-semibold">{experiment.title}</h3>
      <p className="text-xs text-muted">{experiment.expected}</p>
      {fault && <Outcome key={fault.id} experiment={experiment} fault={fault} />}
      <div className="mt-auto flex flex-wrap gap-1.5 pt-1">
        {isArmed ? (
          <Button size="small" busy={remove.isPending} onClick={() => remove.mutate(fault.id)}>
            {words.stop}
          </Button>
        ) : (
          <Button size="small" icon="play" busy={run.isPending} onClick={() => void start()}>
            {fault ? words.runAgain : words.run}
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          busy={demo.isPending}
          // The failed call is reported.
          onClick={() => void playDemo().catch(() => undefined)}
        >
          {words.playWithDemo}
        </Button>
      </div>
    </li>
  )
}

const looks: Record<Verdict['state'], { tone: Tone; icon: IconName; word: string }> = {
  armed: { tone: 'warn', icon: 'queued', word: words.armed },
  watching: { tone: 'accent', icon: 'eye', word: words.watching },
  passed: { tone: 'ok', icon: 'check', word: words.passed },
  failed: { tone: 'bad', icon: 'cross', word: words.failed },
  unclear: { tone: 'neutral', icon: 'minus', word: words.unclear },
}

function Outcome({ experiment, fault }: CardProps & { fault: FaultItem }) {
  const verdict = useVerdict(experiment, fault)
  if (verdict === undefined) return null
  const { tone, icon, word } = looks[verdict.state]
  return (
    <div aria-live="polite" className="flex flex-col items-start gap-1.5">
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      <p className="text-sm">{verdict.text}</p>
      {verdict.flowId && (
        <Link
          href={`/sign-ins/${encodeURIComponent(verdict.flowId)}`}
          className={buttonClass('plain', 'small')}
        >
          {words.viewSignIn}
        </Link>
      )}
    </div>
  )
}
