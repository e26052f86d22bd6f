import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type DetailPane, detailPanes } from './detail-panes.ts'
import { words } from './words.ts'

interface PaneContent {
  /** Shown small beside the label. */
  count?: number
  renderContent: () => ReactNode
}

interface DetailPanelProps {
  /** Names the tabs to a screen reader. */
  label: string
  heading: ReactNode
  actions?: ReactNode
  /** The parts that it has. */
  contents: Readonly<Partial<Record<DetailPane, PaneContent>>>
  pane: DetailPane
  onPane: (pane: DetailPane) => void
  /** Absent in a dialog, which has its own button. */
  onClose?: (() => void) | undefined
}

/** Open request, step of a sign-in, delivery, token or job, in parts of the same names. */
export function DetailPanel({
  label,
  heading,
  actions,
  contents,
  pane,
  onPane,
  onClose,
}: DetailPanelProps) {
  return (
    <>
      <div className="flex flex-col gap-2 px-4 pt-3 pb-2">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">{heading}</div>
          {onClose && (
            <IconButton icon="cross" size="small" label="Close (Esc)" onClick={onClose} />
          )}
        </div>
        {actions}
      </div>
      <Tabs
        label={label}
        value={pane}
        onChange={onPane}
        tabs={detailPanes.flatMap((value) => {
          const content = contents[value]
          return content === undefined
            ? []
            : [{ value, label: words.paneTitles[value], ...content }]
        })}
      />
    </>
  )
}
