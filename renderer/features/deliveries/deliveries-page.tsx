import { useMutation } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useWebhookName, useWebhookNames } from '../../api/webhooks.ts'
import { Page } from '../../components/page.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { Button } from '../../components/button.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useMediaQuery } from '../../lib/media-query.ts'
import { isStringList, useStoredState } from '../../lib/stored-state.ts'
import { ActivityChart } from './components/activity-chart.tsx'
import { DeliveryDetail, panes, type Pane } from './components/delivery-detail.tsx'
import { DeliveryList } from './components/delivery-list.tsx'
import { EmptyDeliveries } from './components/empty-deliveries.tsx'
import { FilterBar } from './components/filter-bar.tsx'
import { isFailure, stateLooks } from './lib/state-look.ts'
import { exportDeliveries, saveFile } from './lib/export-deliveries.ts'
import { withSpan } from './lib/time-span.ts'
import { useVisibleRows } from './use-visible-rows.ts'

interface DeliveriesPageProps {
  /** Only those of one webhook: its activity. */
  webhookId?: string
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  /** In place of the way to the first delivery. */
  empty?: ReactNode
  /** The address of the list; that of a delivery is below it. */
  base?: string
  deliveryId?: string | undefined
}

export function DeliveriesPage({
  webhookId,
  title = 'Deliveries',
  lead,
  actions,
  empty = <EmptyDeliveries />,
  base = '/deliveries',
  deliveryId,
}: DeliveriesPageProps) {
  const [, navigate] = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const [bookmarks, setBookmarks] = useStoredState<string[]>(
    'hub-sandbox-bookmarks',
    [],
    isStringList,
  )
  const filterInput = useRef<HTMLInputElement>(null)
  const wide = useMediaQuery('(min-width: 64rem)')
  const webhooks = useWebhookNames()
  const webhookName = useWebhookName()

  const text = parameters.get('q') ?? ''
  const state = parameters.get('state') ?? ''
  const skipped = parameters.has('skipped')
  const markedId = parameters.get('marked') ?? undefined
  const pane = panes.find((name) => name === parameters.get('pane')) ?? 'timeline'
  const setParameter = (name: string, value: string | undefined) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current)
        if (value === undefined || (value === '' && name !== 'skipped')) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )

  const list = useVisibleRows({
    text,
    state,
    skipped,
    webhookId,
    webhookName,
    bookmarks,
  })
  const { rows } = list
  const exporting = useMutation({
    mutationFn: exportDeliveries,
    onSuccess: (text) => saveFile('deliveries.ndjson', 'application/x-ndjson', text),
    meta: { failed: 'The deliveries could not be exported' },
  })
  const selectedIndex = rows.findIndex(({ id }) => id === deliveryId)

  const search = parameters.size > 0 ? `?${parameters}` : ''
  function select(id: string | undefined): void {
    navigate(id ? `${base}/${id}${search}` : `${base}${search}`, {
      replace: deliveryId !== undefined,
    })
  }
  function move(step: number): void {
    list.pause()
    const next = rows[Math.max(0, Math.min(rows.length - 1, selectedIndex + step))]
    if (next) select(next.id)
  }
  function moveToFailure(step: 1 | -1): void {
    list.pause()
    for (let index = selectedIndex + step; index >= 0 && index < rows.length; index += step) {
      const row = rows[index]
      if (row && isFailure(row)) return select(row.id)
    }
  }
  function showPane(next: Pane): void {
    setParameter('pane', next === 'timeline' ? undefined : next)
  }
  function cycleState(): void {
    const states = ['', ...Object.keys(stateLooks).filter((name) => name !== 'skipped')]
    setParameter('state', states[(states.indexOf(state) + 1) % states.length])
  }
  function toggleBookmark(): void {
    if (!deliveryId) return
    setBookmarks(
      bookmarks.includes(deliveryId)
        ? bookmarks.filter((id) => id !== deliveryId)
        : [...bookmarks, deliveryId],
    )
  }

  useHotkeys({
    j: () => move(1),
    k: () => move(-1),
    g: () => move(-rows.length),
    G: () => move(rows.length),
    ']': () => moveToFailure(1),
    '[': () => moveToFailure(-1),
    Enter: () => selectedIndex === -1 && move(1),
    d: () => showPane('timeline'),
    Escape: () => select(undefined),
    ' ': () => (list.live ? list.pause() : list.resume()),
    '/': () => filterInput.current?.focus(),
    f: cycleState,
    s: () => setParameter('skipped', skipped ? undefined : ''),
    x: () => showPane('why'),
    v: () => setParameter('marked', deliveryId === markedId ? undefined : deliveryId),
    D: () => showPane('diff'),
    b: toggleBookmark,
    ...Object.fromEntries(panes.map((name, index) => [String(index + 1), () => showPane(name)])),
  })

  const detail = deliveryId !== undefined && (
    <DeliveryDetail
      id={deliveryId}
      rows={list.all}
      webhooks={webhooks}
      webhookName={webhookName}
      markedId={markedId}
      pane={pane}
      onPane={showPane}
      onClose={() => select(undefined)}
    />
  )
  // On a narrow screen the opened one takes the place of the list.
  if (detail && !wide) {
    return (
      <div className="h-full bg-surface">
        <h1 className="sr-only">{title}</h1>
        {detail}
      </div>
    )
  }

  return (
    <Page
      full
      title={title}
      lead={lead ?? 'What was sent to your webhooks, every attempt of it, and why.'}
      actions={actions}
    >
      {list.all.length === 0 && detail ? (
        detail
      ) : list.all.length === 0 ? (
        <FirstState list={list} empty={empty} />
      ) : (
        <>
          <ActivityChart
            rows={rows}
            onSpan={(from, to) => setParameter('q', withSpan(text, from, to))}
          />
          <FilterBar
            inputRef={filterInput}
            text={text}
            onText={(next) => setParameter('q', next)}
            state={state}
            onState={(next) => setParameter('state', next)}
            skipped={skipped}
            onSkipped={(next) => setParameter('skipped', next ? '' : undefined)}
            live={list.live}
            onLive={(live) => (live ? list.resume() : list.pause())}
            waitingCount={list.waitingCount}
            shown={rows.length}
            onExport={() => exporting.mutate(rows)}
            exporting={exporting.isPending}
            loaded={list.all.length}
          />
          <div className="-mx-4 flex min-h-0 flex-1 border-t border-line sm:-mx-6">
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              {rows.length === 0 ? (
                <Empty
                  icon="search"
                  title="Nothing matches the filter"
                  actions={
                    <Button onClick={() => setParameters({}, { replace: true })}>
                      Clear the filter
                    </Button>
                  }
                />
              ) : (
                <DeliveryList
                  rows={rows}
                  selectedId={deliveryId}
                  markedId={markedId}
                  isBookmarked={(id) => bookmarks.includes(id)}
                  webhookName={webhookName}
                  onSelect={(id) => {
                    list.pause()
                    select(id)
                  }}
                  onMove={move}
                  onScrollAway={list.pause}
                />
              )}
            </div>
            {detail && (
              <div className="min-h-0 w-[46%] max-w-180 shrink-0 border-l border-line bg-surface">
                {detail}
              </div>
            )}
          </div>
        </>
      )}
    </Page>
  )
}

function FirstState({
  list,
  empty,
}: {
  list: ReturnType<typeof useVisibleRows>
  empty: ReactNode
}) {
  if (list.error) return <Failure error={list.error} retry={list.retry} />
  if (list.loading) return <Loading what="deliveries" />
  return empty
}
