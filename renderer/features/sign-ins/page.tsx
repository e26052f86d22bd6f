import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { FlowItem } from '../../../server/contract/control-requests.ts'
import { useRead, useWholeList } from '../../api/query.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAudience } from '../../lib/audience.ts'
import { classNames } from '../../lib/class-names.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useParameterText } from '../../lib/parameters.ts'
import { FlowFilterBar } from './list/flow-filter-bar.tsx'
import { FlowList } from './list/flow-list.tsx'
import { FlowPanel } from './detail/flow-panel.tsx'
import { useFlowView } from './model/use-flow-view.ts'
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
  const { isAudience, setAudience } = useAudience()
  function present(): void {
    // Presenting hides everything around the page, so these keys belong to it.
    document.getElementById('main')?.focus()
    setAudience(!isAudience)
  }
  useHotkeys({ a: present, A: present })
  useHotkeys({ Escape: () => setAudience(false) }, isAudience && stepId === undefined)
  const board = (
    <>
      {demos.bar}
      <QueryView query={flows} what="sign-ins">
        {({ items, cut }) =>
          items.length === 0 && flowId === undefined ? (
            <NoFlows actions={demos.first} />
          ) : (
            <Board
              flows={items}
              cut={cut}
              flowId={flowId}
              stepId={stepId}
              isAudience={isAudience}
            />
          )
        }
      </QueryView>
    </>
  )
  const wide = useMediaQuery(wideScreen)
  // On a narrow screen the drawing takes the place of everything else, as it does for an audience.
  if (isAudience || (flowId !== undefined && !wide)) {
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
      lead={words.lead}
      actions={
        <>
          {flows.data && flows.data.items.length > 0 && demos.buttons}
          <Button icon="screen" hotkey="a" onClick={present}>
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
  isAudience: boolean
}

function Board({ flows, cut, flowId, stepId, isAudience }: BoardProps) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  const view = useFlowView(flows)
  const filterInput = useRef<HTMLInputElement>(null)
  const wide = useMediaQuery(wideScreen)
  const roomy = useMediaQuery('(min-width: 100rem)')
  const newestId = view.shown[0]?.id
  const shownId = flowId ?? (wide || isAudience ? newestId : undefined)
  useFollowing(newestId, isAudience && flowId !== undefined)

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
      isAudience={isAudience}
      wide={wide}
      onBack={wide || isAudience ? undefined : () => navigate(`/sign-ins${search}`)}
    />
  )
  // The list makes room for the details of a step; on a narrow screen also for the drawing.
  const hasList = !isAudience && (wide ? roomy || stepId === undefined : !panel)
  return (
    <div className="flex h-full min-h-0 flex-1">
      {hasList && (
        <div
          className={classNames(
            'flex min-h-0 flex-col',
            wide ? 'w-76 shrink-0 border-r border-line' : 'w-full',
          )}
        >
          <FlowFilterBar
            view={view}
            inputRef={filterInput}
            shown={view.shown.length}
            loaded={flows.length}
          />
          <FlowList flows={view.shown} shownId={shownId} cut={cut} loaded={flows.length} />
        </div>
      )}
      {panel && <div className="min-h-0 min-w-0 flex-1">{panel}</div>}
    </div>
  )
}

/** Switches to a newer flow when it begins. */
function useFollowing(newestId: string | undefined, enabled: boolean): void {
  const [, navigate] = useLocation()
  const known = useRef(newestId)
  useEffect(() => {
    const isNew = newestId !== known.current
    known.current = newestId
    if (isNew && enabled) navigate(`/sign-ins${window.location.search}`, { replace: true })
  }, [newestId, enabled, navigate])
}

interface FlowByIdProps {
  id: string
  stepId: string | undefined
  isAudience: boolean
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
    <Empty icon="connected" title={words.empty} actions={actions}>
      {words.emptyHint}
    </Empty>
  )
}
