import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { FlowItem } from '../../../server/contract/control-requests.ts'
import { useRead, useWholeList } from '../../api/query.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Framed } from '../../ui/frame.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { roomForPanel } from '../../ui/list-and-panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { classNames } from '../../lib/class-names.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useParameter, useParameterText } from '../../lib/parameters.ts'
import { usePresent } from '../../lib/present.ts'
import { FlowFilterBar } from './list/flow-filter-bar.tsx'
import { FlowList } from './list/flow-list.tsx'
import { FlowPanel } from './detail/flow-panel.tsx'
import { useFlowView } from './model/use-flow-view.ts'
import { Presentation } from './present/presentation.tsx'
import { words } from './words.ts'

/** List and drawing stand beside each other. */
const wideScreen = '(min-width: 64rem)'

interface SignInsPageProps {
  /** Shown flow; without it the newest. */
  flowId: string | undefined
  stepId: string | undefined
  demos: DemoParts
}

/** Parts of the demos feature: how to start one, and its progress. */
interface DemoParts {
  buttons: ReactNode
  /** Shown while there are no sign-ins. */
  first: ReactNode
  bar: ReactNode
}

/** Sign-ins as live diagrams. */
export function SignInsPage({ flowId, stepId, demos }: SignInsPageProps) {
  const flows = useWholeList('GET flows')
  const { isPresented, setPresented } = usePresent()
  const present = () => setPresented(true, { push: true })
  useHotkeys({ p: present }, !isPresented)
  const wide = useMediaQuery(wideScreen)
  if (isPresented)
    return <PresentedFlow flows={flows.data?.items} flowId={flowId} stepId={stepId} />
  const board = (
    <>
      {demos.bar}
      <QueryView query={flows} what="sign-ins">
        {({ items, cut }) =>
          items.length === 0 && flowId === undefined ? (
            <NoFlows actions={demos.first} />
          ) : (
            <Board flows={items} cut={cut} flowId={flowId} stepId={stepId} />
          )
        }
      </QueryView>
    </>
  )
  // On a narrow screen the drawing takes the place of everything else.
  if (flowId !== undefined && !wide) {
    return (
      <div className="flex h-full min-h-96 flex-col">
        <h1 className="sr-only">{words.signIns}</h1>
        {board}
      </div>
    )
  }
  return (
    <Page
      full
      title={words.signIns}
      lead="Every flow, drawn live."
      actions={
        <>
          {flows.data && flows.data.items.length > 0 && demos.buttons}
          <Button icon="screen" hotkey="p" onClick={present}>
            {words.present}
          </Button>
        </>
      }
    >
      <div className="-mx-4 flex min-h-64 flex-1 flex-col border-t border-line sm:-mx-6">
        {board}
      </div>
    </Page>
  )
}

interface BoardProps extends Omit<SignInsPageProps, 'demos'> {
  flows: readonly FlowItem[]
  cut: boolean
}

function Board({ flows, cut, flowId, stepId }: BoardProps) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  const view = useFlowView(flows)
  const filterInput = useRef<HTMLInputElement>(null)
  const wide = useMediaQuery(wideScreen)
  const hasRoomForStep = useMediaQuery(roomForPanel)
  const newestId = view.shown[0]?.id
  const shownId = flowId ?? (wide ? newestId : undefined)

  function step(stride: number): void {
    const here = view.shown.findIndex(({ id }) => id === shownId)
    const next = view.shown[Math.max(0, here + stride)]
    if (next) navigate(`/sign-ins/${encodeURIComponent(next.id)}${search}`, { replace: true })
  }
  useHotkeys({
    '/': () => filterInput.current?.focus(),
    ']': () => step(1),
    '[': () => step(-1),
    n: () => navigate(`/sign-ins${search}`),
  })

  const panel = shownId !== undefined && (
    <FlowById
      id={shownId}
      stepId={stepId}
      wide={wide}
      onBack={wide ? undefined : () => navigate(`/sign-ins${search}`)}
    />
  )
  // Below that width the list makes room for the details of a step, and on a narrow screen for the drawing.
  const hasList = wide ? hasRoomForStep || stepId === undefined : !panel
  return (
    <Framed>
      <div className="flex h-full min-h-0 flex-1">
        {hasList && (
          <div
            className={classNames(
              'flex min-h-0 flex-col',
              wide ? 'shrink-0 border-r border-line' : 'w-full',
              wide && (stepId === undefined ? 'w-76' : 'w-60 2xl:w-76'),
            )}
          >
            <FlowFilterBar
              view={view}
              inputRef={filterInput}
              shown={view.shown.length}
              loaded={view.loaded}
            />
            <FlowList flows={view.shown} shownId={shownId} cut={cut} loaded={flows.length} />
          </div>
        )}
        {panel && <div className="min-h-0 min-w-0 flex-1">{panel}</div>}
      </div>
    </Framed>
  )
}

interface PresentedFlowProps {
  /** Newest first; absent while they are read. */
  flows: readonly FlowItem[] | undefined
  flowId: string | undefined
  stepId: string | undefined
}

/** Presented sign-in, which a newer one replaces when it begins. */
function PresentedFlow({ flows, flowId, stepId }: PresentedFlowProps) {
  const [, navigate] = useLocation()
  const [deliveryId] = useParameter('delivery')
  const newestId = flows?.[0]?.id
  const known = useRef(newestId)
  useEffect(() => {
    const isNew = known.current !== undefined && newestId !== known.current
    known.current = newestId
    if (isNew && flowId !== undefined)
      navigate(`/sign-ins${window.location.search}`, { replace: true })
  }, [newestId, flowId, navigate])
  const shownId = flowId ?? newestId
  return (
    flows && <Presentation flowId={shownId} stepId={stepId} deliveryId={deliveryId || undefined} />
  )
}

interface FlowByIdProps {
  id: string
  stepId: string | undefined
  wide: boolean
  onBack: (() => void) | undefined
}

function FlowById({ id, ...rest }: FlowByIdProps) {
  const flow = useRead('GET flows/:id', { params: { id } })
  return (
    <QueryView
      query={flow}
      what="this sign-in"
      wayOut={
        <Link href="/sign-ins" className={buttonClass()}>
          {words.allSignIns}
        </Link>
      }
    >
      {(data) => <FlowPanel flow={data} {...rest} />}
    </QueryView>
  )
}

function NoFlows({ actions }: { actions: ReactNode }) {
  return (
    <div className="p-4 sm:p-6">
      <Empty icon="connected" title="No sign-ins yet" actions={actions}>
        {words.emptyHint}
      </Empty>
    </div>
  )
}
