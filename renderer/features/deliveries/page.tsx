import { useRef, type ReactNode } from 'react'
import { shownDeliveryWords } from '../../../server/contract/words/webhook-words.ts'
import { useWebhookName, useWebhookNames } from '../../api/webhooks.ts'
import { Framed } from '../../ui/frame.tsx'
import { Page } from '../../ui/page.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { detailPanes } from '../../shared/detail-panes.ts'
import { useHotkeys, type Hotkeys } from '../../lib/hotkeys.ts'
import { useMediaQuery } from '../../lib/media-query.ts'
import { DeliveryBoard } from './list/delivery-board.tsx'
import { DeliveryDetail } from './detail/delivery-detail.tsx'
import { EmptyDeliveries } from './list/empty-deliveries.tsx'
import { useBookmarks, useDeliveryView, type BoardView } from './model/use-delivery-view.ts'
import { useChoice } from './model/use-choice.ts'
import { useSelection, type Selection } from './model/use-selection.ts'
import { useVisibleRows, type VisibleRows } from './model/use-visible-rows.ts'

interface DeliveriesPageProps {
  /** Shows only the deliveries of this webhook. */
  webhookId?: string
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  /** Replaces the steps to the first delivery. */
  empty?: ReactNode
  /** Path of the list; that of a delivery is below it. */
  base?: string
  deliveryId?: string | undefined
}

export function DeliveriesPage({
  webhookId,
  title = 'Deliveries',
  lead = 'Every delivery attempt and its result.',
  actions,
  empty = <EmptyDeliveries />,
  base = '/deliveries',
  deliveryId,
}: DeliveriesPageProps) {
  const bookmarks = useBookmarks()
  const filterInput = useRef<HTMLInputElement>(null)
  const wide = useMediaQuery('(min-width: 64rem)')
  const webhooks = useWebhookNames()
  const webhookName = useWebhookName()
  const view = useDeliveryView()
  const { text, state, skipped, audited } = view
  const list = useVisibleRows({
    text,
    state,
    skipped,
    audited,
    webhookId,
    bookmarks: bookmarks.ids,
  })
  const selection = useSelection({
    list,
    selectedId: deliveryId,
    base,
  })

  const choice = useChoice(list)

  useHotkeys({
    ...selectionKeys(selection, list),
    ...viewKeys(view, deliveryId),
    d: () => (selection.isListed ? view.setPane('summary') : selection.openPlace()),
    '/': () => filterInput.current?.focus(),
    b: () => deliveryId && bookmarks.toggle(deliveryId),
    m: () => choice.toggle(deliveryId),
  })

  const detail = deliveryId !== undefined && (
    <Framed>
      <DeliveryDetail
        id={deliveryId}
        webhooks={webhooks}
        webhookName={webhookName}
        pane={view.pane}
        onPane={view.setPane}
        onClose={() => selection.select(undefined)}
      />
    </Framed>
  )
  // On a narrow screen the open delivery replaces the list.
  if (detail && !wide) {
    return (
      <div className="h-full min-h-96 bg-surface">
        <h1 className="sr-only">{title}</h1>
        {detail}
      </div>
    )
  }
  return (
    <Page full title={title} lead={lead} actions={actions}>
      {list.isEmpty || (list.loading && list.count === 0) ? (
        detail || <FirstState list={list} empty={empty} />
      ) : (
        <DeliveryBoard
          view={view}
          list={list}
          selection={selection}
          choice={choice}
          selectedId={deliveryId}
          isBookmarked={bookmarks.has}
          webhookName={webhookName}
          filterInput={filterInput}
          detail={detail}
        />
      )}
    </Page>
  )
}

function selectionKeys(
  { isListed, select, openPlace, move, moveToFailure }: Selection,
  list: VisibleRows,
) {
  const down = () => move(1)
  const up = () => move(-1)
  return {
    j: down,
    ArrowDown: down,
    k: up,
    ArrowUp: up,
    g: () => move(-list.count),
    G: () => move(list.count),
    ']': () => moveToFailure(1),
    '[': () => moveToFailure(-1),
    Enter: () => !isListed && openPlace(),
    Escape: () => select(undefined),
    ' ': () => void (list.live ? list.pause() : list.resume()),
  } satisfies Hotkeys
}

const states: readonly string[] = ['', ...shownDeliveryWords.filter((word) => word !== 'skipped')]

function viewKeys(view: BoardView, deliveryId: string | undefined): Hotkeys {
  const next = states[(states.indexOf(view.state) + 1) % states.length] ?? ''
  return {
    f: () => view.setState(next),
    s: () => view.setSkipped(!view.skipped),
    x: () => view.setPane('summary'),
    v: () => view.toggleMark(deliveryId),
    ...Object.fromEntries(
      detailPanes.map((name, index) => [String(index + 1), () => view.setPane(name)]),
    ),
  }
}

function FirstState({ list, empty }: { list: VisibleRows; empty: ReactNode }) {
  if (list.error) return <Failure error={list.error} retry={list.retry} />
  if (list.loading) return <Loading what="deliveries" />
  return empty
}
