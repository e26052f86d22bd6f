import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useRoute } from 'wouter'
import type { DemoItem } from '../../../server/contract/control-demos.ts'
import { useEndDemo, useNextStep, useDemos } from '../../api/demos.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { kindWords } from './words.ts'

/** Bar of the newest demo that runs in steps or waits for a person: its next step, or its outcome. */
export function DemoBar() {
  const { data: demos = [] } = useDemos()
  const [, params] = useRoute('/sign-ins/:id?/:step?')
  const shownId = params?.id && decodeURIComponent(params.id)
  const [newest] = demos
  if (newest === undefined) return null
  return isWanted(newest, shownId) ? <Bar key={newest.id} item={newest} /> : null
}

/** A finished demo is shown beside its own diagram only, and not at all if it ran at once and succeeded. */
function isWanted({ done, pace, outcome, flowId }: DemoItem, shownId: string | undefined): boolean {
  if (!done) return true
  if (shownId !== undefined && shownId !== flowId) return false
  return pace === 'steps' || outcome !== 'completed'
}

function Bar({ item }: { item: DemoItem }) {
  const end = useEndDemo()
  useFirstRequest(item)
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

/** Opens the diagram after the first request, before which a demo has no flow. */
function useFirstRequest({ flowId }: DemoItem): void {
  const [, navigate] = useLocation()
  const had = useRef(flowId)
  useEffect(() => {
    if (flowId === had.current) return
    had.current = flowId
    if (flowId === undefined) return
    navigate(`/sign-ins/${encodeURIComponent(flowId)}${window.location.search}`)
  }, [flowId, navigate])
}
