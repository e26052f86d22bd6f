import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../../../api/query.ts'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { usePresent } from '../../../lib/present.ts'
import { FlowBadges } from '../../../shared/flow-badges.tsx'
import { lookOf, outcomeLooks } from '../../../shared/flow-looks.ts'
import { kindTitles } from '../../../shared/words.ts'
import { IconButton } from '../../../ui/button.tsx'
import { flowOfDelivery } from '../model/delivery-flow.ts'
import { type Place, usePlayhead } from '../model/use-playhead.ts'
import { type Scripted, useScriptedFlows } from '../model/use-scripted-flows.ts'
import { deliveryPoints, words as deliveryWords } from './delivery-words.ts'
import { Scene, ShownArtefact, StepArtefact } from './scene.tsx'
import { Scrubber } from './scrubber.tsx'
import { NotesPanel, ScriptedNotes, SpeakerNotes } from './speaker-notes.tsx'
import { StageDrawing } from './stage-drawing.tsx'
import { talkingPoints, words } from './words.ts'

interface PresentationProps {
  /** Id of the presented sign-in; absent if no sign-in has started. */
  flowId: string | undefined
  stepId: string | undefined
  /** Id of the delivery that is presented in place of a sign-in. */
  deliveryId: string | undefined
}

/** Sign-in or delivery for an audience: the drawing, what just happened, and nothing else of the dashboard. */
export function Presentation({ flowId, stepId, deliveryId }: PresentationProps) {
  const { setPresented } = usePresent()
  const [, navigate] = useLocation()
  const [hasNotes, setNotes] = useState(false)
  const shownId = deliveryId ?? flowId
  // What begins later is drawn from its start.
  const [firstId] = useState(shownId)
  const scripted = useScriptedFlows()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.focus(), [])
  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    if (deliveryId === undefined) setPresented(false)
    else navigate(`/deliveries/${encodeURIComponent(deliveryId)}`, { replace: true })
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
      <IconButton icon="screen" label="Full screen" onClick={toggleFullScreen} />
      <IconButton icon="cross" label="Leave the presentation" onClick={leave} />
    </>
  )
  const ways = { fromStart: shownId !== firstId, hasNotes, controls, scripted }
  return (
    <article
      ref={frame}
      tabIndex={-1}
      aria-label={words.present}
      className="flex h-full min-h-0 flex-col bg-surface outline-none"
    >
      {deliveryId !== undefined ? (
        <DeliveryById key={deliveryId} id={deliveryId} {...ways} />
      ) : flowId === undefined ? (
        <NoFlow {...ways} />
      ) : (
        <FlowById key={flowId} id={flowId} stepId={stepId} {...ways} />
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

interface Ways {
  fromStart: boolean
  hasNotes: boolean
  controls: ReactNode
  scripted: Scripted
}

function FlowById({ id, stepId, ...ways }: Ways & { id: string; stepId: string | undefined }) {
  const [, navigate] = useLocation()
  const { data: flow } = useRead('GET flows/:id', { params: { id } })
  // A failure is for the presenter: the audience sees an empty stage.
  if (flow === undefined) return <Head controls={ways.controls} />
  const onStep = (step?: string) => {
    const path = [id, ...(step === undefined ? [] : [step])].map(encodeURIComponent).join('/')
    navigate(`/sign-ins/${path}${window.location.search}`, { replace: true })
  }
  return (
    <Stage
      {...ways}
      flow={flow}
      place={{ stepId, onStep }}
      title={kindTitles[flow.kind]}
      lead={[flow.app?.name, flow.user?.username].filter(Boolean).join(' · ')}
      badges={<FlowBadges look={lookOf(flow)} flow={flow} />}
      renderArtefact={(step) => <StepArtefact flow={flow} step={step} />}
      pointOf={(step) => talkingPoints.get(step.name)}
    />
  )
}

function DeliveryById({ id, ...ways }: Ways & { id: string }) {
  const { data: delivery } = useRead('GET deliveries/:id', { params: { id } })
  const flow = useMemo(() => delivery && flowOfDelivery(delivery), [delivery])
  const [stepId, setStep] = useParameter('step')
  if (delivery === undefined || flow === undefined) return <Head controls={ways.controls} />
  const { outcome, artefacts } = flow
  return (
    <Stage
      {...ways}
      flow={flow}
      place={{ stepId, onStep: (step = '') => setStep(step) }}
      title={deliveryWords.title}
      lead={delivery.repo}
      badges={<FlowBadges look={outcomeLooks[outcome]} flow={{}} />}
      renderArtefact={(step) => {
        const artefact = artefacts.get(step.id)
        return artefact && <ShownArtefact key={step.id} artefact={artefact} />
      }}
      pointOf={({ id: step }) => deliveryPoints.get(step.replace(/^\d+-/, ''))}
    />
  )
}

interface StageProps extends Ways {
  flow: Pick<FlowDetail, 'actors' | 'steps' | 'outcome'>
  place: Place
  title: string
  lead: string
  /** Outcome, shown with the last step. */
  badges: ReactNode
  renderArtefact: (step: FlowStep) => ReactNode
  /** Returns the talking point of a step, if there is one. */
  pointOf: (step: FlowStep) => string | undefined
}

function Stage({ flow, place, title, lead, badges, renderArtefact, pointOf, ...ways }: StageProps) {
  const { fromStart, hasNotes, controls, scripted } = ways
  const { current, last, go } = usePlayhead(flow, place, fromStart)
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
      <Head controls={controls} title={title} lead={lead}>
        {current === last && badges}
      </Head>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] gap-x-8 px-6 pb-3 portrait:grid-cols-1 portrait:grid-rows-2">
        <StageDrawing flow={flow} current={current} />
        {step && (
          <Scene flow={flow} step={step}>
            {renderArtefact(step)}
          </Scene>
        )}
      </div>
      <div className="flex items-center gap-3 px-6 pb-3">
        <Scrubber steps={flow.steps} current={current} onGo={go} />
        <span className="w-16 text-right font-mono text-sm text-muted">
          {current + 1}/{last + 1}
        </span>
      </div>
      {hasNotes && (
        <SpeakerNotes
          flow={flow}
          current={current}
          point={step && pointOf(step)}
          isContinued={scripted.running !== undefined}
        >
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
    <header className="flex items-center gap-4 px-6 pt-4 pb-3 max-sm:flex-wrap max-sm:gap-x-2 max-sm:gap-y-1 max-sm:px-4">
      <h1 className="text-xl font-semibold tracking-tight whitespace-nowrap">
        {title ?? words.present}
      </h1>
      <p className="min-w-0 truncate text-lg text-muted max-sm:order-last max-sm:w-full">{lead}</p>
      {children}
      {/* Pale until wanted: the audience should not read them. */}
      <span className="ml-auto flex gap-1 opacity-40 focus-within:opacity-100 hover:opacity-100">
        {controls}
      </span>
    </header>
  )
}

type NoFlowProps = Pick<Ways, 'controls' | 'hasNotes' | 'scripted'>

function NoFlow({ controls, hasNotes, scripted }: NoFlowProps) {
  return (
    <>
      <Head controls={controls} />
      <div className="flex flex-1 flex-col items-center justify-center gap-2 text-center">
        <p className="text-xl font-semibold">No sign-in yet</p>
        <p className="text-lg text-muted">
          Sign in with an app, or press n for the keys that start a flow.
        </p>
      </div>
      {hasNotes && (
        <NotesPanel>
          <ScriptedNotes {...scripted} />
        </NotesPanel>
      )}
    </>
  )
}
