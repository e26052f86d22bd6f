import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useRoute } from 'wouter'
import type { DemoItem } from '../../../server/contract/control-demos.ts'
import { useEndDemo, useNextStep, useDemos } from '../../api/demos.ts'
import { useWholeList } from '../../api/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { shownDemo } from './shown-demo.ts'
import { kindWords } from './words.ts'

/** Bar of the demo whose diagram is shown: its next step, or its outcome. */
export function DemoBar() {
  const { data: demos } = useDemos()
  const { data: flows } = useWholeList('GET flows')
  const [, params] = useRoute('/sign-ins/:id?/:step?')
  const chosenId = params?.id && decodeURIComponent(params.id)
  const shown = shownDemo(demos ?? [], chosenId, flows?.items[0]?.id)
  useItsFlow(demos, shown)
  return shown === undefined ? null : <Bar key={shown.id} item={shown} />
}

/** Follows the shown demo to its diagram: it has one from its first request on, and may begin another. */
function useItsFlow(demos: readonly DemoItem[] | undefined, shown: DemoItem | undefined): void {
  const [, navigate] = useLocation()
  const last = useRef<DemoItem>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = shown
    const now = before && demos?.find(({ id }) => id === before.id)
    if (now?.flowId === undefined || now.flowId === before?.flowId) return
    navigate(`/sign-ins/${encodeURIComponent(now.flowId)}${window.location.search}`)
  }, [demos, shown, navigate])
}

function Bar({ item }: { item: DemoItem }) {
  const end = useEndDemo()
  return (
    <section
      aria-label="Demo"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-accent-soft/60 px-4 py-2.5"
    >
      <div className="min-w-60 flex-1 text-sm">
        <p className="text-xs text-muted">
          {[kindWords[item.kind].title, item.app?.name, item.user].filter(Boolean).join(' · ')}
        </p>
        <Telling item={item} />
      </div>
      <div className="flex items-center gap-1.5">
        {!item.done && <Transport item={item} />}
        <IconButton
          icon="cross"
          label={item.done ? 'Dismiss' : 'Cancel demo'}
          busy={end.isPending}
          onClick={() => end.mutate(item.id)}
        />
      </div>
    </section>
  )
}

function Telling({ item: { next, waiting, outcome, explanation, fix } }: { item: DemoItem }) {
  if (outcome !== undefined) {
    const hasWorked = outcome === 'completed'
    return (
      <p>
        <Badge tone={hasWorked ? 'ok' : 'bad'} icon={hasWorked ? 'check' : 'cross'}>
          {outcome}
        </Badge>{' '}
        {/* Why it was refused stands at its drawing. */}
        <span className="break-words">{fix ?? explanation}</span>
      </p>
    )
  }
  if (waiting !== undefined) return <p>{waiting}</p>
  return (
    next && (
      <p>
        <span className="font-medium">Next step: {next.name}.</span> {next.explanation}
      </p>
    )
  )
}

function Transport({ item: { id, next, waiting } }: { item: DemoItem }): ReactNode {
  const step = useNextStep()
  const play = () => step.mutate(id)
  const isBusy = waiting !== undefined || step.isPending
  useHotkeys({ s: play }, !isBusy)
  return (
    <>
      {next?.url && (
        <a href={next.url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <Icon name="external" /> Open in a browser
        </a>
      )}
      <Button look="primary" icon="play" hotkey="s" busy={isBusy} onClick={play}>
        Play next step
      </Button>
    </>
  )
}
