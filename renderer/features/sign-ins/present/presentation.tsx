import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useRead } from '../../../api/query.ts'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { usePresent } from '../../../lib/present.ts'
import { FlowBadges } from '../../../shared/flow-badges.tsx'
import { lookOf } from '../../../shared/flow-looks.ts'
import { kindTitles } from '../../../shared/words.ts'
import { IconButton } from '../../../ui/button.tsx'
import { usePlayhead } from '../model/use-playhead.ts'
import { type Scripted, useScriptedFlows } from '../model/use-scripted-flows.ts'
import { Scene } from './scene.tsx'
import { Scrubber } from './scrubber.tsx'
import { NotesPanel, ScriptedNotes, SpeakerNotes } from './speaker-notes.tsx'
import { StageDrawing } from './stage-drawing.tsx'
import { words } from './words.ts'

interface PresentationProps {
  /** Id of the presented sign-in; absent if no sign-in has started. */
  flowId: string | undefined
  stepId: string | undefined
}

/** Sign-in for an audience: the drawing, what just happened, and nothing else of the dashboard. */
export function Presentation({ flowId, stepId }: PresentationProps) {
  const { setPresented } = usePresent()
  const [hasNotes, setNotes] = useState(false)
  // A sign-in that begins later is drawn from its start.
  const [firstId] = useState(flowId)
  const scripted = useScriptedFlows()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.focus(), [])
  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    setPresented(false)
  }
  useHotkeys({
    Escape: leave,
    p: leave,
    n: () => setNotes(!hasNotes),
    f: toggleFullScreen,
  })
  const controls = (
    <>
      <IconButton
        icon="info"
        label={words.speakerNotes}
        aria-pressed={hasNotes}
        onClick={() => setNotes(!hasNotes)}
      />
      <IconButton icon="screen" label={words.fullScreen} onClick={toggleFullScreen} />
      <IconButton icon="cross" label={words.leave} onClick={leave} />
    </>
  )
  return (
    <article
      ref={frame}
      tabIndex={-1}
      aria-label={words.present}
      className="flex h-full min-h-0 flex-col bg-surface outline-none"
    >
      {flowId === undefined ? (
        <NoFlow controls={controls} hasNotes={hasNotes} scripted={scripted} />
      ) : (
        <FlowById
          key={flowId}
          id={flowId}
          stepId={stepId}
          fromStart={flowId !== firstId}
          hasNotes={hasNotes}
          controls={controls}
          scripted={scripted}
        />
      )}
    </article>
  )
}

function toggleFullScreen(): void {
  // A browser may refuse it, and the view fills its window anyway.
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen()
  done.catch(() => undefined)
}

interface StageProps {
  stepId: string | undefined
  fromStart: boolean
  hasNotes: boolean
  controls: ReactNode
  scripted: Scripted
}

function FlowById({ id, ...rest }: StageProps & { id: string }) {
  const { data } = useRead('GET flows/:id', { params: { id } })
  // A failure is for the presenter: the audience sees an empty stage.
  return data ? <Stage flow={data} {...rest} /> : <Head controls={rest.controls} />
}

function Stage({ flow, ...props }: StageProps & { flow: FlowDetail }) {
  const { stepId, fromStart, hasNotes, controls, scripted } = props
  const { current, last, go } = usePlayhead(flow, stepId, fromStart)
  // Past the last step, the scripted flow continues.
  const forward = () => (current === last ? scripted.playNext() : go(current + 1))
  const back = () => go(current - 1)
  useHotkeys(
    {
      ArrowRight: forward,
      ArrowDown: forward,
      PageDown: forward,
      ' ': forward,
      ArrowLeft: back,
      ArrowUp: back,
      PageUp: back,
      Home: () => go(0),
      End: () => go(last),
    },
    true,
    { ownsArrows: true },
  )
  const step = flow.steps[current]
  return (
    <>
      <Head
        controls={controls}
        title={kindTitles[flow.kind]}
        lead={[flow.app?.name, flow.user?.username].filter(Boolean).join(' · ')}
      >
        {current === last && <FlowBadges look={lookOf(flow)} flow={flow} />}
      </Head>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] gap-x-8 px-6 pb-3 portrait:grid-cols-1 portrait:grid-rows-2">
        <StageDrawing flow={flow} current={current} />
        {step && <Scene flow={flow} step={step} />}
      </div>
      <div className="flex items-center gap-3 px-6 pb-3">
        <Scrubber steps={flow.steps} current={current} onGo={go} />
        <span className="w-16 text-right font-mono text-sm text-muted">
          {current + 1}/{last + 1}
        </span>
      </div>
      {hasNotes && (
        <SpeakerNotes flow={flow} current={current} isContinued={scripted.running !== undefined}>
          <ScriptedNotes {...scripted} />
        </SpeakerNotes>
      )}
    </>
  )
}

interface HeadProps {
  title?: string
  lead?: string
  controls: ReactNode
  children?: ReactNode
}

function Head({ title, lead, controls, children }: HeadProps) {
  return (
    <header className="flex items-center gap-4 px-6 pt-4 pb-3">
      <h1 className="text-xl font-semibold tracking-tight whitespace-nowrap">
        {title ?? words.present}
      </h1>
      <p className="min-w-0 truncate text-lg text-muted">{lead}</p>
      {children}
      {/* Pale until wanted: the audience should not read them. */}
      <span className="ml-auto flex gap-1 opacity-40 focus-within:opacity-100 hover:opacity-100">
        {controls}
      </span>
    </header>
  )
}

type NoFlowProps = Pick<StageProps, 'controls' | 'hasNotes' | 'scripted'>

function NoFlow({ controls, hasNotes, scripted }: NoFlowProps) {
  return (
    <>
      <Head controls={controls} />
      <div className="flex flex-1 flex-col items-center justify-center gap-2 text-center">
        <p className="text-xl font-semibold">{words.nothingYet}</p>
        <p className="text-lg text-muted">{words.startOne}</p>
      </div>
      {hasNotes && (
        <NotesPanel>
          <ScriptedNotes {...scripted} />
        </NotesPanel>
      )}
    </>
  )
}
