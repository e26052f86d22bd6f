import type { ReactNode } from 'react'
import { useMediaQuery } from '../lib/media-query.ts'
import { Dialog, DialogBody } from './dialog.tsx'
import { Framed } from './frame.tsx'

/** Width from which an open entry has room beside its list. */
export const roomForPanel = '(min-width: 68.75rem)'

interface ListAndPanelProps {
  /** Receives whether a panel is beside it. */
  renderList: (isBeside: boolean) => ReactNode
  /** Name of the panel. */
  label: string
  /** Receives whether it is beside the list; absent if no entry is open. */
  renderPanel: ((isBeside: boolean) => ReactNode) | undefined
  onClose: () => void
}

/** List with an open entry: beside the list where there is room for both, else over it. */
export function ListAndPanel({ renderList, label, renderPanel, onClose }: ListAndPanelProps) {
  const isWide = useMediaQuery(roomForPanel)
  const isBeside = isWide && renderPanel !== undefined
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">{renderList(isBeside)}</div>
      {isBeside && (
        <aside
          aria-label={label}
          className="sticky top-4 flex h-[calc(100dvh-7.9rem)] w-[46%] max-w-180 shrink-0 flex-col rounded-xl border border-line bg-surface"
        >
          <Framed>{renderPanel(true)}</Framed>
        </aside>
      )}
      {!isWide && renderPanel && (
        <Dialog open onOpenChange={onClose} title={label} wide>
          <DialogBody>
            <div className="-mx-5 flex flex-col">{renderPanel(false)}</div>
          </DialogBody>
        </Dialog>
      )}
    </div>
  )
}
